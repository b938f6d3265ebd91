"""Some rows of a table, laid out by column."""

from __future__ import annotations

from numba import njit

#: Rows that are read together: one line of the cache of every column of the answer.
TOGETHER = 8


@njit(cache=True, nogil=True)
def gather_columns(values, rows, out):
    """Write ``values[rows].T`` to ``out``: without an array between, and rows in one go.

    Parameters
    ----------
    values : float64 or float32 (all rows, columns)
    rows : intp
    out : float64 (columns, rows)
    """
    n, d = len(rows), values.shape[1]
    for low in range(0, n, TOGETHER):
        for j in range(d):
            for r in range(low, min(low + TOGETHER, n)):
                out[j, r] = values[rows[r], j]
