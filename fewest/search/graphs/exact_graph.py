"""The best graph, with a proof."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...models.networks.exact import prove_families
from ...models.networks.family_scores import FamilyScores
from ...models.networks.structure_search import climb_families
from ...parameters import number
from ..base import Proposals, Verdict
from ..monotone import Bounds
from ..spaces.graphs import Graphs
from .base import GraphSearch


@dataclass(kw_only=True)
class ExactGraph(GraphSearch):
    """Find the graph with the highest score and prove it, or end with a bound.

    Parameters
    ----------
    seconds : float or None
        A time limit; at its end the answer is the best network so far.

    Notes
    -----
    Silander and Myllymaki (2006), for more than 20 variables Bartlett and Cussens (2017); see
    ``fewest.models.networks.exact``. The first graph is that of a short tabu search, so that a
    run that is interrupted has an answer.

    Examples
    --------
    >>> import fewest
    >>> from fewest.models.networks.library import sample_dataset
    >>> table = sample_dataset("cancer", n_rows=2000).X
    >>> fewest.NetworkLearner(search=ExactGraph()).fit(table).result_.optimal
    True
    """

    name: ClassVar[str] = "exact-graph"
    source: ClassVar[str] = "Silander and Myllymaki (2006); Bartlett and Cussens (2017)"
    complete: ClassVar[bool] = True

    seconds: float | None = number(None, low=0.0, optional=True)

    def walk(
        self, space: Graphs, families: FamilyScores, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals:
        """Two batches: a good graph, then the best."""
        first, _ = climb_families(families, max_parents=space.max_parents, tenure=10, patience=20)
        yield space.rows([first])
        found = prove_families(families, max_parents=space.max_parents, seconds=self.seconds)
        # Added up as the scorer does: a proven answer has no gap.
        if found.optimal or math.isfinite(found.bound):
            bounds.value = families.of(found.graph) if found.optimal else found.bound
        row = space.rows([found.graph])
        yield row
        why = "no network scores more" if found.optimal else "the proof came to its limit"
        return Verdict(why, optimal=found.optimal, answer=row[0])
