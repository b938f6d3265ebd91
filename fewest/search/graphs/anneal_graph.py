"""Simulated annealing over graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...errors import InputError
from ...models.networks.family_scores import FamilyScores
from ...models.networks.structure_search import SIDEWAYS, Walk
from ...parameters import number, whole
from ..base import Proposals, Verdict
from ..monotone import Bounds
from ..spaces.graphs import Graphs
from .base import GraphSearch, step_by_step


@dataclass(kw_only=True)
class AnnealGraph(GraphSearch):
    """Try random changes of arcs; keep worse graphs too, ever less often as it cools.

    Parameters
    ----------
    steps : int
        Number of changes that are tried.
    hot, cold : float
        The temperature falls from the one to the other by a constant factor.
    batch : int
        After so many changes the graph at hand and the best one are scored.

    Notes
    -----
    Kirkpatrick, Gelatt and Vecchi (1983); Inza (2002, section 3.3.3.2) names it for networks. A
    hill climb from the best graph ends it.

    Examples
    --------
    >>> import fewest
    >>> from fewest.models.networks.library import sample_dataset
    >>> table = sample_dataset("cancer", n_rows=2000).X
    >>> learner = fewest.NetworkLearner(search=AnnealGraph(steps=2000), random_state=0).fit(table)
    >>> learner.result_.stopped
    'the temperature has reached its end'
    """

    name: ClassVar[str] = "anneal-graph"
    source: ClassVar[str] = "Kirkpatrick et al. (1983); Inza (2002), section 3.3.3.2"

    steps: int = whole(50_000, low=1)
    hot: float = number(10.0, low=1e-9)
    cold: float = number(0.05, low=1e-9)
    batch: int = whole(500, low=1)

    def check_parameters(self) -> None:
        """Refuse temperatures that rise."""
        super().check_parameters()
        if self.hot < self.cold:
            raise InputError(
                f"`hot` must be at least `cold`, but they are {self.hot} and {self.cold}."
            )

    def walk(
        self, space: Graphs, families: FamilyScores, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals:
        """One batch for some changes each, then one per step of the climb."""
        walk = Walk(families, max_parents=space.max_parents)
        for first in range(0, self.steps, self.batch):
            steps = np.arange(first, min(first + self.batch, self.steps))
            cooled = (self.cold / self.hot) ** (steps / max(self.steps - 1, 1))
            walk.anneal(rng.random((len(steps), 4)), self.hot * cooled)
            yield space.rows([walk.here, walk.best])
        last = Walk(families, start=walk.best, max_parents=space.max_parents, **SIDEWAYS)
        yield from step_by_step(last, space)
        return Verdict("the temperature has reached its end")
