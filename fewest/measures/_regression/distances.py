"""Filters for numeric targets from distances between rows and by mutual information."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma

from ..._errors import InputError
from ..._kernels.neighbours.near_rows import mutual_information, regression_relief
from ..._parameters import number, whole
from ...data._table import Table
from .._filters.rankings import PairValues, RelevanceRedundancy, SumScore
from .._filters.relief import drawn_rows, scaled_columns
from .._measure import Scorer
from .correlations import NumericTarget, numbers_of, target_of

Floats = NDArray[np.float64]


class _DistanceMeasure(NumericTarget):
    def _target(self, table: Table) -> Floats:
        if table.classes is not None:
            raise InputError(
                f"the measure `{self.name}` needs a target that is a number, but it is a class; "
                'use "relieff".'
            )
        return table.target.astype(np.float64)


@dataclass
class RReliefF(_DistanceMeasure):
    """Sum over the subset of each feature's RReliefF weight, less a threshold.

    Parameters
    ----------
    neighbours : int
        Number of neighbours of each row.
    sigma : float or None
        None gives all neighbours the same weight. With a number the weight falls with the rank:
        exp(-(rank / sigma)²); the source takes 70 neighbours and 20.
    samples : int or None
        Number of rows, drawn at random, that are compared with all others; None for every row.
    threshold : float
        What a feature must weigh to be worth its place.

    Notes
    -----
    W_i = P(other value | other target) - P(other value | same target) among near neighbours,
    from mean differences (Robnik-Šikonja and Kononenko, 2003, section 2.3). Differences are those
    of :class:`~fewest.measures._filters.relief.ReliefF`; those of the target are over its range.

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
class DistanceCorrelation(_DistanceMeasure):
    """Sum over the subset of each feature's distance correlation with the target.

    Parameters
    ----------
    threshold : float
        What the correlation must exceed for a feature to be worth its place.
    samples : int or None
        Number of rows drawn at random; None for every row. Distances of all
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
    """Return the distance correlation of two samples."""
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


@dataclass
class InformationMRMR(NumericTarget):
    """Maximum relevance and minimum redundancy by mutual information, for a numeric target.

    Parameters
    ----------
    neighbours : int
        Neighbours of each row in the estimator; more of them mean less variance and more bias.
    samples : int or None
        Number of rows drawn at random; None for every row.

    Notes
    -----
    For k features, Σ I(A_i; Y) - Σ_{i<j} I(A_i; A_j) / (k - 1), the difference form of Peng, Long
    and Ding (2005) as in :class:`~fewest.measures._filters.rankings.MRMR`. Mutual information is
    estimated from nearest neighbours (Kraskov, Stögbauer and Grassberger, 2004), in nats, on
    columns of standard deviation 1, as ``mutual_info_regression`` of scikit-learn does. As there,
    noise of 1e-10 separates equal values, which the estimator would misjudge; it is fixed.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("diabetes")
    >>> selector = fewest.SubsetSelector(measure="mrmr-information", search="sfs", max_features=2)
    >>> selector.fit(data.X, data.y).result_.features
    ['sex', 'bmi']
    """

    name: ClassVar[str] = "mrmr-information"
    source: ClassVar[str] = "Peng, Long and Ding (2005)"

    neighbours: int = whole(3, low=1)
    samples: int | None = whole(2000, low=10, optional=True)

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Estimate the relevance; pairs of features are computed when a search needs them."""
        self.check_parameters()
        X, y = numbers_of(table, self.name), target_of(table, self.name)
        rows = drawn_rows(len(y), self.samples, rng)
        both = _standardised(np.column_stack([X[rows], y[rows]]))
        k = min(self.neighbours, len(rows) - 1)
        relevance = _with_others(both, k, len(both) - 1)[:-1]
        features = np.ascontiguousarray(both[:-1])
        redundancy = PairValues(
            len(features), partial(_with_others, features, k), partial(_everything, features, k)
        )
        return RelevanceRedundancy(relevance, redundancy)


def _standardised(values: Floats) -> Floats:
    """Return one row per column, of standard deviation 1; constant columns are zero."""
    spread = values.std(axis=0)
    still = spread <= 1e-12 * np.abs(values).max(axis=0)
    scaled = (values - values.mean(axis=0)) / np.where(still, 1.0, spread)
    noise = 1e-10 * np.random.default_rng(0).normal(size=values.shape)
    return np.ascontiguousarray(np.where(still, 0.0, scaled + noise).T)


def _with_others(columns: Floats, k: int, j: int) -> Floats:
    """Return the mutual information of one column with every other, none with itself."""
    steps = np.zeros(columns.shape[1] + 1)
    steps[1:] = digamma(np.arange(1, len(steps)))
    alive: NDArray[np.bool_] = np.asarray(columns.any(axis=1))
    return np.array(
        [
            mutual_information(columns[j], other, k, steps)
            if i != j and alive[i] and alive[j]
            else 0.0
            for i, other in enumerate(columns)
        ]
    )


def _everything(columns: Floats, k: int) -> Floats:
    """Return the mutual information of all pairs, each computed once."""
    d = len(columns)
    found = np.zeros((d, d))
    for j in range(1, d):
        found[j, :j] = _with_others(columns[: j + 1], k, j)[:j]
    return found + found.T
