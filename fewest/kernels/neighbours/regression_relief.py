"""RReliefF: how differently features take values in neighbours with other targets."""

from __future__ import annotations

import numpy as np
from numba import njit

from .relief import _difference, _nearest


@njit(cache=True, nogil=True)
def regression_relief(values, sizes, target, rows, k):
    """Weights of features for a numeric target (Robnik-Šikonja and Kononenko, 2003, figure 3).

    All k neighbours weigh the same; the paper also has weights that fall with the rank.

    Parameters
    ----------
    values : float64 array of shape (n, d)
        Codes of nominal columns, continuous ones scaled to [0, 1]; NaN where unknown.
    sizes : int64 array of shape (d,)
        Number of levels; 0 for a continuous column.
    target : float64 array of shape (n,)
        Scaled to [0, 1].
    rows : int64 array
        The rows to look at.
    k : int
        Neighbours of each.
    """
    n, d = values.shape
    other_value, both = np.zeros(d), np.zeros(d)
    other_target, total = 0.0, 0.0
    distances, best = np.empty(n), np.empty(k, dtype=np.int64)
    everyone = np.zeros(n, dtype=np.int64)
    for row in rows:
        for other in range(n):
            distances[other] = 0.0
            for j in range(d):
                distances[other] += _difference(values[row, j], values[other, j], sizes[j])
        found = _nearest(distances, everyone, row, 0, k, best)
        for p in range(found):
            apart = abs(target[row] - target[best[p]])
            other_target += apart / found
            for j in range(d):
                step = _difference(values[row, j], values[best[p], j], sizes[j]) / found
                other_value[j] += step
                both[j] += step * apart
        total += 1.0 if found else 0.0
    weights = np.zeros(d)
    if other_target > 0.0 and total > other_target:
        for j in range(d):
            weights[j] = both[j] / other_target
            weights[j] -= (other_value[j] - both[j]) / (total - other_target)
    return weights
