"""What a search is: a generator that yields candidates and receives their scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..measures.base import Candidates, Scores
from ..parameters import Parameters
from .better import Better
from .space import Space


@dataclass(frozen=True)
class Verdict:
    """What a search knows when it ends by itself.

    ``optimal`` is true only where it is proven; ``bound`` is the smallest size (or cost) that
    is not excluded; ``reason`` says in words why it ended. ``answer`` is given by searches
    whose answer is not simply the best value: the smallest subset that reaches a threshold.
    """

    reason: str
    optimal: bool = False
    bound: float | None = None
    answer: NDArray[np.bool_] | None = None


#: What ``propose`` returns: it yields candidates, is sent scores, and may return a verdict.
Proposals = Generator[Candidates, Scores, Verdict | None]


class Search(Parameters, ABC):
    """A way from scored candidates to the next ones. It never sees data.

    Subclasses are dataclasses whose fields are their parameters. All state lives in the
    generator, so one search object may drive many runs.
    """

    #: The name on the command line and in strings.
    name: ClassVar[str]
    #: Author, year and section of the document it comes from.
    source: ClassVar[str] = ""
    #: The kinds of space it can handle.
    spaces: ClassVar[tuple[str, ...]] = ("subsets",)
    #: Whether it needs a monotone measure (with a threshold and cuts).
    needs_monotone: ClassVar[bool] = False
    #: Whether each batch is a generation, so that rules about generations can stop it.
    generational: ClassVar[bool] = False
    #: Whether it visits or excludes every subset, so that its answer is the best there is.
    complete: ClassVar[bool] = False

    @abstractmethod
    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """Yield batches of candidates (matrices over ``space.cardinalities``), receive scores.

        Candidates are rows over the free units of the space (see :class:`Space`); every one
        must have passed ``space.repair`` or ``space.feasible``, except the stepping stones of
        sequential searches. All randomness comes from ``rng``.
        """
