"""ReliefF: how differently features take values in neighbours of the same and other classes."""

from __future__ import annotations

import numpy as np
from numba import njit

#: Distances that differ by less are equal up to rounding.
SAME = 1e-12


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
def _shares(distances, target, row, label, k, least, share):
    """Fill ``share`` with what each row counts as one of the k nearest other rows of a class.

    Rows as far as the k-th share the places that nearer ones leave. Returns how many rows of the
    class there are, at most k; ``least`` is room for k distances.
    """
    found = 0
    for other in range(len(distances)):
        share[other] = 0.0
        if other == row or target[other] != label:
            continue
        place = found
        while place > 0 and least[place - 1] > distances[other]:
            place -= 1
        if place >= k:
            continue
        for p in range(min(found, k - 1), place, -1):
            least[p] = least[p - 1]
        least[place] = distances[other]
        found = min(found + 1, k)
    if found == 0:
        return 0
    near, equal = 0, 0
    slack = SAME * (1.0 + least[found - 1])
    for p in range(found):
        near += least[p] < least[found - 1] - slack
    for other in range(len(distances)):
        if other != row and target[other] == label:
            equal += abs(distances[other] - least[found - 1]) <= slack
    for other in range(len(distances)):
        if other != row and target[other] == label:
            if distances[other] < least[found - 1] - slack:
                share[other] = 1.0
            elif distances[other] <= least[found - 1] + slack:
                share[other] = (found - near) / equal
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
        Neighbours of each class. Where several rows are as far as the last, each counts in part.
    """
    n, d = values.shape
    weights = np.zeros(d)
    distances = np.empty(n)
    least, share = np.empty(k), np.empty(n)
    for row in rows:
        for other in range(n):
            distances[other] = 0.0
            for j in range(d):
                distances[other] += _difference(values[row, j], values[other, j], sizes[j])
        for label in range(len(shares)):
            found = _shares(distances, target, row, label, k, least, share)
            factor = -1.0
            if label != target[row]:
                factor = shares[label] / (1.0 - shares[target[row]])
            for other in range(n):
                if share[other] > 0.0:
                    part = factor * share[other] / (found * len(rows))
                    for j in range(d):
                        step = _difference(values[row, j], values[other, j], sizes[j])
                        weights[j] += part * step
    return weights
