"""Inconsistencies of one subset with each of some further columns: its partition is made once."""

import numpy as np
from numba import njit

from ..counting.patterns import count_split
from .lattice import start_with


@njit(cache=True, nogil=True)
def count_steps(words, fields, sizes, classes, weights, n_classes, base, columns):
    """The inconsistency count of ``base`` with each of ``columns``.

    Parameters
    ----------
    words, fields, sizes, classes, weights, n_classes
        As for :func:`~.inconsistencies.inconsistencies`.
    base, columns : int64
        Numbers of columns; none of ``columns`` is in ``base``.

    Returns
    -------
    int64 (len(columns),)
    """
    n, widest = len(words), sizes.max()
    rows, starts = np.empty((2, n), np.int32), np.empty((2, n + 2), np.int32)
    largest, cells = np.zeros(widest, np.int64), np.zeros(widest * n_classes, np.int64)
    scratch = np.zeros((3, widest), np.int32)
    n_groups = start_with(words, fields, classes, base, rows, starts, scratch)
    counts = np.zeros(len(columns), np.int64)
    for i in range(len(columns)):
        counts[i] = count_split(
            words, fields[columns[i]], classes, weights, rows[0], starts[0], n_groups, n_classes,
            cells, largest,
        )  # fmt: skip
    return counts
