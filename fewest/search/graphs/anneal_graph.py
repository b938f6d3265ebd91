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

#: The first temperature by the last.
RANGE = 40.0


@dataclass(kw_only=True)
class AnnealGraph(GraphSearch):
    """Try random changes of arcs; keep worse graphs too, ever less often as it cools.

    Parameters
    ----------
    steps : int or None
        Number of changes that are tried; None is 300 for each pair of variables.
    hot, cold : float or None
        The temperature falls from the one to the other by a constant factor. None starts at the
        median of what single arcs bring, which grows with the rows, and ends at a fortieth.
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

    steps: int | None = whole(None, low=1, optional=True)
    hot: float | None = number(None, low=1e-9, optional=True)
    cold: float | None = number(None, low=1e-9, optional=True)
    batch: int = whole(500, low=1)

    def check_parameters(self) -> None:
        """Refuse temperatures that rise."""
        super().check_parameters()
        if self.hot is not None and self.cold is not None and self.hot < self.cold:
            raise InputError(
                f"`hot` must be at least `cold`, but they are {self.hot} and {self.cold}."
            )

    def walk(
        self, space: Graphs, families: FamilyScores, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals:
        """One batch for some changes each, then one per step of the climb."""
        walk = Walk(families, max_parents=space.max_parents)
        total = 300 * space.n**2 if self.steps is None else self.steps
        hot, cold = self._temperatures(families)
        for first in range(0, total, self.batch):
            steps = np.arange(first, min(first + self.batch, total))
            temperatures = hot * (cold / hot) ** (steps / max(total - 1, 1))
            walk.anneal(rng.random((len(steps), 4)), temperatures)
            yield space.rows([walk.here, walk.best])
        last = Walk(families, start=walk.best, max_parents=space.max_parents, **SIDEWAYS)
        yield from step_by_step(last, space)
        return Verdict("the temperature has reached its end")

    def _temperatures(self, families: FamilyScores) -> tuple[float, float]:
        if self.hot is not None:
            return self.hot, self.hot / RANGE if self.cold is None else self.cold
        gains = np.array([families.gains(i, ()) for i in range(len(families.cardinalities))])
        helps = gains[np.isfinite(gains) & (gains > 0)]
        hot = float(np.median(helps)) if len(helps) else 1.0
        return (hot, hot / RANGE) if self.cold is None else (max(hot, self.cold), self.cold)
