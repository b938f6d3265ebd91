"""Filters for numeric targets from distances between rows: distance correlation and RReliefF."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...data.table import Table
from ...errors import InputError
from ...kernels.neighbours.regression_relief import regression_relief
from ...parameters import number, whole
from ..base import Measure, Scorer
from ..filters.base import SumScore
from ..filters.relief import scaled_columns

Floats = NDArray[np.float64]


class _NumericTarget(Measure):
    needs_classes: ClassVar[bool] = False

    @property
    def task(self) -> str | None:
        """The target must be a number."""
        return "regression"

    def _target(self, table: Table) -> Floats:
        if table.classes is not None:
            raise InputError(
                f"the measure `{self.name}` needs a target that is a number, but it is a class; "
                'use "relieff".'
            )
        return table.target.astype(np.float64)


@dataclass
class RReliefF(_NumericTarget):
    """Sum over the subset of each feature's RReliefF weight, less a threshold.

    Parameters
    ----------
    neighbours : int
        How many neighbours of each row are looked at.
    sigma : float or None
        None gives all neighbours the same weight. With a number the weight falls with the rank:
        exp(-(rank / sigma)²); the source takes 70 neighbours and 20.
    samples : int or None
        How many rows, drawn at random, are compared with all others; None for every row.
    threshold : float
        What a feature must weigh to be worth its place.

    Notes
    -----
    W_i = P(other value | other target) - P(other value | same target) among near neighbours,
    from mean differences (Robnik-Šikonja and Kononenko, 2003, section 2.3). Differences are those
    of :class:`~fewest.measures.filters.relief.ReliefF`; those of the target are over its range.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("diabetes")
    >>> selector = fewest.SubsetSelector(measure="rrelieff", search="sfs", max_features=3)
    >>> selector.fit(data.X, data.y).result_.n_features
    3
    """

    name: ClassVar[str] = "rrelieff"
    source: ClassVar[str] = "Robnik-Šikonja and Kononenko (2003)"

    neighbours: int = whole(10, low=1)
    samples: int | None = whole(None, low=1, optional=True)
    threshold: float = number(0.0)
    sigma: float | None = number(None, low=0.0, optional=True)

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Weigh every feature once."""
        self.check_parameters()
        ranks = np.arange(1.0, self.neighbours + 1)
        influence = np.ones(self.neighbours)
        if self.sigma is not None:
            influence = np.exp(-((ranks / max(self.sigma, 1e-3)) ** 2))
        target = self._target(table)
        spread = float(np.ptp(target))
        rows = drawn_rows(table.n_rows, self.samples, rng)
        weights = regression_relief(
            scaled_columns(table), table.cardinalities,
            (target - target.min()) / (spread if spread > 0 else 1.0), rows, influence,
        )  # fmt: skip
        return SumScore(weights - self.threshold)


@dataclass
class DistanceCorrelation(_NumericTarget):
    """Sum over the subset of each feature's distance correlation with the target.

    Parameters
    ----------
    threshold : float
        What the correlation must exceed for a feature to be worth its place.
    samples : int or None
        How many rows, drawn at random, are looked at; None for every row. Distances of all
        pairs of them are held.

    Notes
    -----
    √(dCov²(x, y) / √(dVar²(x)·dVar²(y))) from doubly centred distances; 0 only where both are
    independent, also for relations that are not linear (Székely, Rizzo and Bakirov, 2007,
    definitions 3 to 5). Nominal features have the distances 0 and 1; rows in which a feature is
    unknown are left out for it.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("diabetes")
    >>> selector = fewest.SubsetSelector(
    ...     measure="distance-correlation", search="sfs", max_features=2
    ... )
    >>> selector.fit(data.X, data.y).result_.features
    ['bmi', 's5']
    """

    name: ClassVar[str] = "distance-correlation"
    source: ClassVar[str] = "Székely, Rizzo and Bakirov (2007)"

    threshold: float = number(0.0, low=0.0, high=1.0)
    samples: int | None = whole(1000, low=2, optional=True)

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Correlate the distances of every feature once."""
        self.check_parameters()
        rows = drawn_rows(table.n_rows, self.samples, rng)
        target, values = self._target(table)[rows], table.block(rows)
        worth = np.zeros(table.n_features)
        for j in range(table.n_features):
            known = ~np.isnan(values[:, j])
            if known.sum() > 1:
                x = values[known, j]
                worth[j] = distance_correlation(x, target[known], bool(table.nominal[j]))
        return SumScore(worth - self.threshold)


def distance_correlation(x: Floats, y: Floats, nominal: bool = False) -> float:
    """The distance correlation of two samples.

    Examples
    --------
    >>> x = np.linspace(-1, 1, 51)
    >>> round(distance_correlation(x, 2 * x), 6), round(distance_correlation(x, x**2), 2)
    (1.0, 0.49)
    """
    apart = np.abs(x[:, None] - x)
    a, b = (
        _centred((apart > 0).astype(np.float64) if nominal else apart),
        _centred(np.abs(y[:, None] - y)),
    )
    own = float(np.sqrt(np.mean(a * a) * np.mean(b * b)))
    return float(np.sqrt(max(float(np.mean(a * b)), 0.0) / own)) if own > 1e-24 else 0.0


def _centred(distances: Floats) -> Floats:
    rows = distances.mean(axis=1)
    return np.asarray(distances - rows - rows[:, None] + rows.mean())


def drawn_rows(n: int, samples: int | None, rng: np.random.Generator | None) -> NDArray[np.intp]:
    """All rows, or some of them drawn at random."""
    if samples is None or samples >= n:
        return np.arange(n)
    rng = np.random.default_rng(0) if rng is None else rng
    return np.sort(rng.choice(n, samples, replace=False))
