"""Mutual information of two numbers from distances to nearest neighbours."""

from __future__ import annotations

import numpy as np
from numba import njit

#: The smallest positive number: nothing but 0 is below it.
SMALLEST = 5e-324


@njit(cache=True, nogil=True)
def mutual_information(x, y, k, digamma):
    """Mutual information in nats (Kraskov, Stögbauer and Grassberger, 2004, first estimator).

    Parameters
    ----------
    x, y : float64 arrays of shape (n,)
        On scales that can be compared.
    k : int
        Neighbours of each row, fewer than rows.
    digamma : float64 array of shape (n + 1,)
        ψ of 0 (not read), 1, ..., n.

    Returns
    -------
    float
        ψ(n) + ψ(k) - mean of ψ(n_x) + ψ(n_y), where n_x counts the rows, this one included, that
        are closer in x than the k-th neighbour is in the larger of both distances. Not below 0.

    Notes
    -----
    Rows are looked at in the order of x, from each row outwards, until x alone is too far.
    """
    n = len(x)
    order = np.argsort(x)
    xs, ys = x[order], y[order]
    other = np.sort(y)
    nearest = np.empty(k)
    total = 0.0
    for i in range(n):
        nearest[:] = np.inf
        low, high = i - 1, i + 1
        while True:
            left = xs[i] - xs[low] if low >= 0 else np.inf
            right = xs[high] - xs[i] if high < n else np.inf
            closer = min(left, right)
            if not closer < nearest[k - 1]:
                break
            if left <= right:
                distance = max(left, abs(ys[i] - ys[low]))
                low -= 1
            else:
                distance = max(right, abs(ys[i] - ys[high]))
                high += 1
            place = k
            while place > 0 and distance < nearest[place - 1]:
                place -= 1
            for t in range(k - 1, place, -1):
                nearest[t] = nearest[t - 1]
            if place < k:
                nearest[place] = distance
        # Among more than k equal rows the radius is 0, and equal values count.
        radius = max(nearest[k - 1], SMALLEST)
        total += digamma[_within(xs, xs[i], radius)] + digamma[_within(other, ys[i], radius)]
    return max(0.0, digamma[n] + digamma[k] - total / n)


@njit(cache=True, nogil=True)
def _within(values, centre, radius):
    """How many of some sorted values are nearer to the centre than the radius."""
    low, high = 0, len(values)
    while low < high:
        half = (low + high) // 2
        if centre - values[half] >= radius:
            low = half + 1
        else:
            high = half
    first, high = low, len(values)
    while low < high:
        half = (low + high) // 2
        if values[half] - centre < radius:
            low = half + 1
        else:
            high = half
    return low - first
