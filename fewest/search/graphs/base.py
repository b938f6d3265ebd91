"""What searches over graphs share: they walk on the families of the measure."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from ...errors import MismatchError
from ...measures.base import Scorer
from ...measures.networks.graph_score import GraphScorer
from ...models.networks.family_scores import FamilyScores
from ...models.networks.structure_search import Walk
from ..advice import Ask
from ..base import Proposals, Search
from ..better import Better
from ..monotone import Bounds
from ..spaces.base import Space
from ..spaces.graphs import Graphs

#: Steps between two batches at most.
MOST_STEPS = 64


class GraphSearch(Search):
    """A search over graphs whose measure is a sum over families.

    What single changes bring is looked up in the cache of the families; only graphs that the
    search has come to are proposed, so that a batch costs little beside its steps. A resumed
    search makes the same steps again.
    """

    spaces: ClassVar[tuple[str, ...]] = ("graphs",)
    ends: ClassVar[bool] = True

    def start(
        self,
        space: Space,
        better: Better,
        rng: np.random.Generator,
        scorer: Scorer | None = None,
        bounds: Bounds | None = None,
        ask: Ask | None = None,
    ) -> Proposals:
        """The generator of this search for one run, over the families of the scorer."""
        if not isinstance(scorer, GraphScorer) or not isinstance(space, Graphs):
            raise MismatchError(
                f"The search `{self.name}` needs the score of a network as its measure; use "
                f"fewest.NetworkLearner(search={self.name!r})."
            )
        self.check_parameters()
        return self.walk(space, scorer.families, rng, Bounds() if bounds is None else bounds)

    @abstractmethod
    def walk(
        self, space: Graphs, families: FamilyScores, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals:
        """Yield batches of graphs, as ``propose`` does."""


def step_by_step(walk: Walk, space: Graphs) -> Proposals:
    """Climb to the end of a walk; a batch is the best graph after 1, 2, 4, ... further steps."""
    yield space.rows([walk.here])
    steps, ended = 1, False
    while not ended:
        ended = walk.climb(steps)
        yield space.rows([walk.best])
        steps = min(2 * steps, MOST_STEPS)
    return None
