"""Some rows of a table, laid out by column."""

from __future__ import annotations

from numba import njit

#: Rows that are read together: one line of the cache of every column of the answer.
TOGETHER = 8


@njit(cache=True, nogil=True)
def gather_columns(values, rows, columns, out):
    """Write some columns of some rows to ``out``, without an array between.

    Parameters
    ----------
    values : float64 or float32 (all rows, all columns)
    rows, columns : intp
    out : float64 (columns, rows)
    """
    n = len(rows)
    for low in range(0, n, TOGETHER):
        for k in range(len(columns)):
            for r in range(low, min(low + TOGETHER, n)):
                out[k, r] = values[rows[r], columns[k]]
