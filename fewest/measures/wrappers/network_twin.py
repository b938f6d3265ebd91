"""The fast twin of TAN and selective naive Bayes: what a fold knows is counted once."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from ...classifiers.bayes.factors import Codes, Family, class_posteriors, learn_family
from ...classifiers.bayes.network import NetworkClassifier
from ...data.discretise import as_nominal
from ...data.information import Floats, Information
from ...data.table import Table
from ...kernels.bayes.tan_accuracy import right_rows, spanning_trees
from ..base import Candidates, Scorer, Scores
from .splits import Split, Splits

#: Cells of conditional tables that one fold keeps; beyond that they are counted again.
KEPT = 4_000_000


@dataclass(eq=False)
class Fold:
    """One fold: coded rows, the weights of the tree, and the tables of arcs seen so far."""

    model: NetworkClassifier
    train: Codes
    test: Codes
    sizes: list[int]
    weights: Floats | None
    holes: NDArray[np.bool_]
    _kept: dict[tuple[int, int], Family] = field(default_factory=dict)
    _cells: int = 0
    _lock: Any = field(default_factory=threading.Lock)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_kept": {}, "_cells": 0, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.Lock()

    def accuracies(self, masks: NDArray[np.bool_]) -> Floats:
        """Share of the test rows that the classifier over each subset gets right."""
        arcs, families, arc_of, prior = self.arcs(masks)
        right = self._known(arcs, families, arc_of, prior)
        right += self._unknown(families, arc_of, prior)
        return np.asarray(right / self.test.shape[1])

    def arcs(
        self, masks: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], list[Family], NDArray[np.int64], Family]:
        """The arcs of all classifiers with their tables, which arc leads to which feature of
        each, and the table of the class."""
        trees = np.full(masks.shape, -1)
        if self.weights is not None:
            trees = spanning_trees(self.weights, masks)
        rows, members = np.nonzero(masks)
        pairs = np.stack([members, trees[rows, members]], axis=1)
        arcs, place = np.unique(pairs, axis=0, return_inverse=True)
        families = [self._family(int(child), int(parent)) for child, parent in arcs]
        arc_of = np.full(masks.shape, -1)
        arc_of[rows, members] = place.ravel()
        return arcs, families, arc_of, self._family(len(self.sizes) - 1, -1)

    def _known(
        self,
        arcs: NDArray[np.int64],
        families: list[Family],
        arc_of: NDArray[np.int64],
        prior: Family,
    ) -> NDArray[np.int64]:
        """Right ones among the rows in which all of a subset is known."""
        last = len(self.sizes) - 1
        logs, table, starts, cells = self.tables(arcs, families, prior)
        right: NDArray[np.int64] = right_rows(
            self.test[:last], self.test[last], self.holes[:last], logs, table, starts, cells,
            arc_of,
        )  # fmt: skip
        return right

    def tables(
        self, arcs: NDArray[np.int64], families: list[Family], prior: Family
    ) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64], Floats]:
        """Logarithms of the class probabilities and of all tables, as the kernels take them."""
        last = len(self.sizes) - 1
        with np.errstate(divide="ignore"):
            tables = [np.log(f.table).reshape(self.sizes[last], -1) for f in families]
            logs = np.log(prior.table)
        nothing = np.zeros((self.sizes[last], 1))  # for empty subsets
        ends = np.cumsum([t.shape[1] for t in tables], dtype=np.int64)
        starts = np.concatenate([[0], ends]).astype(np.int64)[:-1]
        values = np.array(self.sizes, dtype=np.int64)[arcs[:, 0]]
        cells = np.concatenate([*tables, nothing], axis=1)
        return logs, np.column_stack([arcs, values]), starts, cells

    def _unknown(
        self, families: list[Family], arc_of: NDArray[np.int64], prior: Family
    ) -> NDArray[np.int64]:
        """Right ones among the rows in which something of a subset is unknown: summed out."""
        last = len(self.sizes) - 1
        right = np.zeros(len(arc_of), dtype=np.int64)
        for m in np.flatnonzero((arc_of >= 0)[:, self.holes[:last]].any(axis=1)):
            members = np.flatnonzero(arc_of[m] >= 0)
            rows = np.flatnonzero((self.test[members] < 0).any(axis=0))
            chosen = [prior, *(families[arc_of[m, j]] for j in members)]
            shares = class_posteriors(chosen, self.test[:, rows], last, self.sizes[last])
            right[m] = (shares.argmax(axis=1) == self.test[last, rows]).sum()
        return right

    def _family(self, child: int, parent: int) -> Family:
        """P(child | class, parent), learned from the training rows."""
        with self._lock:
            kept = self._kept.get((child, parent))
        if kept is not None:
            return kept
        last = len(self.sizes) - 1
        parents = () if child == last else (last,) if parent < 0 else (last, parent)
        model = self.model
        family = learn_family(
            self.train, self.sizes, child, parents, model.smoothing, model.strength
        )
        with self._lock:
            if self._cells + family.table.size <= KEPT:
                self._cells += family.table.size
                self._kept[child, parent] = family
        return family


@dataclass(frozen=True, eq=False)
class NetworkTwin(Scorer):
    """Fold accuracies of a Bayesian network classifier over each subset."""

    folds: tuple[Fold, ...]
    batch = 64

    def score(self, candidates: Candidates) -> Scores:
        """Score every subset."""
        masks = np.ascontiguousarray(candidates, dtype=bool)
        folds = np.stack([fold.accuracies(masks) for fold in self.folds], axis=1)
        return Scores(folds.mean(axis=1), folds)


def _twin(estimator: Any, table: Table, splits: Splits, tree: bool) -> Scorer | None:
    folds = network_folds(estimator, table, splits, tree)
    return None if folds is None else NetworkTwin(tuple(folds))


def network_folds(estimator: Any, table: Table, splits: Splits, tree: bool) -> list[Fold] | None:
    """The folds, or None where one trains on a single class."""
    bare = replace(table, X=None, y=None, metadata={})
    folds = [_fold(estimator, bare, split, tree) for split in splits]
    whole = [fold for fold in folds if fold is not None]
    return whole if len(whole) == len(folds) else None


def _fold(estimator: Any, table: Table, split: Split, tree: bool) -> Fold | None:
    train, test = table.take(split[0]), table.take(split[1])
    assert table.classes is not None
    seen = np.unique(train.target)
    if len(seen) < 2:
        return None
    # A class that no training row has is not a class of the classifier.
    number = np.full(len(table.classes), -1)
    number[seen] = np.arange(len(seen))
    train = replace(train, target=number[train.target], classes=table.classes[seen])
    test = replace(test, target=number[test.target], classes=train.classes)
    model = clone(estimator).fit_table(train)
    sizes = [*(max(1, len(values)) for values in model.seen_), len(seen)]
    weights = None
    if tree:
        nominal = as_nominal(train, model.discretise, model.bins)
        weights = Information.of(nominal).conditional
    codes = model.coded(test)
    return Fold(model, model.coded(train), codes, sizes, weights, (codes < 0).any(axis=1))


def tan_twin(estimator: Any, table: Table, splits: Splits) -> Scorer | None:
    """The twin of TAN, for all of its features and the default root."""
    if estimator.features is not None or estimator.root is not None:
        return None
    return _twin(estimator, table, splits, tree=True)


def selective_naive_bayes_twin(estimator: Any, table: Table, splits: Splits) -> Scorer | None:
    """The twin of selective naive Bayes, for all of its features."""
    if estimator.features is not None:
        return None
    return _twin(estimator, table, splits, tree=False)
