"""Accuracy of nearest neighbours under weights of the features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...classifiers.neighbours.blocks import Blocks
from ...classifiers.neighbours.nearest_neighbor import KeptRows
from ...data.table import Table
from ...errors import InputError
from ...parameters import whole
from ..base import Candidates, Measure, Scorer, Scores
from .neighbour_folds import TestedRows, fold_accuracies, left_out_alone, rows_under_test, slices
from .repetitions import mean_over_repetitions
from .splits import Splits, given_splits, repeated_splits

#: Up to so many rows ``cv="auto"`` leaves one row out at a time.
LARGE = 1000


@dataclass
class WeightedNeighbors(Measure):
    """Accuracy of k-nearest-neighbours on rows that were left out, for weights of the features.

    Parameters
    ----------
    k : int
        How many neighbours vote.
    cv : "auto", "leave-one-out", "repeated", int, scikit-learn splitter or iterable
        How the value is estimated. "repeated" uses ten folds, repeated until the standard error
        is at most 0.01 (at most five times); "auto" leaves one row out at a time up to 1000
        rows, and is "repeated" beyond.

    Notes
    -----
    Inza (2002, chapter 7): the distance is that of
    :class:`~fewest.classifiers.neighbours.nearest_neighbor.NearestNeighbor`, and so are the
    numbers. Weights of 0 and 1 are subsets. With leave-one-out the value is the leave-one-out
    accuracy, and ``folds`` are the accuracies of a stratified ten-fold cross-validation, which
    paired tests need.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from fewest.data.build import as_table
    >>> scorer = WeightedNeighbors().bind(as_table(*load_iris(return_X_y=True)))
    >>> scorer.score(np.array([[0.0, 0.0, 1.0, 0.5], [1.0, 1.0, 0.0, 0.0]])).value.round(3)
    array([0.953, 0.667])
    """

    name: ClassVar[str] = "weighted-neighbors"
    source: ClassVar[str] = "Inza (2002, thesis), chapter 7"
    reads: ClassVar[frozenset[str]] = frozenset({"groups"})

    k: int = whole(1, low=1)
    cv: Any = "auto"

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Lay the rows out and make the folds."""
        self.check_parameters()
        rng = np.random.default_rng(0) if rng is None else rng
        laid = Blocks.of(table.doubles, table.nominal)
        if self._leaves_one_out(table):
            splits = repeated_splits(table, rng)[0]
            self._refuse_large_k(table.n_rows - 1)
            return NeighborScorer(self.k, table, laid, (splits,), left_out_alone(table, laid))
        parts = (
            repeated_splits(table, rng)
            if isinstance(self.cv, str)
            else (given_splits(table, self.cv, rng, True),)
        )
        self._refuse_large_k(min(len(train) for splits in parts for train, _ in splits))
        return NeighborScorer(self.k, table, laid, parts, None)

    def _leaves_one_out(self, table: Table) -> bool:
        if not isinstance(self.cv, str):
            return False
        if self.cv not in ("auto", "leave-one-out", "repeated"):
            raise InputError(
                '`cv` of WeightedNeighbors must be "auto", "leave-one-out", "repeated", a number '
                f"of folds from 2 on, a scikit-learn splitter or an iterable, but is {self.cv!r}."
            )
        small = table.n_rows <= LARGE
        return self.cv == "leave-one-out" or (self.cv == "auto" and small)

    def _refuse_large_k(self, n_rows: int) -> None:
        if self.k > n_rows:
            raise InputError(
                f"`k` must be at most {n_rows} (the training rows of the smallest fold), but is "
                f"{self.k}; use a smaller k."
            )


class NeighborScorer(Scorer):
    """Scores a batch of weight vectors (or of subsets) at once."""

    batch = 512

    def __init__(
        self,
        k: int,
        table: Table,
        laid: Blocks,
        parts: Sequence[Splits],
        alone: TestedRows | None,
    ) -> None:
        self.k = k
        self.laid = laid
        self.target = table.target.astype(np.int64)
        self.alone = alone
        self.sizes = [len(splits) for splits in parts]
        self.parts = [rows_under_test(table, laid, splits, scaled=True) for splits in parts]

    def score(self, candidates: Candidates) -> Scores:
        """Values and folds of every row of weights."""
        weights = np.ascontiguousarray(candidates, dtype=np.float64)
        if self.alone is None:
            first = self._folds(0, weights)
            value = mean_over_repetitions(
                first, len(self.parts), lambda again, rows: self._folds(again, weights[rows])
            )
            return Scores(value, first)
        right = self._right(self.alone, weights)
        return Scores(right.mean(axis=1), self._folds(0, weights))

    def _folds(self, repetition: int, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        folds = np.zeros((len(weights), self.sizes[repetition]))
        for tested in self.parts[repetition]:
            numbers, fold = np.unique(tested.fold, return_inverse=True)
            right = self._right(tested, weights)
            folds[:, numbers] = fold_accuracies(right, fold, len(numbers))
        return folds

    def _right(self, tested: TestedRows, weights: NDArray[np.float64]) -> NDArray[np.bool_]:
        truth = self.target[tested.rows]
        parts = [
            tested.neighbours(self.laid, self.target, weights[part], self.k).predicted == truth
            for part in slices(len(weights), len(truth))
        ]
        return np.concatenate(parts)


def nearest_neighbor_twin(estimator: KeptRows, table: Table, splits: Splits) -> Scorer | None:
    """The fold accuracies of NearestNeighbor or IB1, or None where it must be asked itself."""
    objects = isinstance(table.X, np.ndarray) and table.X.dtype.kind == "O"
    smallest = min(len(train) for train, _ in splits)
    if estimator.weights is not None or objects or not isinstance(estimator.k, int):
        return None
    if not 1 <= estimator.k <= smallest:
        return None
    laid = Blocks.of(table.doubles, table.nominal)
    return NeighborScorer(estimator.k, table, laid, (splits,), None)
