"""The fast twins of OneR, TableMajority and T2: what depends on single features is kept."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...classifiers.cells import Cells
from ...classifiers.intervals import Intervals
from ...classifiers.neighbours.ranges import class_rank
from ...classifiers.rules.one_r import OneR
from ...classifiers.split import half_way
from ...classifiers.tables.table_majority import TableMajority
from ...classifiers.trees.t2 import T2
from ...data.rows import take_columns, take_rows
from ...data.table import Table
from ...kernels.subsets.majority import right_by_majority
from ...kernels.trees.two_level_subsets import fill_table, right_of_trees
from ..base import Candidates, Scorer, Scores
from ..consistency.packing import layout, mask_words
from .encoded_folds import EncodedFold, encoded_folds
from .splits import Splits
from .wrapped import WrappedScorer

#: Numbers that the tables of T2 may hold; where they would hold more, trees are trained.
MOST_CELLS = 1 << 27

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]


class RuleScorer(Scorer):
    """Accuracy by fold; a subset without features is the business of the estimator's wrapper."""

    batch = 512

    def __init__(self, slow: WrappedScorer) -> None:
        self.slow = slow
        self.sizes = np.array([len(test) for _, test in slow.splits], dtype=np.float64)

    def score(self, candidates: Candidates) -> Scores:
        """The fold scores of every candidate, and their mean."""
        subsets = np.ascontiguousarray(candidates, dtype=bool)
        folds = np.empty((len(subsets), len(self.sizes)))
        some = subsets.any(axis=1)
        folds[some] = self.right(subsets[some]) / self.sizes
        if not some.all():
            folds[~some] = [self.slow.empty(fold) for fold in range(len(self.sizes))]
        return Scores(folds.mean(axis=1), folds)

    def right(self, subsets: Flags) -> NDArray[Any]:
        """How many test rows of each fold are right, shape (subsets, folds)."""
        raise NotImplementedError


class OneRScorer(RuleScorer):
    """The rule of a feature is the same in every subset: the best one on training rows decides."""

    def __init__(self, slow: WrappedScorer) -> None:
        super().__init__(slow)
        shape = len(slow.splits), slow.table.n_features
        # What the rule of each feature gets right of the training rows, and of the test rows.
        self.trained, self.tested = np.full(shape, -1.0), np.zeros(shape)
        self._lock = threading.Lock()

    def right(self, subsets: Flags) -> NDArray[Any]:
        """The test rows that the rule with the most training rows right gets right."""
        with self._lock:
            for j in np.flatnonzero(subsets.any(axis=0) & (self.trained[0] < 0.0)):
                self._learn(int(j))
        found = np.empty((len(subsets), len(self.sizes)))
        for f in range(len(self.sizes)):
            chosen = np.where(subsets, self.trained[f], -1.0).argmax(axis=1)
            found[:, f] = self.tested[f, chosen]
        return found

    def _learn(self, j: int) -> None:
        slow, alone = self.slow, np.arange(self.slow.table.n_features) == j
        X = take_columns(slow.X, alone)
        for f, (_, test) in enumerate(slow.splits):
            rule = slow._trained(X, alone, f)
            told = rule.predict(take_rows(X, test)) == np.asarray(take_rows(slow.y, test))
            self.tested[f, j] = told.sum()
            self.trained[f, j] = rule.counts_.max(axis=1).sum()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.Lock()


class TableScorer(RuleScorer):
    """Equal rows are found by hashing once for all folds that encode the rows in the same way."""

    def __init__(self, estimator: TableMajority, slow: WrappedScorer) -> None:
        super().__init__(slow)
        self.classes = np.ascontiguousarray(slow.table.target, dtype=np.int64)
        codings: list[tuple[NDArray[np.int64], list[int]]] = []
        for f, fold in enumerate(encoded_folds(slow)):
            cut = Intervals.learn(fold.rows, fold.schema, estimator.discretise, estimator.bins)
            codes = cut.codes(fold.values)
            same = next((known for known in codings if np.array_equal(known[0], codes)), None)
            if same is None:
                codings.append((codes, [f]))
            else:
                same[1].append(f)
        self.codings = [(*_packed(codes), folds) for codes, folds in codings]

    def right(self, subsets: Flags) -> NDArray[Any]:
        """The test rows that have the majority class of the equal training rows."""
        found = np.empty((len(subsets), len(self.sizes)), dtype=np.int64)
        for words, fields, folds in self.codings:
            masks = np.array([mask_words(fields, subset, words.shape[1]) for subset in subsets])
            part = np.empty((len(subsets), len(folds)), dtype=np.int64)
            n_classes = self.slow.table.n_classes
            trains, tests = ([self.slow.splits[f][k] for f in folds] for k in (0, 1))
            counts = [np.bincount(self.classes[rows], minlength=n_classes) for rows in trains]
            right_by_majority(
                words, masks.reshape(len(subsets), -1), self.classes, n_classes,
                *_joined(trains), *_joined(tests), np.array([class_rank(c) for c in counts]), part,
            )  # fmt: skip
            found[:, folds] = part
        return found


