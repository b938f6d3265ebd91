"""Filters from near rows: ReliefF, RReliefF and mutual information."""

from __future__ import annotations

import numpy as np
from numba import njit

#: Distances that differ by less are equal up to rounding.
SAME = 1e-12
#: Values that one compiled call compares with a row.
VALUES_PER_CALL = 50_000_000


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
def _fill_distances(values, sizes, row, distances):
    """Write the distance of one row to each."""
    for other in range(len(values)):
        distances[other] = 0.0
        for j in range(values.shape[1]):
            distances[other] += _difference(values[row, j], values[other, j], sizes[j])


@njit(cache=True, nogil=True)
def _nearest(distances, target, row, label, k, best):
    """Fill ``best`` with the up to k nearest other rows of a class (-1: of any); equal by number.

    Returns how many there are.
    """
    found = 0
    for other in range(len(distances)):
        if other == row or (label >= 0 and target[other] != label):
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
def _shares(distances, target, row, label, k, best, share):
    """Fill ``share`` with what each row counts as one of the k nearest other rows of a class.

    Rows as far as the k-th share the places that nearer ones leave. Returns how many rows of the
    class there are, at most k; ``best`` is room for k rows.
    """
    share[:] = 0.0
    found = _nearest(distances, target, row, label, k, best)
    if found == 0:
        return 0
    near, equal, last = 0, 0, distances[best[found - 1]]
    slack = SAME * (1.0 + last)
    for p in range(found):
        near += distances[best[p]] < last - slack
    for other in range(len(distances)):
        if other != row and target[other] == label:
            equal += abs(distances[other] - last) <= slack
    for other in range(len(distances)):
        if other != row and target[other] == label:
            if distances[other] < last - slack:
                share[other] = 1.0
            elif distances[other] <= last + slack:
                share[other] = (found - near) / equal
    return found


@njit(cache=True, nogil=True)
def add_relief(values, sizes, target, shares, rows, total, k, weights):
    """Add the share of some rows to the weights; see :func:`relief_weights`."""
    n, d = values.shape
    distances = np.empty(n)
    best, share = np.empty(k, dtype=np.int64), np.empty(n)
    for row in rows:
        _fill_distances(values, sizes, row, distances)
        for label in range(len(shares)):
            found = _shares(distances, target, row, label, k, best, share)
            factor = -1.0
            if label != target[row]:
                factor = shares[label] / (1.0 - shares[target[row]])
            for other in range(n):
                if share[other] > 0.0:
                    part = factor * share[other] / (found * total)
                    for j in range(d):
                        step = _difference(values[row, j], values[other, j], sizes[j])
                        weights[j] += part * step


def relief_weights(values, sizes, target, shares, rows, k):
    """Mean difference to the nearest of other classes less that to the nearest of the own.

    values (n, d): codes of nominal columns, continuous ones scaled to [0, 1]; NaN where unknown.
    sizes (d,): number of levels; 0 for a continuous column.
    target (n,)
    shares (classes,): share of each class in all rows.
    rows: the rows to look at.
    k: neighbours of each class. Where several rows are as far as the last, each counts in part.
    """
    weights = np.zeros(values.shape[1])
    for some in _slices(rows, values):
        add_relief(values, sizes, target, shares, some, len(rows), k, weights)
    return weights


def _slices(rows, values):
    """Cut rows into parts of well below a second: between calls an interrupt is heard."""
    size = 1 + VALUES_PER_CALL // (values.size + 1)
    return [rows[first : first + size] for first in range(0, len(rows), size)]


@njit(cache=True, nogil=True)
def add_regression_relief(values, sizes, target, rows, influence, other_value, both, sums):
    """Add some rows to the sums of :func:`regression_relief`: by feature, of targets, of rows."""
    n, d = values.shape
    k = len(influence)
    distances, best = np.empty(n), np.empty(k, dtype=np.int64)
    for row in rows:
        _fill_distances(values, sizes, row, distances)
        found = _nearest(distances, target, row, -1, k, best)
        whole = 0.0
        for p in range(found):
            whole += influence[p]
        for p in range(found):
            share = influence[p] / whole if whole > 0.0 else 0.0
            apart = abs(target[row] - target[best[p]])
            sums[0] += apart * share
            for j in range(d):
                step = _difference(values[row, j], values[best[p], j], sizes[j]) * share
                other_value[j] += step
                both[j] += step * apart
        sums[1] += 1.0 if found else 0.0


def regression_relief(values, sizes, target, rows, influence):
    """Weights of features for a numeric target (Robnik-Šikonja and Kononenko, 2003, figure 3).

    values (n, d): codes of nominal columns, continuous ones scaled to [0, 1]; NaN where unknown.
    sizes (d,): number of levels; 0 for a continuous column.
    target (n,): scaled to [0, 1].
    rows: the rows to look at.
    influence (k,): the weights of the k neighbours of a row, the nearest first; they are scaled to
        a sum of 1.
    """
    d = values.shape[1]
    other_value, both, sums = np.zeros(d), np.zeros(d), np.zeros(2)
    for some in _slices(rows, values):
        add_regression_relief(values, sizes, target, some, influence, other_value, both, sums)
    other_target, total = sums
    weights = np.zeros(d)
    if other_target > 0.0 and total > other_target:
        weights = both / other_target - (other_value - both) / (total - other_target)
    return weights


#: The smallest positive number: nothing but 0 is below it.
SMALLEST = 5e-324


@njit(cache=True, nogil=True)
def mutual_information(x, y, k, digamma):
    """Mutual information in nats (Kraskov, Stögbauer and Grassberger, 2004, first estimator).

    x, y (n,): on scales that can be compared.
    k: neighbours of each row, fewer than rows.
    digamma (n + 1,): ψ of 0 (not read), 1, ..., n.

    Returns float: ψ(n) + ψ(k) - mean of ψ(n_x) + ψ(n_y), where n_x counts the rows, this one
        included, that are closer in x than the k-th neighbour is in the larger of both distances.
        Not below 0.

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
