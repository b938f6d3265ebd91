"""Filters for numeric targets: correlations of features with the target and with each other."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from ..._parameters import number
from ...data._table import Table
from .._filters.correlation import CFSScore
from .._filters.rankings import PairValues, RelevanceRedundancy, SumScore
from .._measure import Scorer
from .squares import CrossProducts, NumericTarget

Floats = NDArray[np.float64]


class CorrelationMeasure(NumericTarget):
    """Base of the filters that use correlations with a numeric target."""

    @abstractmethod
    def _scorer(self, squares: CrossProducts) -> Scorer: ...

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Correlate all columns once."""
        self.check_parameters()
        return self._scorer(CrossProducts.of(table, self.name))


@dataclass
class Pearson(CorrelationMeasure):
    """Sum over the subset of each feature's correlation with the target, less a threshold.

    Parameters
    ----------
    threshold : float
        What the absolute correlation must exceed for a feature to be worth its place.

    Notes
    -----
    |r| of Pearson; 0 for a constant feature. Features are scored one at a time: copies count twice.

    Examples
    --------
    >>> import fewest
    >>> from fewest.measures import Pearson
    >>> data = fewest.load("diabetes")
    >>> selector = fewest.SubsetSelector(measure=Pearson(threshold=0.4), search="exhaustive")
    >>> selector.fit(data.X, data.y).result_.features
    ['bmi', 'bp', 's4', 's5']
    """

    name: ClassVar[str] = "pearson"
    source: ClassVar[str] = "product-moment correlation"

    threshold: float = number(0.0, low=0.0, high=1.0)

    def _scorer(self, squares: CrossProducts) -> Scorer:
        return SumScore(np.abs(squares.right) - self.threshold)


@dataclass
class FTest(CorrelationMeasure):
    """Sum over the subset of each feature's F statistic, less the critical value of a level.

    Parameters
    ----------
    level : float
        A feature is worth its place where the p value of its F test is below this.

    Notes
    -----
    F = (n - 2)·r² / (1 - r²), as ``f_regression`` of scikit-learn. One feature at a time.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("diabetes")
    >>> selector = fewest.SubsetSelector(measure="f-test", search="exhaustive")
    >>> selector.fit(data.X, data.y).result_.features
    ['age', 'bmi', 'bp', 's1', 's2', 's3', 's4', 's5', 's6']
    """

    name: ClassVar[str] = "f-test"
    source: ClassVar[str] = "Fisher (1925)"

    level: float = number(0.05, low=0.0, high=1.0)

    def _scorer(self, squares: CrossProducts) -> Scorer:
        critical = float(stats.f.isf(self.level, 1, squares.n_rows - 2))
        return SumScore(f_statistics(squares) - min(critical, 1e300))


@dataclass
class CorrelationCFS(CorrelationMeasure):
    """Merit of a subset for a numeric target: correlated with it, not inside.

    Notes
    -----
    merit = k·r_cf / √(k + k(k - 1)·r_ff), where r_cf and r_ff are the mean absolute correlations
    of the k features with the target and with each other (Hall, 2000, section 3: CFS for
    continuous classes). See :class:`~fewest.measures._filters.correlation.CFS` for classes.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("diabetes")
    >>> selector = fewest.SubsetSelector(measure="cfs-regression", search="exhaustive")
    >>> selector.fit(data.X, data.y).result_.features
    ['bmi', 'bp', 's3', 's5']
    """

    name: ClassVar[str] = "cfs-regression"
    source: ClassVar[str] = "Hall (2000)"

    def _scorer(self, squares: CrossProducts) -> Scorer:
        return CFSScore(np.abs(squares.right), _between(squares))


@dataclass
class CorrelationMRMR(CorrelationMeasure):
    """Maximum relevance by the F statistic, minimum redundancy by correlation.

    Notes
    -----
    For k features, Σ F_i - Σ_{i<j} |r_ij| / (k - 1). Among all ways to add a feature f to a
    subset S this is largest where F_f - Σ_{s∈S} |r_fs| / |S| is: the order of Ding and Peng (2005),
    the difference form FCD. Set ``max_features``: F is rarely small enough to leave one out.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("diabetes")
    >>> selector = fewest.SubsetSelector(measure="mrmr-f", search="sfs", max_features=3)
    >>> selector.fit(data.X, data.y).result_.features
    ['bmi', 'bp', 's5']
    """

    name: ClassVar[str] = "mrmr-f"
    source: ClassVar[str] = "Ding and Peng (2005)"

    def _scorer(self, squares: CrossProducts) -> Scorer:
        return RelevanceRedundancy(f_statistics(squares), _between(squares))


def f_statistics(squares: CrossProducts) -> Floats:
    """Return the F statistics of the features alone; a perfect correlation has a very large one."""
    explained = squares.right**2
    left = np.maximum(1.0 - explained, 1e-15)
    return np.asarray((squares.n_rows - 2) * explained / left)


@dataclass(frozen=True, eq=False)
class _CorrelationsBetween:
    """Absolute correlations between features, none of a feature with itself."""

    gram: Floats

    def column(self, j: int) -> Floats:
        """Return the correlations of one feature."""
        return np.asarray(np.abs(self.gram[j]))

    def all(self) -> Floats:
        """Return all correlations."""
        return np.asarray(np.abs(self.gram))


def _between(squares: CrossProducts) -> PairValues:
    between = _CorrelationsBetween(squares.gram)
    return PairValues(squares.n_features, between.column, between.all)
