"""Counts of pairs of coded columns with the class, added up batch after batch.

Columns with few values are joined into groups, and pairs of groups are counted: one addition for
all pairs of columns between two groups. The counts of two columns are a margin of such a table.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def join_columns(codes, sizes, starts):
    """One code for each group of consecutive columns, the last varying fastest.

    ``codes`` is uint16 of shape (d, n), ``sizes`` int64 of shape (d,); group g has the columns
    from ``starts[g]`` up to ``starts[g + 1]``. Returns uint16 of shape (groups + 1, n); the last
    row is 0, for tables of one group only.
    """
    n = codes.shape[1]
    joined = np.zeros((len(starts), n), dtype=np.uint16)
    for g in range(len(starts) - 1):
        for j in range(starts[g], starts[g + 1]):
            size = np.uint16(sizes[j])
            for row in range(n):
                joined[g, row] = joined[g, row] * size + codes[j, row]
    return joined


@njit(cache=True, nogil=True)
def add_tables(joined, strides, first, second, offsets, target, n_classes, counts):
    """Add the rows of a batch to the tables of counts, all in one flat int64 array.

    Table t counts ``(joined[first[t]] * strides[t] + joined[second[t]]) * n_classes + target``
    from ``offsets[t]`` on. All rows of a table are added before the next one is touched: a small
    table then stays in the first cache.
    """
    for t in range(len(first)):
        one = joined[first[t]]
        other = joined[second[t]]
        width = strides[t] * n_classes
        for row in range(len(target)):
            cell = offsets[t] + one[row] * width + other[row] * n_classes + target[row]
            counts[cell] += 1


@njit(cache=True, nogil=True)
def add_weighted_tables(joined, strides, first, second, offsets, target, n_classes, weight, counts):
    """As ``add_tables``, but every row counts ``weight``, into a float64 array."""
    for t in range(len(first)):
        one = joined[first[t]]
        other = joined[second[t]]
        width = strides[t] * n_classes
        for row in range(len(target)):
            cell = offsets[t] + one[row] * width + other[row] * n_classes + target[row]
            counts[cell] += weight[row]
