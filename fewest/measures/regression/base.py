"""What the criteria of least squares share: one matrix of cross products scores all subsets."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...data.table import Table
from ..base import Candidates, Measure, Scorer, Scores
from ..proofs import Allowed, Proof
from .squares import Squares

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Criterion:
    """A value that falls with ``factor[size] * unexplained + term[size]``.

    Parameters
    ----------
    factor, term : float64 arrays of shape (features + 1,)
    offset, slope : float
        The value is ``offset - slope * c``, or with ``logarithm`` of c.
    """

    factor: Floats
    term: Floats
    offset: float
    slope: float = 1.0
    logarithm: bool = False

    def value(self, c: Floats) -> Floats:
        """The values behind c."""
        return np.asarray(self.offset - self.slope * (np.log(c) if self.logarithm else c))

    def of(self, unexplained: Floats, size: NDArray[np.int64]) -> Floats:
        """The values of subsets of these sizes."""
        return self.value(self.factor[size] * unexplained + self.term[size])


@dataclass(frozen=True, eq=False)
class LeastSquaresScore(Scorer):
    """The criterion of every subset, from cross products."""

    squares: Squares
    criterion: Criterion

    proves_best = True

    def score(self, candidates: Candidates) -> Scores:
        """Score every subset."""
        subsets = np.ascontiguousarray(candidates, dtype=bool)
        sizes = np.count_nonzero(subsets, axis=1)
        return Scores(self.criterion.of(self.squares.unexplained(subsets), sizes))

    def best_subsets(self, allowed: Allowed) -> Proof:
        """Leaps and bounds."""
        from .best_subsets import BestSubsets

        return BestSubsets(self.squares, self.criterion, allowed)


class LeastSquares(Measure):
    """Base of the criteria."""

    needs_classes: ClassVar[bool] = False
    proves_best: ClassVar[bool] = True

    @property
    def task(self) -> str | None:
        """The target must be a number."""
        return "regression"

    @abstractmethod
    def _criterion(self, squares: Squares) -> Criterion: ...

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Multiply all pairs of columns once."""
        self.check_parameters()
        squares = Squares.of(table, self.name)
        return LeastSquaresScore(squares, self._criterion(squares))


def by_likelihood(squares: Squares, price: float) -> Criterion:
    """n·(log(2π·RSS/n) + 1) + price·(k + 2), with a minus sign: AIC and BIC.

    A subset that leaves no row for the variance has the value -inf.
    """
    n, size = squares.n_rows, np.arange(squares.n_features + 1)
    factor = np.exp(np.minimum(price * size / n, 700.0))
    factor[size >= n - 1] = np.inf
    offset = -(n * (np.log(2 * np.pi * squares.total / n) + 1) + 2 * price)
    return Criterion(factor, np.zeros(len(size)), offset, float(n), logarithm=True)