def _packed(codes: NDArray[np.int64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Codes in 64-bit words, and where each column is; -1, unknown, is one more value."""
    sizes = codes.max(axis=0, initial=0) + 2
    fields = layout(sizes.tolist())
    words = np.zeros((len(codes), int(fields[-1, 0]) + 1), dtype=np.uint64)
    for j, (word, shift, _) in enumerate(fields):
        words[:, word] |= (codes[:, j] + 1).astype(np.uint64) << np.uint64(shift)
    return words, fields


def _joined(parts: list[NDArray[Any]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Arrays one after the other, and where each begins."""
    begins = np.cumsum([0, *(len(part) for part in parts)]).astype(np.int64)
    return np.concatenate(parts).astype(np.int64), begins


class T2Scorer(RuleScorer):
    """What a second-level test gets right below a branch is kept for every branch and test."""

    def __init__(self, slow: WrappedScorer, folds: list[EncodedFold], most: int | None) -> None:
        super().__init__(slow)
        self.folds = [_two_levels(fold, most) for fold in folds]

    def right(self, subsets: Flags) -> NDArray[Any]:
        """The test rows that the best tree of two levels gets right."""
        found = np.empty((len(self.folds), len(subsets)), dtype=np.int64)
        for f, (*fold, prior) in enumerate(self.folds):
            right_of_trees(*fold, subsets, prior, found[f])
        return found.T


def _two_levels(fold: EncodedFold, max_intervals: int | None) -> tuple[Any, ...]:
    """Cells of training and test rows, and the table of what every test gets right."""
    rows, most = fold.rows, max_intervals or fold.rows.n_classes + 1
    cells = Cells.count(rows)
    asked = np.stack(
        [_cells_of(fold.values[fold.test, j], cells, rows, j) for j in range(len(cells.values))],
        axis=1,
    )
    start = _starts(cells, rows)
    table = np.zeros((start[-1], len(cells.values)), dtype=np.int32)
    fill_table(cells.of, rows.target, cells.first, rows.nominal, most, rows.n_classes, start, table)
    data, tests = (cells.of, rows.target), (np.ascontiguousarray(asked), fold.truth)
    return data, tests, cells.first, rows.nominal, most, start, table, rows.class_weights


def _starts(cells: Cells, rows: Any) -> NDArray[np.int64]:
    """Where the branches of each root stand: its cells, or two and two for each cut."""
    sizes = np.array([len(values) for values in cells.values])
    branches = np.where(rows.nominal, sizes + 1, 2 * np.maximum(sizes, 1))
    return np.concatenate([[0], np.cumsum(branches)]).astype(np.int64)


def _cells_of(column: Floats, cells: Cells, rows: Any, j: int) -> NDArray[np.int64]:
    """The cells of test values; -1 for a known value where training knows none."""
    known, values = ~np.isnan(column), cells.values[j]
    found = np.full(len(column), cells.first[j + 1] - 1, dtype=np.int64)
    if rows.nominal[j]:
        found[known] = cells.first[j] + column[known].astype(np.int64)
    elif len(values) == 0:
        found[known] = -1
    else:
        cuts = [half_way(low, high) for low, high in zip(values, values[1:], strict=False)]
        found[known] = cells.first[j] + np.searchsorted(cuts, column[known])
    return found


def one_r_twin(estimator: OneR, table: Table, splits: Splits) -> Scorer | None:
    """OneR's fold accuracies."""
    estimator.check_parameters()
    return None if table.classes is None else OneRScorer(WrappedScorer(estimator, table, splits))


def table_majority_twin(estimator: TableMajority, table: Table, splits: Splits) -> Scorer | None:
    """The fold accuracies of TableMajority over all given features; None where it selects."""
    estimator.check_parameters()
    if estimator.select or table.classes is None:
        return None
    return TableScorer(estimator, WrappedScorer(estimator, table, splits))


def t2_twin(estimator: T2, table: Table, splits: Splits) -> Scorer | None:
    """T2's fold accuracies, or None where what must be kept takes too much room."""
    estimator.check_parameters()
    if table.classes is None:
        return None
    slow = WrappedScorer(estimator, table, splits)
    folds = encoded_folds(slow)
    room = sum(_starts(Cells.count(f.rows), f.rows)[-1] * f.rows.values.shape[1] for f in folds)
    return None if room > MOST_CELLS else T2Scorer(slow, folds, estimator.max_intervals)
