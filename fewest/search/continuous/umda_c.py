"""UMDA_c: the best candidates as independent real numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import stats

from ...models.gaussian.base import Density, Floats
from ...models.gaussian.normal import IndependentNormals
from ...parameters import one_of
from .base import ContinuousEDA


@dataclass
class UMDAc(ContinuousEDA):
    """Samples each weight from a density of its own, learned from the best candidates.

    Parameters
    ----------
    population, selected : see :class:`fewest.search.continuous.base.ContinuousEDA`
    density : "normal" or "tested"
        Normal densities for all, or for each weight the one of normal, uniform and exponential
        with the smallest Kolmogorov-Smirnov distance.

    Notes
    -----
    Larrañaga et al. (1999, 2000); Inza (2002, section 4.4.1.1). With normal densities only it is
    known as UMDA_c^G. The literature leaves open which densities are tested, and how.

    Examples
    --------
    >>> from fewest.search import UMDAc
    >>> from fewest.search.spaces.box import Box
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda w: -abs(w - 0.3).sum()).bind(toy_table(n_features=3))
    >>> drive(UMDAc(population=100), Box(3), scorer, max_batches=30).best_value > -0.01
    True
    """

    name: ClassVar[str] = "umda-c"
    source: ClassVar[str] = "Larrañaga et al. (2000); Inza (2002, thesis), section 4.4.1.1"

    density: str = one_of("normal", "tested")

    def learn(self, selected: Floats) -> Density:
        """A density for each weight."""
        if self.density == "normal":
            return IndependentNormals.learn(selected)
        return TestedDensities.learn(selected)


@dataclass(frozen=True, eq=False)
class TestedDensities(Density):
    """Independent variables, each with the density that fits it best."""

    families: tuple[str, ...]
    place: Floats
    width: Floats

    @staticmethod
    def learn(rows: Floats) -> TestedDensities:
        """Try every family on every variable."""
        found = [_best_fit(column) for column in rows.T]
        place, width = np.array([f[1:] for f in found]).reshape(-1, 2).T
        return TestedDensities(tuple(f[0] for f in found), place, width)

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        """Each variable on its own."""
        drawn = np.empty((n, len(self.families)))
        for j, family in enumerate(self.families):
            if family == "norm":
                standard = rng.normal(size=n)
            else:
                standard = rng.random(n) if family == "uniform" else rng.exponential(size=n)
            drawn[:, j] = self.place[j] + self.width[j] * standard
        return drawn

    def log_density(self, rows: Floats) -> Floats:
        """The sum over the variables."""
        total = np.zeros(len(rows))
        for j, family in enumerate(self.families):
            width = max(self.width[j], 1e-9)
            total += getattr(stats, family).logpdf(rows[:, j], self.place[j], width)
        return total


def _best_fit(column: Floats) -> tuple[str, float, float]:
    low, high, mean = float(column.min()), float(column.max()), float(column.mean())
    tried = [
        ("norm", mean, float(column.std())),
        ("uniform", low, high - low),
        ("expon", low, mean - low),
    ]
    if high <= low:
        return tried[0]
    distance = [stats.kstest(column, name, args=(a, b)).statistic for name, a, b in tried]
    return tried[int(np.argmin(distance))]
