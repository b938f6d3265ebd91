"""Tables and rules as the tree kernels want them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from ..._kernels.trees.forest import COMPLETE, FLAG, LEVELS, OFFSET, SLOT, WIDTH, Data, Rules
from ..._kernels.trees.whole import NONE

#: Nominal features with more levels are counted one by one.
MOST_FLAGS = 16


@dataclass(frozen=True, eq=False)
class TreeTable:
    """Table in the form that the tree kernels read.

    data: its values and classes.
    features: int64 array, what is known of each feature.
    orders (continuous features, rows): the rows with a known value in the order of each continuous
        feature; NONE ends a list.
    """

    data: Any
    features: NDArray[np.int64]
    orders: NDArray[np.uint32]


def tree_table(
    values: NDArray[np.float64],
    levels: tuple[Any, ...],
    target: NDArray[Any],
    min_gap: float = 0.0,
) -> TreeTable:
    """Return level codes and ranks, one row per feature, and what the kernels derive from them.

    No cut lies between values that differ by ``min_gap`` or less.
    """
    n, d = values.shape
    codes = np.full((d, n), -1, dtype=np.int32)
    sizes = np.array([0 if v is None else len(v) for v in levels], dtype=np.int64)
    distinct, above = [], []
    for j in range(d):
        known = ~np.isnan(values[:, j])
        if levels[j] is not None:
            codes[j, known] = values[known, j].astype(np.int32)
            distinct.append(np.zeros(sizes[j]))
        else:
            found, codes[j, known] = np.unique(values[known, j], return_inverse=True)
            distinct.append(found)
        above.append(np.searchsorted(distinct[-1], distinct[-1] + min_gap, side="right"))
    flags, flagged = _flags(codes, sizes)
    fixed, shift = _logarithms(n)
    features = np.zeros((d, 12), np.int64)
    features[:, LEVELS], features[:, COMPLETE] = sizes, (codes >= 0).all(axis=1)
    features[1:, OFFSET] = np.cumsum([len(v) for v in distinct])[:-1]
    continuous = [j for j in range(d) if levels[j] is None]
    features[continuous, SLOT] = np.arange(1, len(continuous) + 1)
    features[:, [FLAG, WIDTH]] = flagged
    data = Data(
        codes=codes,
        distinct=np.concatenate(distinct) if distinct else np.zeros(0),
        above=np.concatenate(above).astype(np.int32) if above else np.zeros(0, np.int32),
        classes=np.asarray(target, dtype=np.uint32),
        fixed=fixed,
        unit=2.0**-shift,
        near=max(16, int(1e-10 * 2.0**shift)),
        flags=flags,
    )
    return TreeTable(data, features, _orders(codes[continuous]))


def _orders(codes: NDArray[np.int32]) -> NDArray[np.uint32]:
    """Return the rows in the order of each feature, without those of unknown value."""
    lists = np.full(codes.shape, NONE)
    for j, ranks in enumerate(codes):
        known = np.argsort(ranks, kind="stable")[np.count_nonzero(ranks < 0) :]
        lists[j, : len(known)] = known
    return lists


def _flags(
    codes: NDArray[np.int32], sizes: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return a bit per level of the nominal features with few levels, and each feature's bits."""
    flagged = np.zeros((len(codes), 2), np.int64)
    columns: list[NDArray[np.bool_]] = []
    for j in np.flatnonzero((sizes > 0) & (sizes <= MOST_FLAGS)):
        # Without unknown values the count of the last level follows from the others.
        flagged[j] = len(columns), sizes[j] - (codes[j] >= 0).all()
        columns += [codes[j] == level for level in range(flagged[j, 1])]
    bits = np.zeros((codes.shape[1], -(-len(columns) // 64) * 64), bool)
    for k, column in enumerate(columns):
        # The order in which the kernel takes its counts apart.
        bits[:, k // 64 * 64 + k % 64 // 8 + k % 8 * 8] = column
    return np.packbits(bits, axis=1, bitorder="little").view(np.dtype("<u8")), flagged


def _logarithms(n: int) -> tuple[NDArray[np.int64], int]:
    """Return n log₂ n in whole units as small as 64 bits allow for sums, and their exponent."""
    table = np.arange(n + 1, dtype=np.float64)
    table[1:] *= np.log2(table[1:])
    shift = 60 - int(np.ceil(np.log2(max(2.0, table[-1]))))
    return np.round(table * 2.0**shift).astype(np.int64), shift


def tree_rules(
    table: TreeTable,
    n_classes: int,
    *,
    significance: float = 1.0,
    minimum: float = 1.0,
    release8: bool = False,
    fractional: bool = False,
    confidence: float = 0.0,
) -> Any:
    """Return the rules to grow and prune by, with this table's critical values of chi-squared."""
    critical = np.zeros(0)
    if significance < 1.0:
        freedom = np.arange(
            (max(2, int(table.features[:, LEVELS].max(initial=2))) - 1) * (n_classes - 1) + 1
        )
        critical = np.append(0.0, stats.chi2.isf(significance, freedom[1:]))
    z = float(stats.norm.isf(confidence)) if confidence > 0.0 else 0.0
    return Rules(
        critical, float(minimum), release8, fractional, float(confidence), z, float(n_classes)
    )
