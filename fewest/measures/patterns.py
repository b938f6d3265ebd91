"""The distinct rows of an all-nominal table, with their classes and how often each occurs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.table import Table
from ..kernels.patterns import inconsistencies, mixed_groups


@dataclass(frozen=True, eq=False)
class Patterns:
    """Distinct (row, class) pairs of a table and their weights.

    Columns are kept in ``order``, those that leave the fewest inconsistencies alone first:
    most rows then leave a partition after a few columns.
    """

    codes: NDArray[Any]
    sizes: NDArray[np.int64]
    classes: NDArray[Any]
    weights: NDArray[np.int64]
    n_classes: int
    order: NDArray[np.intp]

    @property
    def n_rows(self) -> int:
        """Number of rows of the table."""
        return int(self.weights.sum())

    def counts(self, subsets: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The inconsistency count of each subset."""
        permuted = np.ascontiguousarray(np.asarray(subsets, dtype=bool)[:, self.order])
        # Neighbours in lexicographic order share the longest prefixes.
        by_prefix = np.lexsort(permuted.T[::-1]) if permuted.shape[1] else np.arange(len(subsets))
        by_prefix = by_prefix[::-1]
        counts = np.empty(len(permuted), dtype=np.int64)
        counts[by_prefix] = inconsistencies(
            self.codes,
            self.sizes,
            self.classes,
            self.weights,
            self.n_classes,
            permuted[by_prefix],
        )
        return counts

    @property
    def columns(self) -> NDArray[Any]:
        """The codes with the columns in the order of the table, a copy."""
        back = np.empty_like(self.order)
        back[self.order] = np.arange(len(back))
        return self.codes[back]


def dense_codes(
    table: Table, out: NDArray[np.int32] | None = None
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Codes of all columns, shape (columns, rows), unknown as a value of its own; their sizes."""
    codes = np.empty((table.n_features, table.n_rows), np.int32) if out is None else out
    sizes = np.empty(table.n_features, dtype=np.int64)
    for j in range(table.n_features):
        column = table.values[:, j]
        known = len(table.levels[j] or ())
        unknown = np.isnan(column)
        codes[j] = np.where(unknown, known, column)
        sizes[j] = known + bool(unknown.any())
    return codes, np.maximum(sizes, 1)


def narrow(codes: NDArray[np.int32]) -> NDArray[Any]:
    """The same codes in one byte each if they fit: a column then stays in the fastest cache."""
    fits = codes.size == 0 or codes.max() < 256
    return np.ascontiguousarray(codes, dtype=np.uint8 if fits else np.int32)


def distinct(
    codes: NDArray[np.int32], sizes: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first row of each distinct one, in their order, and how often each occurs."""
    n_rows = codes.shape[1]
    every = np.ones(len(codes), dtype=bool)
    # With every row a class of its own, the groups that stay mixed are the repeated rows.
    rows, starts = mixed_groups(codes, sizes, np.arange(n_rows, dtype=np.int32), every)
    weights = np.ones(n_rows, dtype=np.int64)
    weights[rows] = 0
    if len(rows):
        heads = np.minimum.reduceat(rows, starts[:-1])
        weights[heads] = np.diff(starts)
    first = np.flatnonzero(weights)
    return first, weights[first]


def patterns_of(table: Table) -> Patterns:
    """The distinct rows of ``table``, all of whose columns are nominal."""
    # The classes are one more column, beside the codes from the start: a copy would double them.
    together = np.empty((table.n_features + 1, table.n_rows), dtype=np.int32)
    codes, sizes = dense_codes(table, together[:-1])
    classes = together[-1]
    classes[:] = table.target
    first, weights = distinct(together, np.append(sizes, max(table.n_classes, 1)))
    everything = Patterns(
        narrow(codes[:, first]),
        sizes,
        narrow(classes[first]),
        weights,
        max(table.n_classes, 1),
        np.arange(len(codes)),
    )
    return best_first(everything)


def best_first(patterns: Patterns) -> Patterns:
    """The same patterns with the columns that leave the fewest inconsistencies first."""
    alone = patterns.counts(np.eye(len(patterns.codes), dtype=bool))
    order = np.lexsort((np.arange(len(alone)), alone))
    return Patterns(
        np.ascontiguousarray(patterns.codes[order]),
        patterns.sizes[order],
        patterns.classes,
        patterns.weights,
        patterns.n_classes,
        order,
    )
