"""Accuracy of nearest neighbours under weights of the features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._errors import InputError
from ..._parameters import declared, is_whole, one_of
from ...classifiers._nearest_neighbor import (
    class_rank,
    edited_rows,
    neighbour_votes,
    range_scale,
    scales_without_own,
)
from ...data._table import Table
from .._measure import Candidates, Measure, Scorer, Scores, short_batch
from .splits import Splits, given_splits, mean_over_repetitions, repeated_splits

Floats = NDArray[np.float64]
#: Scales of the features (1 or rows, features), ranks of the classes (1 or rows, classes).
Learned = tuple[Floats, NDArray[np.int64]]

#: Entries of the largest array that one call makes.
MOST = 4_000_000
#: Up to so many rows ``cv="auto"`` leaves one row out at a time.
LARGE = 1000


def _are_numbers(k: object) -> bool:
    """Return whether it is a number of neighbours, or a tuple of several."""
    several = k if isinstance(k, tuple) else (k,)
    return len(several) > 0 and all(is_whole(v) and v >= 1 for v in several)


@dataclass
class WeightedNeighbors(Measure):
    """Accuracy of k-nearest-neighbours on rows that were left out, for weights of the features.

    Parameters
    ----------
    k : int or tuple of int
        How many neighbours vote; of several numbers each candidate gets the one that suits it
        best, which the goal ``k`` of its scores reports.
    prototypes : "all" or "edited"
        The training rows that vote under the weights of a candidate: all, or those whose k
        nearest other rows vote for their class (Wilson, 1972).
    cv : "auto", "leave-one-out", "repeated", int, scikit-learn splitter or iterable
        How the value is estimated. "repeated" uses ten folds, repeated until the standard error
        is at most 0.01 (at most five times); "auto" leaves one row out at a time up to 1000
        rows, and is "repeated" beyond.

    Notes
    -----
    Inza (2002, chapter 7): the distance is that of
    :class:`~fewest.classifiers._nearest_neighbor.NearestNeighbor`, and so are the
    numbers. Weights of 0 and 1 are subsets. With leave-one-out the value is the leave-one-out
    accuracy, where rows are edited once, with all rows in; ``folds`` are the accuracies of a
    stratified ten-fold cross-validation, which paired tests need.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from fewest.data._as_table import as_table
    >>> scorer = WeightedNeighbors().bind(as_table(*load_iris(return_X_y=True)))
    >>> scorer.score(np.array([[0.0, 0.0, 1.0, 0.5], [1.0, 1.0, 0.0, 0.0]])).value.round(3)
    array([0.953, 0.667])
    """

    name: ClassVar[str] = "weighted-neighbors"
    source: ClassVar[str] = "Inza (2002, thesis), chapter 7"
    reads: ClassVar[frozenset[str]] = frozenset({"groups"})

    k: int | tuple[int, ...] = declared(
        1, "a whole number of at least 1, or a tuple of such numbers", _are_numbers
    )
    cv: Any = "auto"
    prototypes: str = one_of("all", "edited")

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Make the folds."""
        self.check_parameters()
        rng = np.random.default_rng(0) if rng is None else rng
        if self._leaves_one_out(table):
            self._refuse_large_k(table.n_rows - 1)
            first = (repeated_splits(table, rng)[0],)
            return NeighborScorer(self.k, table, first, True, self.prototypes)
        parts = (
            repeated_splits(table, rng)
            if isinstance(self.cv, str)
            else (given_splits(table, self.cv, rng, True),)
        )
        self._refuse_large_k(min(len(train) for splits in parts for train, _ in splits))
        return NeighborScorer(self.k, table, parts, prototypes=self.prototypes)

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
        if np.max(self.k) > n_rows:
            raise InputError(
                f"`k` must be at most {n_rows} (the training rows of the smallest fold), but is "
                f"{self.k}; use a smaller k."
            )


