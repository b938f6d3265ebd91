"""Tabu search over graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...models.networks.family_scores import FamilyScores
from ...models.networks.structure_search import Walk
from ...parameters import whole
from ..base import Proposals, Verdict
from ..monotone import Bounds
from ..spaces.graphs import Graphs
from .base import GraphSearch, step_by_step


@dataclass(kw_only=True)
class TabuGraph(GraphSearch):
    """Make the best change of an arc even if it costs; a changed arc rests for a while.

    Parameters
    ----------
    tenure : int
        For how many steps an arc rests after a change.
    patience : int
        The search ends after so many steps without a new best.

    Examples
    --------
    >>> import fewest
    >>> from fewest.models.networks.library import sample_dataset
    >>> table = sample_dataset("cancer", n_rows=2000).X
    >>> learner = fewest.NetworkLearner(search=TabuGraph(patience=30)).fit(table)
    >>> learner.result_.stopped
    'no improvement in 30 steps'
    """

    name: ClassVar[str] = "tabu-graph"
    source: ClassVar[str] = "Glover (1989); Inza (2002), section 3.3.3.2"

    tenure: int = whole(10)
    patience: int = whole(100, low=1)

    def walk(
        self, space: Graphs, families: FamilyScores, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals:
        """One batch per step: the graph at hand."""
        walk = Walk(
            families, max_parents=space.max_parents, tenure=self.tenure, patience=self.patience
        )
        yield from step_by_step(walk, space)
        return Verdict(f"no improvement in {self.patience} steps")
