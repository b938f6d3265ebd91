"""The fast twin of cross-validating ID3 and C4.5: trees that share their nodes."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..classifiers.c45 import C45
from ..classifiers.id3 import ID3
from ..classifiers.tree import TreeClassifier
from ..classifiers.tree_store import NodeStore, tree_data
from ..data.table import Table
from .base import Candidates, Scorer, Scores

#: Bytes that the nodes of all folds of one scorer may take together.
BUDGET = 1 << 28

Split = tuple[NDArray[Any], NDArray[Any]]


def tree_twin(estimator: Any, table: Table, splits: Sequence[Split]) -> Scorer | None:
    """A scorer with the accuracies that ``cross_val_score`` gives, or None if it cannot.

    It cannot where rows have weights or a split takes a row twice.
    """
    if type(estimator) not in (ID3, C45) or table.classes is None:
        return None
    if "sample_weight" in table.metadata or any(_repeats(split) for split in splits):
        return None
    estimator.check_parameters()
    return TreeScorer(estimator, table, splits)


def _repeats(split: Split) -> bool:
    rows = np.concatenate(split)
    return len(np.unique(rows)) < len(rows)


class TreeScorer(Scorer):
    """Accuracy of decision trees over fixed splits, subset by subset.

    The goals are ``"leaves"`` and ``"nodes"``: the size of the tree, mean over the folds.

    Notes
    -----
    How well a feature splits a node depends on the rows of the node, not on the other features.
    So each fold keeps the nodes it has met, found by their rows, with what is known of every
    feature there; a tree over a subset is a walk through them that picks the best feature of
    the subset at each node. Threads take turns at the folds, so that all of them share all
    nodes; forgetting nodes to keep ``budget`` costs time and changes no score.
    """

    batch = 256

    def __init__(
        self,
        estimator: TreeClassifier,
        table: Table,
        splits: Sequence[Split],
        budget: int = BUDGET,
    ) -> None:
        assert table.classes is not None
        self.budget = budget
        self._n_classes = len(table.classes)
        self._splits = [(np.sort(train), np.sort(test)) for train, test in splits]
        self._data = tree_data(table.values, table.levels, table.target)
        self._rules = estimator.rules(self._data, self._n_classes)
        self._open()

    def _open(self) -> None:
        self._stores: list[NodeStore | None] = [None] * len(self._splits)
        self._locks = [threading.Lock() for _ in self._splits]

    def score(self, candidates: Candidates) -> Scores:
        """Accuracy by fold, mean accuracy, and mean size of the trees."""
        subsets = np.ascontiguousarray(candidates, dtype=bool)
        out = np.empty((len(self._splits), len(subsets), 4))
        waiting = list(range(len(self._splits)))
        while waiting:
            fold = self._take(waiting)
            try:
                out[fold] = self._store(fold).score(subsets)
            finally:
                self._locks[fold].release()
            waiting.remove(fold)
        n_test = np.array([len(test) for _, test in self._splits])
        folds = np.ascontiguousarray((out[:, :, 0] / n_test[:, None]).T)
        sizes = out[:, :, 1:3].mean(axis=0)
        return Scores(folds.mean(axis=1), folds, {"leaves": sizes[:, 0], "nodes": sizes[:, 1]})

    def _take(self, waiting: list[int]) -> int:
        """Lock the first fold that is free, or wait for one."""
        for fold in waiting:
            if self._locks[fold].acquire(blocking=False):
                return fold
        self._locks[waiting[0]].acquire()
        return waiting[0]

    def _store(self, fold: int) -> NodeStore:
        store = self._stores[fold]
        if store is None:
            train, test = self._splits[fold]
            share = self.budget // len(self._splits)
            store = NodeStore(self._data, self._rules, self._n_classes, train, test, budget=share)
            self._stores[fold] = store
        return store

    @property
    def n_bytes(self) -> int:
        """How much memory the nodes of all folds take now."""
        return sum(store.n_bytes for store in self._stores if store is not None)

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k not in ("_stores", "_locks")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._open()
