"""A* over orderings: the best network over many variables, or a bound when time is up."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...kernels.networks.order_search import (
    DONE,
    FULL,
    OrderSearch,
    expand,
    open_node,
    pattern_table,
)
from ...kernels.networks.subset_sums import fill_places
from .parent_sets import ParentSets

#: Variables of a pattern database, nodes in memory at most, nodes between looks at the clock.
LARGEST_GROUP, MOST_NODES, STEPS = 20, 1 << 23, 2000


@dataclass(frozen=True)
class OrderSearchEnd:
    """How the search ended; ``ordering`` is None where nothing beats the network at hand."""

    ordering: tuple[int, ...] | None
    bound: float
    optimal: bool
    expanded: int


def search_orders(sets: ParentSets, known: float, seconds: float | None = None) -> OrderSearchEnd:
    """Search for a network that scores more than ``known``."""
    start = time.monotonic()
    facts = (sets.d, sets.sets, sets.scores, sets.starts)
    patterns = _patterns(sets)
    search = _room(1 << 16)
    whole = sum(float(t[(1 << n) - 1]) for t, n in zip(patterns[1], patterns[2], strict=True))
    open_node(search, 0, 0.0, -1, -1, whole)
    while True:
        state = expand(search, *facts, *patterns, known, STEPS)
        late = seconds is not None and time.monotonic() - start > seconds
        if state == DONE:
            return _end(search, sets.d, known)
        if late or (state == FULL and len(search.masks) >= MOST_NODES):
            bound = float(search.estimates[0])
            return OrderSearchEnd(None, bound, False, int(search.count[2]))
        if state == FULL:
            search = _grown(search)


def _end(search: OrderSearch, d: int, known: float) -> OrderSearchEnd:
    expanded = int(search.count[2])
    if search.count[1] == 0 or search.estimates[0] <= known + 1e-9:
        return OrderSearchEnd(None, known, True, expanded)
    node, order = int(search.heap[0]), []
    while search.lasts[node] >= 0:
        order.append(int(search.lasts[node]))
        node = int(search.befores[node])
    return OrderSearchEnd(tuple(reversed(order)), float(search.estimates[0]), True, expanded)


def _patterns(
    sets: ParentSets,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Groups of variables, their pattern tables, and the sizes of the groups."""
    number = math.ceil(sets.d / LARGEST_GROUP)
    parts = np.array_split(np.array(_related(sets)), number)
    lengths = np.array([len(part) for part in parts])
    groups = np.zeros((number, lengths.max()), dtype=np.int64)
    tables = np.zeros((number, 1 << int(lengths.max())))
    for g, part in enumerate(parts):
        groups[g, : len(part)] = part
        room = tables[g, : 1 << len(part)]
        pattern_table(part, sets.d, sets.sets, sets.scores, sets.starts, room)
    return groups, tables, lengths


def _related(sets: ParentSets) -> list[int]:
    """The variables in an order that keeps those together that want each other as parents."""
    d = sets.d
    tie = np.zeros((d, d))
    for x in range(d):
        own = slice(int(sets.starts[x]), int(sets.starts[x + 1]))
        alone = float(sets.scores[own][sets.sets[own] == 0][0])
        for p in range(d):
            inside = sets.scores[own][(sets.sets[own] >> p) & 1 == 1]
            tie[x, p] = max(0.0, float(inside.max()) - alone) if len(inside) else 0.0
    tie += tie.T
    order = [int(tie.sum(axis=1).argmax())]
    while len(order) < d:
        rest = [v for v in range(d) if v not in order]
        # The last few count: so a group is a neighbourhood, not a star.
        order.append(max(rest, key=lambda v: float(tie[v, order[-LARGEST_GROUP:]].sum())))
    return order


def _room(size: int) -> OrderSearch:
    return OrderSearch(
        np.full(2 * size, -1), np.zeros(2 * size, dtype=np.int64), np.zeros(size, dtype=np.int64),
        np.zeros(size), np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64),
        np.zeros(2 * size, dtype=np.int64), np.zeros(2 * size), np.zeros(3, dtype=np.int64),
    )  # fmt: skip


def _grown(old: OrderSearch) -> OrderSearch:
    new = _room(2 * len(old.masks))
    n, length = int(old.count[0]), int(old.count[1])
    for name in ("masks", "values", "lasts", "befores"):
        getattr(new, name)[:n] = getattr(old, name)[:n]
    for name in ("heap", "estimates"):
        getattr(new, name)[:length] = getattr(old, name)[:length]
    fill_places(new.keys, new.nodes, new.masks[:n])
    new.count[:] = old.count
    return new
