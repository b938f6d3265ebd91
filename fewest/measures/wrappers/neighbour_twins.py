"""The fast twins of scikit-learn's KNeighborsClassifier and KNeighborsRegressor."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.neighbors import KDTree, KNeighborsClassifier, KNeighborsRegressor
from sklearn.utils._openmp_helpers import _openmp_effective_n_threads

from ...classifiers.neighbours.blocks import Blocks, Neighbours
from ...data.table import Table
from ...kernels.neighbours.kd_tree import neighbours_by_tree
from ..base import Candidates, Scorer, Scores
from .additive import plain_numbers
from .neighbour_folds import TestedRows, rows_under_test, slices
from .splits import Splits
from .wrapped import WrappedScorer

Floats = NDArray[np.float64]

#: Whether differences are squared, by the name of a metric and the p of Minkowski's.
METRICS = {"euclidean": True, "l2": True, "manhattan": False, "l1": False, "cityblock": False}
#: Beyond so many columns ``algorithm="auto"`` compares all rows, by products of matrices.
TREES = 15
#: Beyond so many rows scikit-learn's products of matrices, and its trees, are faster than the twin.
MANY_FOR_PRODUCTS, MANY_FOR_TREES = 8000, 40_000
#: Votes by distance that differ by less, relative to them, are decided by scikit-learn itself.
CLOSE = 1e-9


def classifier_twin(estimator: KNeighborsClassifier, table: Table, splits: Splits) -> Scorer | None:
    """KNeighborsClassifier's fold accuracies, or None where it must be asked itself."""
    return _twin(estimator, table, splits)


def regressor_twin(estimator: KNeighborsRegressor, table: Table, splits: Splits) -> Scorer | None:
    """KNeighborsRegressor's fold scores (R²), or None where it must be asked itself."""
    if any(np.ptp(table.target[test]) == 0 or len(test) < 2 for _, test in splits):
        return None
    return _twin(estimator, table, splits)


def _twin(estimator: Any, table: Table, splits: Splits) -> Scorer | None:
    X, squared = plain_numbers(table), _squared(estimator)
    k = estimator.n_neighbors
    usable = isinstance(k, int) and 1 <= k <= min(len(train) for train, _ in splits)
    sorted_rows = all((np.diff(train) > 0).all() for train, _ in splits)
    if X is None or squared is None or not usable or not sorted_rows:
        return None
    if table.n_rows > MANY_FOR_TREES:
        return None
    if estimator.weights not in ("uniform", "distance") or not np.isfinite(X).all():
        return None
    return KNeighborsScorer(estimator, replace(table, values=X), splits, squared)


def _squared(estimator: Any) -> bool | None:
    if estimator.metric_params is not None or not isinstance(estimator.metric, str):
        return None
    if estimator.metric == "minkowski":
        return {1: False, 2: True}.get(estimator.p)
    return METRICS.get(estimator.metric)


