"""RReliefF: how differently features take values in neighbours with other targets."""

from __future__ import annotations

import numpy as np
from numba import njit

from .relief import _difference


@njit(cache=True, nogil=True)
def _nearest(distances, row, k, best):
    """Fill ``best`` with the up to k nearest other rows; equal ones by number."""
    found = 0
    for other in range(len(distances)):
        if other == row:
            continue
        place = found
        while place > 0 and distances[best[place - 1]] > distances[other]:
            place -= 1
        if place >= k:
            continue
        for p in range(min(found, k - 1), place, -1):
            best[p] = best[p - 1]
        best[place] = other
        found = min(found + 1, k)
    return found


@njit(cache=True, nogil=True)
def regression_relief(values, sizes, target, rows, influence):
    """Weights of features for a numeric target (Robnik-Šikonja and Kononenko, 2003, figure 3).

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
    influence : float64 array of shape (k,)
        The weights of the k neighbours of a row, the nearest first; they are scaled to a sum of 1.
    """
    n, d = values.shape
    k = len(influence)
    other_value, both = np.zeros(d), np.zeros(d)
    other_target, total = 0.0, 0.0
    distances, best = np.empty(n), np.empty(k, dtype=np.int64)
    for row in rows:
        for other in range(n):
            distances[other] = 0.0
            for j in range(d):
                distances[other] += _difference(values[row, j], values[other, j], sizes[j])
        found = _nearest(distances, row, k, best)
        whole = 0.0
        for p in range(found):
            whole += influence[p]
        for p in range(found):
            share = influence[p] / whole if whole > 0.0 else 0.0
            apart = abs(target[row] - target[best[p]])
            other_target += apart * share
            for j in range(d):
                step = _difference(values[row, j], values[best[p], j], sizes[j]) * share
                other_value[j] += step
                both[j] += step * apart
        total += 1.0 if found else 0.0
    weights = np.zeros(d)
    if other_target > 0.0 and total > other_target:
        for j in range(d):
            weights[j] = both[j] / other_target
            weights[j] -= (other_value[j] - both[j]) / (total - other_target)
    return weights
