"""The rules of OneR and TableMajority: what depends on single features is kept."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...._kernels.subsets.majorities import right_by_majority
from ....classifiers._base import Rows
from ....classifiers._cells import Intervals
from ....classifiers._nearest_neighbor import class_rank
from ....data._rows import take_columns, take_rows
from ....data._schema import Schema, learn_encode
from ....data._table import Table
from ..._consistency.patterns import layout, mask_words
from ..._steps import Steps
from ..metrics.metric import Floats, Ints
from ..sources.pipelines import Source
from .rule import Bools, CountingRule, Counts, Size


@dataclass(frozen=True, eq=False)
class EncodedFold:
    """What a classifier learns from in one fold, and the rows that it is to classify."""

    rows: Rows  #: The training rows; classes that they do not have are left out of the numbering.
    schema: Schema  #: What the training rows have taught: the levels of nominal features.
    X: Any  #: All rows; a level that training does not know is encoded as unknown.
    #: (test rows,): the classes of the test rows, -1 for one that training does not have.
    truth: Ints
    test: NDArray[np.intp]

    @cached_property
    def tests(self) -> Floats:
        """Return the test rows, encoded."""
        return self.schema.encode(take_rows(self.X, self.test))


def encoded_fold(source: Source, fold: int, features: Bools | None = None) -> EncodedFold:
    """Encode a fold with some features, or all, as a classifier that is trained on it does."""
    table, (train, test) = source.table, source.splits[fold]
    X, nominal = table.values if table.X is None else table.X, table.nominal
    if features is not None:
        X, nominal = take_columns(X, features), nominal[features]
    given = np.flatnonzero(nominal).tolist() if nominal.any() else None
    schema, seen = learn_encode(take_rows(X, train), given)
    classes, target = np.unique(table.target[train], return_inverse=True)
    sizes = [0 if levels is None else max(len(levels), 1) for levels in schema.levels]
    rows = Rows(
        seen, np.array(sizes, np.int64), target.astype(np.int64), np.ones(len(seen)), len(classes)
    )
    wanted = table.target[test]
    place = np.minimum(np.searchsorted(classes, wanted), len(classes) - 1)
    truth = np.where(classes[place] == wanted, place, -1).astype(np.int64)
    return EncodedFold(rows, schema, X, truth, test)


class SimpleRule(CountingRule):
    """A rule without doubts: it counts the rows that each subset has right on each fold."""

    batch = 512

    def count(self, batch: Bools | Steps) -> Counts:
        """Count the rows that are right."""
        subsets = np.ascontiguousarray(batch, dtype=bool)
        right = np.ascontiguousarray(self.right(subsets).T).astype(np.int64)
        return Counts(right, np.zeros_like(right))

    @abstractmethod
    def right(self, subsets: Bools) -> NDArray[Any]:
        """Return how many test rows of each fold are right, shape (subsets, folds)."""

    @classmethod
    def refusal(cls, model: Any, table: Table) -> str | None:
        """Check the parameters of the model."""
        model.check_parameters()
        return None

    @classmethod
    def cost(cls, model: Any, size: Size) -> float:
        """Count one look-up per row and feature."""
        return float(size.rows * size.columns)


class OneRRule(SimpleRule):
    """The rule of a feature is the same in every subset: the best one on training rows decides."""

    def __init__(self, model: Any, source: Source, weight: Floats | None) -> None:
        super().__init__(model, source, weight)
        shape = len(source.splits), source.table.n_features
        # What the rule of each feature gets right of the training rows, and of the test rows.
        self.trained, self.tested = np.full(shape, -1.0), np.zeros(shape)

    def right(self, subsets: Bools) -> NDArray[Any]:
        """Count the test rows of the rule with the most training rows right."""
        with self._lock:
            new = subsets.any(axis=0) & (self.trained[0] < 0.0)
            for fold in range(len(self.trained) if new.any() else 0):
                self._learn(fold, new)
        found = np.empty((len(subsets), len(self.trained)))
        for f in range(len(self.trained)):
            chosen = np.where(subsets, self.trained[f], -1.0).argmax(axis=1)
            found[:, f] = self.tested[f, chosen]
        return found

    def _learn(self, fold: int, features: Bools) -> None:
        known = encoded_fold(self.source, fold, features)
        for place, j in enumerate(np.flatnonzero(features)):
            part = slice(place, place + 1)
            found, trained = self.model.rule_of(known.rows.columns(part), known.tests[:, part])
            self.tested[fold, j] = (found == known.truth).sum()
            self.trained[fold, j] = trained


class TableRule(SimpleRule):
    """Equal rows are found by hashing once for all folds that encode the rows in the same way."""

    def __init__(self, model: Any, source: Source, weight: Floats | None) -> None:
        super().__init__(model, source, weight)
        codings: list[tuple[Ints, list[int]]] = []
        for f in range(len(source.splits)):
            fold = encoded_fold(source, f)
            cut = Intervals.learn(fold.rows, fold.schema, model.discretise, model.bins)
            codes = cut.codes(fold.schema.encode(fold.X))
            same = next((known for known in codings if np.array_equal(known[0], codes)), None)
            if same is None:
                codings.append((codes, [f]))
            else:
                same[1].append(f)
        self.codings = [(*_packed(codes), folds) for codes, folds in codings]

    @classmethod
    def refusal(cls, model: Any, table: Table) -> str | None:
        """Return a reason where the model itself selects features."""
        model.check_parameters()
        return "TableMajority(select=True) selects features itself" if model.select else None

    def right(self, subsets: Bools) -> NDArray[Any]:
        """Count the test rows that have the majority class of the equal training rows."""
        table, splits = self.source.table, self.source.splits
        classes = np.ascontiguousarray(table.target, dtype=np.int64)
        found = np.empty((len(subsets), len(splits)), dtype=np.int64)
        for words, fields, folds in self.codings:
            masks = np.array([mask_words(fields, subset, words.shape[1]) for subset in subsets])
            part = np.empty((len(subsets), len(folds)), dtype=np.int64)
            trains, tests = ([splits[f][k] for f in folds] for k in (0, 1))
            counts = [np.bincount(classes[rows], minlength=table.n_classes) for rows in trains]
            right_by_majority(
                words, masks.reshape(len(subsets), -1), classes, table.n_classes,
                *_joined(trains), *_joined(tests), np.array([class_rank(c) for c in counts]), part,
            )  # fmt: skip
            found[:, folds] = part
        return found


def _packed(codes: Ints) -> tuple[NDArray[np.uint64], Ints]:
    """Pack codes in 64-bit words, and return where each column is; -1, unknown, is one more."""
    sizes = codes.max(axis=0, initial=0) + 2
    fields = layout(sizes.tolist())
    words = np.zeros((len(codes), int(fields[-1, 0]) + 1), dtype=np.uint64)
    for j, (word, shift, _) in enumerate(fields):
        words[:, word] |= (codes[:, j] + 1).astype(np.uint64) << np.uint64(shift)
    return words, fields


def _joined(parts: list[NDArray[Any]]) -> tuple[Ints, Ints]:
    """Put arrays one after the other, and return where each begins."""
    begins = np.cumsum([0, *(len(part) for part in parts)]).astype(np.int64)
    return np.concatenate(parts).astype(np.int64), begins
