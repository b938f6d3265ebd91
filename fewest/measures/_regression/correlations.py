"""Filters for numeric targets by correlations, and the cross products that least squares needs."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from ..._errors import InputError
from ..._kernels.linear.residuals import residual_squares
from ..._parameters import number
from ...data._table import Table
from .._filters.correlation import CFSScore
from .._filters.rankings import PairValues, RelevanceRedundancy, SumScore
from .._measure import Measure, Scorer

Floats = NDArray[np.float64]

#: A matrix of all pairs of more columns than this takes more than a gigabyte.
MOST_COLUMNS = 10_000


class NumericTarget(Measure):
    """Base of the measures for a numeric target."""

    needs_classes: ClassVar[bool] = False

    @property
    def task(self) -> str | None:
        """Required kind of target: a number."""
        return "regression"


@dataclass(frozen=True, eq=False)
class CrossProducts:
    """Cross products of columns about their means, each of length 1, and with the target.

    gram (features, features): the correlations; a constant column has zeros.
    right (features,): the correlations with the target.
    total: sum of squares of the target about its mean, in its own units.
    """

    gram: Floats
    right: Floats
    total: float
    n_rows: int

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return len(self.right)

    @staticmethod
    def of(table: Table, reader: str) -> CrossProducts:
        """Compute the cross products of a table; ``reader`` names the measure in errors."""
        X, y = numbers_of(table, reader), target_of(table, reader)
        X = X - X.mean(axis=0)
        length = np.sqrt(np.einsum("ij,ij->j", X, X))
        # A column whose spread is rounding alone is constant.
        still = length <= 1e-12 * np.abs(table.doubles).max(axis=0) * np.sqrt(len(y))
        X = np.where(still, 0.0, X / np.where(still, 1.0, length))
        y = y - y.mean()
        total = float(y @ y)
        return CrossProducts(X.T @ X, X.T @ (y / np.sqrt(total)), total, len(y))

    def unexplained(self, subsets: NDArray[np.bool_]) -> Floats:
        """Return residual sums of squares over ``total``, one per subset: 1 - R²."""
        candidates = np.ascontiguousarray(subsets, dtype=bool)
        return np.asarray(residual_squares(self.gram, self.right, 1.0, candidates))


def target_of(table: Table, reader: str) -> Floats:
    """Return the target as numbers that are not all the same."""
    if table.classes is not None:
        raise InputError(
            f"the measure `{reader}` needs a target that is a number, but it is a class; use a "
            'measure for classes such as "naive-bayes".'
        )
    target = table.target.astype(np.float64)
    if len(target) < 3 or target.max() == target.min():
        raise InputError(
            f"the measure `{reader}` needs at least 3 rows and a target that is not constant."
        )
    return target


def numbers_of(table: Table, reader: str) -> Floats:
    """Return the features as numbers; labels that are numbers count as such."""
    if table.n_features > MOST_COLUMNS:
        raise InputError(
            f"the measure `{reader}` takes at most {MOST_COLUMNS:,} features, but there are "
            f"{table.n_features:,}; choose some by a filter such as `pearson` first."
        )
    unknown = [table.names[j] for j in np.flatnonzero(table.incomplete)]
    if unknown:
        raise InputError(
            f"the measure `{reader}` needs known values, but {_some(unknown)} has unknown ones; "
            "impute them, or leave such columns out with `exclude` and remove them."
        )
    values = np.array(table.values, dtype=np.float64)
    for j in np.flatnonzero(table.nominal):
        levels = np.array(table.levels[j])
        if levels.dtype.kind not in "biuf":
            raise InputError(
                f"the measure `{reader}` needs numbers, but {table.names[j]!r} has labels; encode "
                "it (OneHotEncoder) and name its columns in `groups`."
            )
        values[:, j] = levels[values[:, j].astype(np.intp)]
    return values


def _some(names: list[str]) -> str:
    return repr(names[0]) + (f" (and {len(names) - 1} more)" if len(names) > 1 else "")


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
