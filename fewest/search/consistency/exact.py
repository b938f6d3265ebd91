"""Exact: the smallest subset that reaches the threshold, with a proof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...parameters import flag, whole
from ..base import Proposals, Search, Verdict
from ..better import Better
from ..monotone import Monotone
from ..spaces.base import Space
from .background import Desk, in_background
from .proof import Proof

Mask = NDArray[np.bool_]


@dataclass
class Exact(Search):
    """The smallest (cheapest) subset that reaches the threshold of a monotone measure, proven.

    Parameters
    ----------
    all_optima : bool
        Whether to find every smallest subset; the others come as alternatives, and the result
        names the features that are in all of them (``result.extra["in_all_optima"]``).
    max_optima : int
        At most so many of them.
    threads : int
        How many threads share the proof; the answer does not depend on it.

    Notes
    -----
    A subset that fails the threshold comes with cuts: sets of features of which every answer
    has at least one. An answer is then a minimum hitting set of all cuts, and a hitting set of
    those known so far gives a lower bound (Moreno-Centeno and Karp, 2013, section 2). The
    hitting sets are found by CP-SAT where structure helps, and by a compiled branch and bound
    over the masks where the table looks random. Dash and Liu (2003, section 4) search the
    subsets themselves.

    Examples
    --------
    >>> from fewest.data.build import as_table
    >>> from fewest.measures.consistency.inconsistency import Inconsistency
    >>> from fewest.search import Exact, Subsets
    >>> from fewest.testing import drive
    >>> X = [[a, b, c] for a in "01" for b in "01" for c in "01"]
    >>> y = [int(a != b) for a, b, c in X]
    >>> drive(Exact(), Subsets(3), Inconsistency().bind(as_table(X, y))).answer
    array([ True,  True, False])
    """

    name: ClassVar[str] = "exact"
    source: ClassVar[str] = "Dash and Liu (2003), section 4; Moreno-Centeno and Karp (2013)"
    needs_monotone: ClassVar[bool] = True
    complete: ClassVar[bool] = True

    all_optima: bool = flag(False)
    max_optima: int = whole(1000, low=1)
    threads: int = whole(2, low=1)

    def propose_monotone(
        self, space: Space, better: Better, rng: np.random.Generator, monotone: Monotone
    ) -> Proposals:
        """Grow the set of cuts until a smallest hitting set of them reaches the threshold."""

        def work(desk: Desk) -> tuple[Mask, bool]:
            proof = Proof(space, monotone, desk, self.threads)
            answer = proof.prove()
            return proof.every(self.max_optima) if self.all_optima else (answer[None], False)

        answers, complete = yield from in_background(work, space.n_units)
        answer = answers[0]
        others = answers[1:] if self.all_optima else None
        shared = np.asarray(answers.all(axis=0)) if complete else None
        cost = float(space.cost(answer[None])[0])
        return Verdict(
            "proven: no smaller subset reaches the threshold", True, cost, answer, others, shared
        )
