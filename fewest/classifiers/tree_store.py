"""The arrays behind the tree kernels: made here, enlarged here, emptied here."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from ..kernels.tree_judge import COMPLETE
from ..kernels.tree_nodes import (
    BLOCKS,
    BRANCH,
    BRANCHES,
    LINK,
    LINKS,
    NODE,
    NODES,
    ROWS,
    Data,
    Rules,
    Scratch,
    Store,
    fill_slots,
    finish_node,
)
from ..kernels.tree_score import Bench, score_subsets
from ..kernels.tree_walk import Walk

#: Nominal features with more levels are counted one by one.
MOST_FLAGS = 16

#: Which arrays of a store grow together, and which counter says how full they are.
_GROUPS = {
    ("nodes", "counts"): NODES,
    ("rows", "weights"): ROWS,
    ("splits",): BLOCKS,
    ("links",): LINKS,
    ("branches",): BRANCHES,
}


def tree_data(values: NDArray[np.float64], levels: tuple[Any, ...], target: NDArray[Any]) -> Data:
    """A table as the tree kernels want it: level codes and ranks, a row a feature."""
    n, d = values.shape
    codes = np.full((d, n), -1, dtype=np.int32)
    sizes = np.array([0 if v is None else len(v) for v in levels], dtype=np.int64)
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
            distinct.append(found)
    first = np.concatenate([[0], np.cumsum([len(v) for v in distinct])]).astype(np.int64)
    joined = np.concatenate(distinct) if distinct else np.zeros(0)
    table = _table(n)
    fixed = np.round(table * 2.0**32).astype(np.int64)
    labels = np.asarray(target, dtype=np.int32)
    flags, flagged = _flags(codes, sizes, levels)
    ordered = _orders(codes, labels, flagged)
    return Data(
        codes, sizes, joined, first, labels, _marks(n), table, fixed, flags, flagged, *ordered
    )


def _flags(
    codes: NDArray[np.int32], sizes: NDArray[np.int64], levels: tuple[Any, ...]
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """A byte a level of the nominal features with few levels, and which belong to a feature."""
    flagged = np.full((len(codes), 2), -1, np.int64)
    columns: list[NDArray[np.bool_]] = []
    for j in range(len(codes)):
        complete = bool((codes[j] >= 0).all())
        if levels[j] is None:
            flagged[j, 0] = COMPLETE if complete else -1
        elif 0 < sizes[j] <= MOST_FLAGS:
            # Without unknown values the count of the last level follows from the others.
            flagged[j] = len(columns), sizes[j] - complete
            columns += [codes[j] == level for level in range(flagged[j, 1])]
    flags = np.zeros((codes.shape[1], -(-len(columns) // 8) * 8), np.uint8)
    for k, column in enumerate(columns):
        flags[:, k] = column
    return flags.view(np.dtype("<u8")), flagged


def _orders(
    codes: NDArray[np.int32], labels: NDArray[np.int32], flagged: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Order, place and groups of equal values of continuous features without unknown ones."""
    order, place = np.zeros_like(codes), np.zeros_like(codes)
    groups = np.zeros((*codes.shape, 3), np.int32)
    for j in np.flatnonzero(flagged[:, 0] == COMPLETE):
        order[j] = np.argsort(codes[j], kind="stable")
        place[j, order[j]] = np.arange(codes.shape[1])
        ranks, ends = codes[j, order[j]], np.cumsum(np.bincount(codes[j]))
        groups[j, :, 0] = labels[order[j]]
        groups[j, :, 1] = np.append(0, ends)[ranks]
        groups[j, :, 2] = ends[ranks]
    return order, place, groups


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
        self._rows = np.asarray(train, dtype=np.int32)
        self._seen = _seen_levels(data, train)
        shared = rules.fractional and self._any_unknown()
        if weights is None and shared:
            weights = np.ones(len(train))
        self._weights = weights
        self._present = float(len(np.unique(data.target[train])))
        self._walk = _new_walk(256)
        self._bench = _new_bench(test, n_classes, shared, 256)
        self._scratch = _new_scratch(data, len(train), n_classes)
        self.store = self._new_store(n_classes)
        self._reset()

    def score(self, subsets: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Correct test rows, leaves, nodes and size before pruning of the trees, shape (m, 4)."""
        out = np.zeros((len(subsets), 4))
        done, fresh = 0, False
        while True:
            reached = score_subsets(
                self.data, self.rules, self.store, subsets, done, self._present, self._scratch,
                self._walk, self._bench, out,
            )  # fmt: skip
            if reached == len(subsets):
                return out
            fresh = self._make_room(alone=fresh and reached == done)
            done = reached

    def tree(self) -> int:
        """Grow the tree over all features; the number of nodes laid out in ``walk``."""
        everything = np.ones((1, len(self.data.codes)), dtype=bool)
        return int(self.score(everything)[0, 3])

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

    def _new_store(self, n_classes: int) -> Store:
        n, widest = len(self._rows), max(2, int(self.data.levels.max(initial=2)))
        return Store(
            used=np.zeros(5, np.int64),
            rows=np.zeros(4 * n, np.int32),
            weights=np.zeros(0 if self._weights is None else 4 * n),
            nodes=np.recarray(256, NODE),
            counts=np.zeros((256, n_classes)),
            splits=np.zeros((64, len(self.data.codes), 2)),
            links=np.recarray(64, LINK),
            branches=np.recarray(64 * widest, BRANCH),
            slots=np.full(512, -1, np.int32),
            seen=self._seen,
        )

    def _reset(self) -> None:
        """Forget every node but the root."""
        store = self.store
        store.used[:] = [1, len(self._rows), 0, 0, 0]
        store.slots[:] = -1
        store.rows[: len(self._rows)] = self._rows
        if self._weights is not None:
            store.weights[: len(self._rows)] = self._weights
        root = store.nodes[0]
        root.start, root.n, root.key = 0, len(self._rows), 0
        finish_node(self.data.target, self.rules, store, 0)

    def _make_room(self, alone: bool) -> bool:
        """Enlarge what is short, or forget all nodes if that would break the budget.

        Returns whether the store is empty now; ``alone`` says that it was empty before, so that
        only enlarging helps.
        """
        full = {
            group: self.store.used[counter] * 2 > len(getattr(self.store, group[0]))
            for group, counter in _GROUPS.items()
        }
        short = [group for group, is_full in full.items() if is_full]
        fields = [f for group in short or full for f in group]
        more = sum(getattr(self.store, field).nbytes for field in fields)
        if not alone and self.n_bytes + more > self.budget:
            self._reset()
            return True
        self._enlarge(fields)
        if not short:
            self._walk = _new_walk(2 * len(self._walk.node))
            grown = {f: _twice(getattr(self._bench, f)) for f in ("places", "weights")}
            self._bench = self._bench._replace(**grown)
        return alone

    def _enlarge(self, fields: list[str]) -> None:
        self.store = self.store._replace(**{f: _twice(getattr(self.store, f)) for f in fields})
        if "nodes" in fields:
            slots = np.full(2 * len(self.store.slots), -1, np.int32)
            self.store = self.store._replace(slots=slots)
            fill_slots(self.store)


def _seen_levels(data: Data, train: NDArray[Any]) -> NDArray[np.bool_]:
    """Which nominal levels occur in the training rows."""
    seen = np.zeros(len(data.distinct), dtype=bool)
    for j in np.flatnonzero(data.levels):
        codes = data.codes[j, train]
        seen[data.first[j] + codes[codes >= 0]] = True
    return seen


def _new_walk(n: int) -> Walk:
    whole = [np.zeros(n, np.int64) for _ in range(9)]
    alive, stack = np.zeros(n, bool), np.zeros((n, 3), np.int64)
    return Walk._make([*whole, np.zeros(n), np.zeros(n), alive, stack])


def _new_scratch(data: Data, n: int, n_classes: int) -> Scratch:
    widest = max(2, int(data.levels.max(initial=2)))
    ranks = max(1, int(np.diff(data.first).max(initial=1)))
    number, words = np.zeros(1), len(data.target) // 64 + 1
    return Scratch(
        ranks=np.zeros(n, np.int64),
        classes=np.zeros(n, np.int64),
        weights=np.zeros(n),
        keys=np.zeros(n, np.int64),
        rank_words=np.zeros(ranks // 64 + 1, np.uint64),
        tallies=np.zeros((ranks, n_classes), np.int32),
        sides=np.zeros((2, n_classes), np.int64),
        counts=np.zeros((widest, n_classes)),
        margins=np.zeros((2, max(widest, n_classes))),
        hashes=np.zeros(widest, np.uint64),
        sizes=np.zeros((2, widest), np.int64),
        number=number,
        bits=number.view(np.uint64),
        lanes=np.zeros((n_classes, data.flags.shape[1]), np.uint64),
        sums=np.zeros((n_classes, 8 * data.flags.shape[1]), np.int64),
        totals=np.zeros(n_classes, np.int64),
        odd=np.zeros(n + 1, np.int32),
        words=np.zeros(words, np.uint64),
        odd_words=np.zeros(words, np.uint64),
        below=np.zeros(words + 1, np.int64),
        tally=np.zeros((widest, n_classes), np.int64),
    )


def _new_bench(test: NDArray[Any], n_classes: int, shared: bool, n: int) -> Bench:
    return Bench(
        rows=np.asarray(test, dtype=np.int32),
        votes=np.zeros(n_classes),
        places=np.zeros(n if shared else 0, np.int64),
        weights=np.zeros(n if shared else 0),
    )


def _twice(array: NDArray[Any]) -> NDArray[Any]:
    larger = np.empty_like(array, shape=(2 * len(array), *array.shape[1:]))
    larger[: len(array)] = array
    return larger
