"""The arrays behind the tree kernels: made here, enlarged here, emptied here."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from ..kernels.tree_nodes import (
    BLOCKS,
    BRANCH,
    LINKS,
    NODE,
    NODES,
    ROWS,
    SPLIT,
    Data,
    Rules,
    Scratch,
    Store,
    fill_slots,
    finish_node,
)
from ..kernels.tree_walk import Walk, score_subsets, walk_tree

#: Which arrays of a store grow together.
_GROUPS = {
    "nodes": ("nodes", "counts"),
    "rows": ("rows", "weights"),
    "blocks": ("splits",),
    "links": ("branches",),
}


def tree_data(values: NDArray[np.float64], levels: tuple[Any, ...], target: NDArray[Any]) -> Data:
    """A table as the tree kernels want it: level codes and ranks, a row a feature."""
    n, d = values.shape
    codes = np.full((d, n), -1, dtype=np.int32)
    sizes = np.array([0 if v is None else len(v) for v in levels], dtype=np.int64)
    order = np.zeros((d, n if (sizes == 0).any() else 0), dtype=np.int32)
    distinct = []
    for j in range(d):
        known = ~np.isnan(values[:, j])
        if sizes[j]:
            codes[j, known] = values[known, j].astype(np.int32)
            distinct.append(np.zeros(sizes[j]))
        elif levels[j] is not None:  # a nominal column without a single known value
            distinct.append(np.zeros(0))
        else:
            found, ranks = np.unique(values[known, j], return_inverse=True)
            codes[j, known] = ranks
            order[j] = np.argsort(codes[j], kind="stable")
            distinct.append(found)
    first = np.concatenate([[0], np.cumsum([len(v) for v in distinct])]).astype(np.int64)
    joined = np.concatenate(distinct) if distinct else np.zeros(0)
    return Data(
        codes, sizes, order, joined, first, np.asarray(target, dtype=np.int32), _marks(n), _table(n)
    )


def _marks(n: int) -> NDArray[np.uint64]:
    """A fixed random number a row (the same in every process)."""
    return np.random.default_rng(20040).integers(0, 2**64, n, dtype=np.uint64)


def _table(n: int) -> NDArray[np.float64]:
    """n log₂ n for whole numbers."""
    whole = np.arange(n + 1, dtype=np.float64)
    whole[1:] *= np.log2(whole[1:])
    return whole


def tree_rules(
    data: Data,
    n_classes: int,
    *,
    significance: float = 1.0,
    minimum: float = 1.0,
    release8: bool = False,
    fractional: bool = False,
    confidence: float = 0.0,
) -> Rules:
    """How to grow and prune, with the critical values of chi-squared for this table."""
    critical = np.zeros(0)
    if significance < 1.0:
        freedom = np.arange((max(2, int(data.levels.max(initial=2))) - 1) * (n_classes - 1) + 1)
        critical = np.append(0.0, stats.chi2.isf(significance, freedom[1:]))
    z = float(stats.norm.isf(confidence)) if confidence > 0.0 else 0.0
    return Rules(critical, float(minimum), release8, fractional, float(confidence), z)


class NodeStore:
    """All nodes met so far of trees grown on some rows and tested on others.

    Parameters
    ----------
    data, rules : what to grow from, and how
    n_classes : int
    train, test : sorted row indices
    weights : float64 array or None
        Weights of the training rows; None for whole rows.
    budget : int
        Bytes that the nodes may take. Beyond it they are forgotten and found anew: slower,
        with the same answers. A single tree may exceed it.
    """

    def __init__(
        self,
        data: Data,
        rules: Rules,
        n_classes: int,
        train: NDArray[Any],
        test: NDArray[Any],
        weights: NDArray[np.float64] | None = None,
        budget: int = 1 << 28,
    ) -> None:
        self.data, self.rules, self.budget = data, rules, budget
        self._rows = np.concatenate([train, test]).astype(np.int32)
        self._n_train, self._n_test = len(train), len(test)
        self._seen = _seen_levels(data, train)
        if weights is None and rules.fractional and self._any_unknown():
            weights = np.ones(len(train))
        self._weights = None if weights is None else np.append(weights, np.ones(len(test)))
        self._present = float(len(np.unique(data.target[train])))
        self._seat = np.zeros(len(data.target), dtype=np.int64)
        self._seat[test] = np.arange(len(test))
        self._votes = np.zeros((len(test), n_classes))
        self._make(n_classes)

    def score(self, subsets: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Correct test rows, leaves and nodes of the tree over each subset, shape (m, 3)."""
        out = np.zeros((len(subsets), 3))
        done, fresh = 0, False
        while True:
            reached = score_subsets(
                self.data, self.rules, self.store, subsets, done, self._present, self._scratch,
                self._walk, self._votes, self._seat, out,
            )  # fmt: skip
            if reached == len(subsets):
                return out
            fresh = self._make_room(alone=fresh and reached == done)
            done = reached

    def tree(self) -> int:
        """Grow the tree over all features; the number of nodes laid out in ``walk``."""
        features = np.arange(len(self.data.codes))
        while True:
            size = walk_tree(
                self.data, self.rules, self.store, features, self._present, self._scratch,
                self._walk,
            )  # fmt: skip
            if size > 0:
                return int(size)
            self._make_room(alone=True)

    @property
    def walk(self) -> Walk:
        """The tree laid out last."""
        return self._walk

    @property
    def n_bytes(self) -> int:
        """How much memory the nodes take."""
        return sum(a.nbytes for a in self.store)

    def _any_unknown(self) -> bool:
        nominal_unseen = any(
            not self._seen[a:b].all()
            for a, b, size in zip(
                self.data.first[:-1], self.data.first[1:], self.data.levels, strict=True
            )
            if size
        )
        return nominal_unseen or bool((self.data.codes < 0).any())

    def _make(self, n_classes: int) -> None:
        d, n = len(self.data.codes), len(self._rows)
        widest = max(2, int(self.data.levels.max(initial=2)))
        self._n_classes = n_classes
        number = np.zeros(1)
        self._scratch = Scratch(
            np.zeros(n, np.int64), np.zeros(n, np.int32), np.zeros(n), np.zeros(n, np.int64),
            np.zeros(len(self.data.target), np.int64), np.full(1, -1, np.int64),
            np.zeros((widest, n_classes)), np.zeros((2, max(widest, n_classes))),
            np.zeros(widest + 1, np.uint64), np.zeros((4, widest + 1), np.int64),
            number, number.view(np.uint64),
        )  # fmt: skip
        self._walk = _new_walk(256)
        self.store = Store(
            used=np.zeros(4, np.int64),
            rows=np.zeros(4 * n, np.int32),
            weights=np.zeros(0 if self._weights is None else 4 * n),
            nodes=np.recarray(256, NODE),
            counts=np.zeros((256, n_classes)),
            splits=np.recarray((64, d), SPLIT),
            branches=np.recarray(64 * (widest + 2), BRANCH),
            slots=np.full(512, -1, np.int32),
            seen=self._seen,
        )
        self._reset()

    def _reset(self) -> None:
        """Forget every node but the root."""
        store = self.store
        store.used[:] = [1, len(self._rows), 0, 0]
        store.slots[:] = -1
        store.rows[: len(self._rows)] = self._rows
        if self._weights is not None:
            store.weights[: len(self._rows)] = self._weights
        root = store.nodes[0]
        root.start, root.n_train, root.n_test, root.key = 0, self._n_train, self._n_test, 0
        self._scratch.owner[0] = -1
        finish_node(self.data.target, self.rules, store, 0)

    def _make_room(self, alone: bool) -> bool:
        """Enlarge what is short, or forget all nodes if that would break the budget.

        Returns whether the store is empty now; ``alone`` says that it was empty before, so that
        only enlarging helps.
        """
        short = self._short()
        if not alone and self.n_bytes * 2 > self.budget:
            self._reset()
            return True
        self._enlarge(short)
        return alone

    def _short(self) -> set[str]:
        used, store = self.store.used, self.store
        full = {
            "nodes": used[NODES] * 2 > len(store.nodes),
            "rows": used[ROWS] * 2 > len(store.rows),
            "blocks": used[BLOCKS] * 2 > len(store.splits),
            "links": used[LINKS] * 2 > len(store.branches),
        }
        short = {name for name, is_full in full.items() if is_full}
        return short or {*full, "walk"}

    def _enlarge(self, short: set[str]) -> None:
        fields = [f for name, group in _GROUPS.items() if name in short for f in group]
        self.store = self.store._replace(**{f: _twice(getattr(self.store, f)) for f in fields})
        if "nodes" in short:
            slots = np.full(2 * len(self.store.slots), -1, np.int32)
            self.store = self.store._replace(slots=slots)
            fill_slots(self.store)
        self._walk = _new_walk(2 * len(self._walk.node)) if "walk" in short else self._walk


def _seen_levels(data: Data, train: NDArray[Any]) -> NDArray[np.bool_]:
    """Which nominal levels occur in the training rows."""
    seen = np.zeros(len(data.distinct), dtype=bool)
    for j in np.flatnonzero(data.levels):
        codes = data.codes[j, train]
        seen[data.first[j] + codes[codes >= 0]] = True
    return seen


def _new_walk(n: int) -> Walk:
    return Walk(
        np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n),
        np.zeros(n), np.zeros(n, np.bool_), np.zeros((n, 2), np.int64),
    )  # fmt: skip


def _twice(array: NDArray[Any]) -> NDArray[Any]:
    larger = np.empty_like(array, shape=(2 * len(array), *array.shape[1:]))
    larger[: len(array)] = array
    return larger
