"""Criteria of least squares: functions of the residual sum of squares and the size."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._errors import InputError
from ..._kernels.linear.residuals import rank
from ...data._table import Table
from .._abilities import Allowed, Proof
from .._measure import Candidates, Scorer, Scores
from .correlations import CrossProducts, NumericTarget

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Criterion:
    """Value that falls with ``factor[size] * unexplained + term[size]``.

    factor, term (features + 1,)
    offset, slope: the value is ``offset - slope * c``, or with ``logarithm`` of c.
    """

    factor: Floats
    term: Floats
    offset: float
    slope: float = 1.0
    logarithm: bool = False

    def value(self, c: Floats) -> Floats:
        """Return the values that belong to c."""
        return np.asarray(self.offset - self.slope * (np.log(c) if self.logarithm else c))

    def of(self, unexplained: Floats, size: NDArray[np.int64]) -> Floats:
        """Return the values of subsets of these sizes."""
        return self.value(self.factor[size] * unexplained + self.term[size])


@dataclass(frozen=True, eq=False)
class LeastSquaresScore(Scorer):
    """Criterion of every subset, from cross products."""

    squares: CrossProducts
    criterion: Criterion

    proves_best = True

    def score(self, candidates: Candidates) -> Scores:
        """Score every subset."""
        subsets = np.ascontiguousarray(candidates, dtype=bool)
        sizes = np.count_nonzero(subsets, axis=1)
        return Scores(self.criterion.of(self.squares.unexplained(subsets), sizes))

    def best_subsets(self, allowed: Allowed) -> Proof:
        """Search by leaps and bounds."""
        from .best_subsets import BestSubsets

        return BestSubsets(self.squares, self.criterion, allowed)


class LeastSquares(NumericTarget):
    """Base of the criteria."""

    proves_best: ClassVar[bool] = True

    @abstractmethod
    def _criterion(self, squares: CrossProducts) -> Criterion: ...

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Multiply all pairs of columns once."""
        self.check_parameters()
        squares = CrossProducts.of(table, self.name)
        return LeastSquaresScore(squares, self._criterion(squares))


def by_likelihood(squares: CrossProducts, price: float) -> Criterion:
    """Return AIC or BIC: -(n·(log(2π·RSS/n) + 1) + price·(k + 2)).

    A subset that leaves no row for the variance has the value -inf.
    """
    n, size = squares.n_rows, np.arange(squares.n_features + 1)
    factor = np.exp(np.minimum(price * size / n, 700.0))
    factor[size >= n - 1] = np.inf
    offset = -(n * (np.log(2 * np.pi * squares.total / n) + 1) + 2 * price)
    return Criterion(factor, np.zeros(len(size)), offset, float(n), logarithm=True)


@dataclass
class RSS(LeastSquares):
    """Residual sum of squares of least squares, with a minus sign.

    Notes
    -----
    More features never make it worse. Use it with ``max_features``, or with
    ``Exact(each_size=True)`` for the best subset of each size.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("diabetes")
    >>> selector = fewest.SubsetSelector(measure="rss", search="exact", max_features=3)
    >>> selector.fit(data.X, data.y).result_.features
    ['bmi', 'bp', 's5']
    """

    name: ClassVar[str] = "rss"
    source: ClassVar[str] = "Furnival and Wilson (1974)"

    def _criterion(self, squares: CrossProducts) -> Criterion:
        size = squares.n_features + 1
        return Criterion(np.ones(size), np.zeros(size), 0.0, squares.total)


@dataclass
class AIC(LeastSquares):
    """Akaike's information criterion of least squares, with a minus sign.

    Notes
    -----
    AIC = n·(log(2π·RSS/n) + 1) + 2·(k + 2) for k features, the intercept and the variance of
    the errors, as ``AIC(lm(...))`` in R. A column that depends on the others counts as any other.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("diabetes")
    >>> selector = fewest.SubsetSelector(measure="aic", search="exact").fit(data.X, data.y)
    >>> selector.result_.features, selector.result_.optimal
    (['sex', 'bmi', 'bp', 's1', 's2', 's5'], True)
    """

    name: ClassVar[str] = "aic"
    source: ClassVar[str] = "Akaike (1974)"

    def _criterion(self, squares: CrossProducts) -> Criterion:
        return by_likelihood(squares, 2.0)


@dataclass
class BIC(LeastSquares):
    """Bayesian information criterion of least squares, with a minus sign.

    Notes
    -----
    BIC = n·(log(2π·RSS/n) + 1) + log(n)·(k + 2) for k features, the intercept and the variance
    of the errors, as ``BIC(lm(...))`` in R.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("diabetes")
    >>> selector = fewest.SubsetSelector(measure="bic", search="exact").fit(data.X, data.y)
    >>> selector.result_.features
    ['sex', 'bmi', 'bp', 's3', 's5']
    """

    name: ClassVar[str] = "bic"
    source: ClassVar[str] = "Schwarz (1978)"

    def _criterion(self, squares: CrossProducts) -> Criterion:
        return by_likelihood(squares, float(np.log(squares.n_rows)))


@dataclass
class AdjustedR2(LeastSquares):
    """R² of least squares, adjusted for the number of features.

    Notes
    -----
    1 - RSS/(n - k - 1) / (TSS/(n - 1)) for k features.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("diabetes")
    >>> selector = fewest.SubsetSelector(measure="adjusted-r2", search="exact")
    >>> round(selector.fit(data.X, data.y).score_, 3)
    0.509
    """

    name: ClassVar[str] = "adjusted-r2"
    source: ClassVar[str] = "Theil (1961)"

    def _criterion(self, squares: CrossProducts) -> Criterion:
        n, size = squares.n_rows, np.arange(squares.n_features + 1)
        left = n - size - 1.0
        factor = np.where(left > 0, (n - 1) / np.where(left > 0, left, 1.0), np.inf)
        return Criterion(factor, np.zeros(len(size)), 1.0)


@dataclass
class MallowsCp(LeastSquares):
    """Mallows' Cp of least squares, with a minus sign.

    Notes
    -----
    Cp = RSS/s² - n + 2·(k + 1) for k features, where s² is the variance of the errors with all
    features.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("diabetes")
    >>> selector = fewest.SubsetSelector(measure="mallows-cp", search="exact")
    >>> selector.fit(data.X, data.y).result_.features
    ['sex', 'bmi', 'bp', 's1', 's2', 's5']
    """

    name: ClassVar[str] = "mallows-cp"
    source: ClassVar[str] = "Mallows (1973)"

    def _criterion(self, squares: CrossProducts) -> Criterion:
        n, d = squares.n_rows, squares.n_features
        left = n - rank(squares.gram) - 1
        if left < 1:
            raise InputError(
                f"the measure `mallows-cp` needs more rows than features, but there are {n} rows "
                f'and {d} features; use measure="bic" with `max_features`.'
            )
        all_features = float(squares.unexplained(np.ones((1, d), dtype=bool))[0])
        term = np.asarray(2.0 * (np.arange(d + 1) + 1) - n, dtype=np.float64)
        return Criterion(np.full(d + 1, left / all_features), term, 0.0)