def parts_of_rows(tested: TestedRows) -> NDArray[np.int64]:
    """Where the parts of the rows begin that scikit-learn compares side by side, by group.

    Chunks of the training rows are shared out among threads, unless there are many queries.
    """
    config, threads = get_config(), _openmp_effective_n_threads()
    chunk = config.get("pairwise_dist_chunk_size", 256)
    by_rows = config.get("pairwise_dist_parallel_strategy", "auto") != "parallel_on_X"
    begin = np.zeros((tested.queries.own.max() + 1, threads + 1), dtype=np.int64)
    for group in np.unique(tested.queries.own):
        rows = np.flatnonzero((tested.group != group) & (tested.group >= 0))
        n_queries = int((tested.queries.own == group).sum())
        few = n_queries <= len(rows) and n_queries <= 4 * chunk * threads
        chunks = -(-len(rows) // chunk)
        parts = min(chunks, threads) if few and by_rows else 1
        first = [(chunks // parts) * i + min(i, chunks % parts) for i in range(parts)]
        begin[group, :parts] = rows[np.array(first) * chunk]
        begin[group, 0], begin[group, parts:] = 0, len(tested.group)
    return begin


@cache
def same_trees() -> bool:
    """Whether trees here find the rows that scikit-learn's find among equals.

    The order of the rows in a leaf is that of the C++ library that scikit-learn was built with.

    >>> same_trees() in (True, False)
    True
    """
    rows = np.random.default_rng(0).integers(0, 4, (400, 3)).astype(np.float64)
    wanted, found = np.ones((1, 400), dtype=bool), np.empty((1, 400), dtype=np.int64)
    numbers = np.arange(400)
    neighbours_by_tree(
        np.ascontiguousarray(rows.T), np.ones((1, 3), dtype=bool), wanted, np.zeros(400, dtype=int),
        numbers, np.array([0, 400]), 30, True, 1, numbers, rows + 0.5, found,
    )  # fmt: skip
    expected = KDTree(rows, leaf_size=30).query(rows + 0.5, 1, return_distance=False)
    return not wanted.any() and bool((found[0] == expected[:, 0]).all())


class KNeighborsScorer(Scorer):
    """Neighbours of all test rows at once; folds that ties leave open go to scikit-learn.

    Which of equally near rows scikit-learn takes depends on its tree, or on rounding in its
    products of matrices. Where the answer depends on it, a tree like scikit-learn's is asked, or
    the fold is scored by the estimator. Products of whole numbers are exact: there the first of
    equal rows is found, or those that scikit-learn's heaps keep.
    """

    #: The empty subset is scored by the estimator.
    asks_when_empty = True
    batch = 512

    def __init__(self, estimator: Any, table: Table, splits: Splits, squared: bool) -> None:
        self.estimator, self.squared = estimator, squared
        self.table = table
        largest = np.abs(table.values).max(axis=0, initial=0.0)
        self.largest = largest**2
        self.numbers = bool((table.values == np.round(table.values)).all())
        self.whole = self.numbers and bool((4 * self.largest).sum() < 2**22)
        labels = np.zeros(table.n_features, dtype=bool)
        self.laid = Blocks.of(table.doubles, labels, in_order=self.whole)
        plain = replace(table, levels=(None,) * table.n_features)
        self.parts = rows_under_test(plain, self.laid, splits, scaled=False)
        self.columns = np.ascontiguousarray(table.doubles.T)
        self.n_folds = len(splits)
        self.slow = WrappedScorer(estimator, table, splits)

    def score(self, candidates: Candidates) -> Scores:
        """The fold scores of every candidate (each with at least one feature)."""
        masks = np.ascontiguousarray(candidates, dtype=bool)
        folds = np.empty((len(masks), self.n_folds))
        asked = self._brute(masks) & (self.table.n_rows > MANY_FOR_PRODUCTS)
        if not asked.all():
            folds[~asked] = self._told(masks[~asked])
        if asked.any():
            folds[asked] = self.slow.score(masks[asked]).folds
        return Scores(folds.mean(axis=1), folds)

    def _told(self, masks: NDArray[np.bool_]) -> Floats:
        each = self.estimator.n_neighbors if self._measured else 1
        per_row = each * max(len(p.rows) for p in self.parts)
        return np.concatenate([self._part(masks[part]) for part in slices(len(masks), per_row)])

    def _part(self, masks: NDArray[np.bool_]) -> Floats:
        folds = np.empty((len(masks), self.n_folds))
        weights = masks.astype(np.float64)
        brute = self._brute(masks)
        # Products of matrices are off by a few units in the last place of the squared lengths.
        rounds = brute & self.squared & ~np.full(len(masks), self.whole)
        error = np.where(rounds, 64 * np.finfo(float).eps * (weights @ self.largest), 0.0)
        for tested in self.parts:
            found = tested.neighbours(
                self.laid,
                self._codes(),
                weights,
                self.estimator.n_neighbors,
                squared=self.squared,
                measured=self._measured,
                whole=self.whole,
                absolute=error,
                lowest=brute & self.whole,
                fills=not self._measured,
                begin=self._parts(tested),
            )
            by_tree = self.estimator.algorithm in ("auto", "kd_tree") and same_trees()
            if by_tree and not self._measured and found.open_ties.any():
                self._ask_trees(masks, tested, found, ~brute)
            self._fill(folds, masks, tested, found, error)
        return folds

    def _parts(self, tested: TestedRows) -> NDArray[np.int64] | None:
        """Where parts of the rows begin; None where the order of the rows does not decide."""
        # With Manhattan distances threads are put together in another way.
        known = self.squared or _openmp_effective_n_threads() == 1
        return parts_of_rows(tested) if self.whole and known else None

    def _ask_trees(
        self,
        masks: NDArray[np.bool_],
        tested: TestedRows,
        found: Neighbours,
        by_tree: NDArray[np.bool_],
    ) -> None:
        """Open rows by a tree like scikit-learn's: only these are looked up, not whole folds."""
        wanted = found.open_ties & by_tree[:, None]
        train = [rows for rows, _ in self.slow.splits]
        neighbours_by_tree(
            self.columns,
            masks,
            wanted,
            tested.fold,
            np.concatenate(train).astype(np.int64),
            np.cumsum([0, *map(len, train)]),
            self.estimator.leaf_size,
            self.squared,
            self.estimator.n_neighbors,
            self._codes(),
            tested.queries.values,
            found.predicted,
        )
        found.open_ties[by_tree] = wanted[by_tree]

    def _brute(self, masks: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which candidates scikit-learn compares with all rows."""
        if self.estimator.algorithm != "auto":
            return np.full(len(masks), self.estimator.algorithm == "brute")
        rows = min(len(train) for train, _ in self.slow.splits)
        many = self.estimator.n_neighbors >= rows // 2
        return np.asarray((masks.sum(axis=1) > TREES) | many)

    @property
    def _measured(self) -> bool:
        return self.table.classes is None or self.estimator.weights == "distance"

    def _codes(self) -> NDArray[np.int64]:
        if self.table.classes is None:
            return np.zeros(self.table.n_rows, dtype=np.int64)
        return self.table.target.astype(np.int64)

    def _fill(
        self,
        folds: Floats,
        masks: NDArray[np.bool_],
        tested: TestedRows,
        found: Neighbours,
        error: Floats,
    ) -> None:
        """The scores of the folds of some tested rows; open ones by the estimator."""
        said, open_rows = self._said(found, error)
        truth = self.table.target[tested.rows]
        for fold in np.unique(tested.fold):
            own = tested.fold == fold
            if self.table.classes is not None:
                folds[:, fold] = (said[:, own] == truth[own]).mean(axis=1)
            else:
                spread = ((truth[own] - truth[own].mean()) ** 2).sum()
                folds[:, fold] = 1.0 - ((said[:, own] - truth[own]) ** 2).sum(axis=1) / spread
            for i in np.flatnonzero(open_rows[:, own].any(axis=1)):
                folds[i, fold] = self.slow.folds_of(masks[i], [int(fold)])[0]

    def _said(self, found: Neighbours, error: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """What the neighbours say of each row, and which rows are open."""
        if not self._measured:
            return found.predicted.astype(np.float64), found.open_ties
        near = self.laid.spread(self.table.target, 0)[found.near]
        share, open_rows = self._shares(found, error)
        if self.table.classes is None:
            return (near * share).sum(axis=2), open_rows
        votes = np.stack(
            [(share * (near == c)).sum(axis=2) for c in range(self.table.n_classes)], axis=2
        )
        top = np.sort(votes, axis=2)
        open_rows |= top[:, :, -1] - top[:, :, -2] <= CLOSE * top[:, :, -1]
        return votes.argmax(axis=2).astype(np.float64), open_rows

    def _shares(self, found: Neighbours, error: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """The part of each neighbour in the answer; by distance, only equal rows if there are."""
        open_rows = found.open_ties.copy()
        if self.estimator.weights == "uniform":
            return np.full(found.far.shape, 1.0 / found.far.shape[2]), open_rows
        distance = np.sqrt(found.far) if self.squared else found.far
        equal = distance == 0.0
        any_equal = equal.any(axis=2, keepdims=True)
        with np.errstate(divide="ignore"):
            share = np.where(any_equal, equal.astype(np.float64), 1.0 / distance)
        # Rounding makes an equal row a very near one, and the other way round.
        near_zero = found.far[:, :, 0] <= 1e4 * error[:, None]
        open_rows |= near_zero & (error > 0)[:, None]
        total: Floats = share.sum(axis=2, keepdims=True)
        return share / total, open_rows