class NeighborScorer(Scorer):
    """Scores a batch of weight vectors (or of subsets) at once.

    Parameters
    ----------
    k : int or tuple of int
    table : Table
    parts : sequence of Splits
        The folds of each repetition.
    alone : bool, default=False
        Whether the value is the accuracy on rows that are left out one at a time.
    prototypes : "all" or "edited"
    """

    def __init__(
        self,
        k: int | tuple[int, ...],
        table: Table,
        parts: Sequence[Splits],
        alone: bool = False,
        prototypes: str = "all",
    ) -> None:
        self.batch = short_batch(512, float(table.n_rows) ** 2 * (table.n_features + 8))
        self.numbers = k if isinstance(k, tuple) else (k,)
        self.table, self.parts, self.alone, self.prototypes = table, parts, alone, prototypes
        self.target = table.target.astype(np.int64)
        self.scales = [[self._learned(train) for train, _ in splits] for splits in parts]
        self.left_out = self._left_out() if alone else None

    def score(self, candidates: Candidates) -> Scores:
        """Values and folds of every row of weights."""
        weights = np.ascontiguousarray(candidates, dtype=np.float64)
        each = [self._scores(weights, k) for k in self.numbers]
        if len(each) == 1:
            return Scores(*each[0])
        values, folds = (np.stack(part) for part in zip(*each, strict=True))
        best, rows = values.argmax(axis=0), np.arange(len(weights))
        k = np.array(self.numbers, dtype=np.float64)[best]
        return Scores(values[best, rows], folds[best, rows], {"k": k})

    def _scores(self, weights: Floats, k: int) -> tuple[Floats, Floats]:
        """Return values and folds with k neighbours."""
        first = self._folds(0, weights, k)
        if self.left_out is not None:
            everyone = np.arange(self.table.n_rows)
            right = self._right(everyone, everyone, weights, k, self.left_out, everyone)
            return right, first
        value = mean_over_repetitions(
            first, len(self.parts), lambda again, rows: self._folds(again, weights[rows], k)
        )
        return value, first

    def _folds(self, repetition: int, weights: Floats, k: int) -> Floats:
        splits, scales = self.parts[repetition], self.scales[repetition]
        rights = [
            self._right(train, test, weights, k, learned)
            for (train, test), learned in zip(splits, scales, strict=True)
        ]
        return np.stack(rights, axis=1)

    def _learned(self, train: NDArray[np.intp]) -> Learned:
        """Return the scales of the features and the ranks of the classes."""
        counts = np.bincount(self.target[train], minlength=self.table.n_classes)
        scale = range_scale(self.table.block(train), self.table.nominal)[0]
        return scale[None], class_rank(counts)[None]

    def _left_out(self) -> Learned:
        """Return the same for every row when it is left out."""
        counts = np.bincount(self.target, minlength=self.table.n_classes)
        less = np.eye(len(counts), dtype=np.int64)
        ranks = np.array([class_rank(counts - own) for own in less])
        return scales_without_own(self.table.doubles, self.table.nominal), ranks[self.target]

    def _right(
        self,
        train: NDArray[np.intp],
        test: NDArray[np.intp],
        weights: Floats,
        k: int,
        learned: Learned,
        own: NDArray[np.intp] | None = None,
    ) -> Floats:
        """Return the share of the test rows that is right under each row of weights."""
        table, (scale, rank) = self.table, learned
        whole = learned if own is None else self._learned(train)
        edited = self.prototypes == "edited"
        right = np.empty(len(weights))
        # Each row of weights has prototypes of its own.
        step = 1 if edited else max(1, MOST // (rank.shape[1] * max(1, len(test))))
        voters, place = train, own
        for low in range(0, len(weights), step):
            part = slice(low, low + step)
            if edited:
                voters = self._edited(train, weights[low], k, whole)
                place = None if own is None else _places(voters, test)
            votes = neighbour_votes(
                table.doubles, voters, test, scale, table.nominal, weights[part], k,
                self.target[voters], rank, place,
            )  # fmt: skip
            right[part] = votes[:, self.target[test], np.arange(len(test))].mean(axis=1)
        return right

    def _edited(
        self, train: NDArray[np.intp], weights: Floats, k: int, learned: Learned
    ) -> NDArray[np.intp]:
        """Return the training rows that vote under these weights."""
        table, (scale, rank) = self.table, learned
        return edited_rows(
            table.doubles, train, scale[0], table.nominal, weights, k, self.target[train], rank[0]
        )


def _places(voters: NDArray[np.intp], test: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return where each test row is among the voters; -1 where it is none of them."""
    found = np.searchsorted(voters, test).clip(max=len(voters) - 1)
    return np.where(voters[found] == test, found, -1)
