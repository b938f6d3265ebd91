"""ReliefF: how differently features take values in neighbours of the same and other classes."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def _difference(a, b, size):
    """Difference of two values in [0, 1]; ``size`` is the number of levels, 0 if continuous."""
    if size > 0:
        if np.isnan(a) or np.isnan(b):
            return 1.0 - 1.0 / size
        return 0.0 if a == b else 1.0
    if np.isnan(a) and np.isnan(b):
        return 1.0
    if np.isnan(a) or np.isnan(b):
        known = b if np.isnan(a) else a
        return max(known, 1.0 - known)
    return abs(a - b)


@njit(cache=True, nogil=True)
def _nearest(distances, target, row, label, k, best):
    """Fill ``best`` with the up to k nearest other rows of a class; equal ones by number."""
    found = 0
    for other in range(len(distances)):
        if other == row or target[other] != label:
            continue
        place = found
        while place > 0 and distances[best[place - 1]] > distances[other]:
            place -= 1
        if place >= k:
            continue
        last = min(found, k - 1)
        for p in range(last, place, -1):
            best[p] = best[p - 1]
        best[place] = other
        found = min(found + 1, k)
    return found


@njit(cache=True, nogil=True)
def relief_weights(values, sizes, target, shares, rows, k):
    """Mean difference to the nearest of other classes less that to the nearest of the own.

    Parameters
    ----------
    values : float64 array of shape (n, d)
        Codes of nominal columns, continuous ones scaled to [0, 1]; NaN where unknown.
    sizes : int64 array of shape (d,)
        Number of levels; 0 for a continuous column.
    target : int64 array of shape (n,)
    shares : float64 array of shape (classes,)
        Share of each class in all rows.
    rows : int64 array
        The rows to look at.
    k : int
        Neighbours a class.
    """
    n, d = values.shape
    weights = np.zeros(d)
    distances = np.empty(n)
    best = np.empty(k, dtype=np.int64)
    for row in rows:
        for other in range(n):
            distances[other] = 0.0
            for j in range(d):
                distances[other] += _difference(values[row, j], values[other, j], sizes[j])
        for label in range(len(shares)):
            found = _nearest(distances, target, row, label, k, best)
            factor = -1.0
            if label != target[row]:
                factor = shares[label] / (1.0 - shares[target[row]])
            for p in range(found):
                for j in range(d):
                    step = _difference(values[row, j], values[best[p], j], sizes[j])
                    weights[j] += factor * step / (found * len(rows))
    return weights
