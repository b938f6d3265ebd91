"""Hill climbing over graphs."""

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
class ClimbGraph(GraphSearch):
    """Add, delete or reverse the arc that helps most, while one helps.

    Parameters
    ----------
    sideways : int
        At the top it goes on along changes that cost nothing, until so many have led to nothing
        better; 0 stops at the top.
    tenure : int
        For how many steps an arc rests after a change.

    Notes
    -----
    Graphs that state the same independences have the same score, and a climb often ends on a
    flat top of such graphs: a few reversals that cost nothing lead to a graph that a further arc
    improves.

    Examples
    --------
    >>> import fewest
    >>> from fewest.models.networks.library import sample_dataset
    >>> table = sample_dataset("cancer", n_rows=2000).X
    >>> learner = fewest.NetworkLearner(search=ClimbGraph(sideways=5)).fit(table)
    >>> learner.result_.history[-1]["best_so_far"] == learner.result_.score
    True
    """

    name: ClassVar[str] = "climb-graph"
    source: ClassVar[str] = "Inza (2002), section 3.3.3.2, with reversals and sideways steps"

    sideways: int = whole(20)
    tenure: int = whole(3)

    def walk(
        self, space: Graphs, families: FamilyScores, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals:
        """One batch per step: the graph at hand."""
        walk = Walk(
            families, max_parents=space.max_parents, tenure=self.tenure, patience=self.sideways,
            loss=0.0,
        )  # fmt: skip
        yield from step_by_step(walk, space)
        return Verdict("no single arc improves the network")
