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
        Normal densities for all, or for each weight the first of normal, uniform and exponential
        that a test at 5 % does not reject; where all are rejected, the one that comes closest.

    Notes
    -----
    Larrañaga et al. (1999, 2000); Inza (2002, section 4.4.1.1). With normal densities only it is
    known as UMDA_c^G. The literature leaves open which densities are tested, and how: here by
    the Kolmogorov-Smirnov distance with the critical values for estimated parameters of Stephens
    (1974), and for uniform densities that of the values between the smallest and the largest.

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
    """Independent variables, each with the density that its tests leave."""

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
    """Return the family of a variable with its place and width."""
    low, high, mean = float(column.min()), float(column.max()), float(column.mean())
    n = len(column)
    tried = [
        ("norm", mean, float(column.std())),
        ("uniform", low, high - low),
        ("expon", low, mean - low),
    ]
    if high <= low or n < 5:
        return tried[0]
    root = np.sqrt(n)
    inner = np.sort(column)[1:-1]
    normal, uniform, exponential = (
        stats.kstest(inner if name == "uniform" else column, name, args=(a, b)).statistic
        for name, a, b in tried
    )
    # Each distance in units of what chance exceeds in one of twenty samples.
    excess = [
        normal * (root - 0.01 + 0.85 / root) / 0.895,
        uniform / float(stats.kstwo.isf(0.05, len(inner))),
        (exponential - 0.2 / n) * (root + 0.26 + 0.5 / root) / 1.094,
    ]
    return next((t for t, e in zip(tried, excess, strict=True) if e <= 1), tried[np.argmin(excess)])
