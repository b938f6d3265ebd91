"""Values of quadratic rules: normal densities with a covariance matrix per class."""

from __future__ import annotations

import numpy as np
from numba import njit

from .factor import factor, smallest_eigenvalues


@njit(cache=True, nogil=True, error_model="numpy")
def quadratic_values(
    covariance, ridge, mean, log_prior, x, unit, cut, drift, precision, candidates, values,
    slack, unsure,
):  # fmt: skip
    """Log-densities of some rows in each class, up to a constant, for each subset.

    Parameters
    ----------
    covariance : float64 (classes, d, d)
    ridge : float64 (d,)
        Added to the diagonals.
    mean : float64 (classes, d)
    log_prior : float64 (classes,)
    x : float64 (d, rows)
    unit : float64 (d,)
        What one of each column is in the units in which the rank is judged.
    cut : float
        An eigenvalue up to this makes a matrix singular.
    drift : float64 (d,)
        How far rounding may move a value of each column.
    precision : float
        Relative rounding error of the numbers that the values are compared with.
    candidates : bool (m, d)
    values : float64 (m, classes, rows)
        Where the values go.
    slack : float64 (m, rows)
        Where bounds of their errors go.
    unsure : bool (m,)
        Set where a matrix is nearly singular.
    """
    m, d = candidates.shape
    n = x.shape[1]
    lower, rows = np.empty((d, d)), np.empty((d, n))
    members, column = np.empty(d, dtype=np.int64), np.empty(d)
    for i in range(m):
        count, moved = 0, 0.0
        for j in range(d):
            if candidates[i, j]:
                members[count] = j
                count += 1
                moved += drift[j] * drift[j]
        for r in range(n):
            slack[i, r] = 0.0
        for c in range(len(mean)):
            smallest = factor(covariance[c], ridge, members, count, lower)
            floor, least = 0.0, 0.0
            if smallest > 0.0:
                floor, least = smallest_eigenvalues(lower, count, members, unit, column)
            if floor <= 1.01 * cut:
                unsure[i] = True
                break
            start = log_prior[c]
            for a in range(count):
                start += np.log(lower[a, a])
            own = values[i, c]
            for r in range(n):
                own[r] = start
            _subtract_distances(lower, count, members, mean[c], x, rows, own)
            share = 32.0 * precision * (count + 1) / smallest
            # No value moves further than rounding over the least spread.
            step = np.sqrt(moved / least)
            share += step
            known = share * (1.0 + abs(start))
            near = slack[i]
            for r in range(n):
                near[r] = max(near[r], known + share * abs(own[r]))


@njit(cache=True, nogil=True, error_model="numpy")
def _subtract_distances(lower, count, members, mean, x, rows, own):
    """Subtract half the squared distances, one column after the other."""
    n = len(own)
    for a in range(count):
        j = members[a]
        row, value, centre = rows[a], x[j], mean[j]
        for r in range(n):
            row[r] = value[r] - centre
        for t in range(a):
            weight, known = lower[a, t], rows[t]
            for r in range(n):
                row[r] -= weight * known[r]
        inverse = lower[a, a]
        for r in range(n):
            row[r] *= inverse
            own[r] -= 0.5 * row[r] * row[r]
