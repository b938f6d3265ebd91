"""Margins of naive Bayes from the values of rows, and what rounding may do to them."""

from __future__ import annotations

import numpy as np
from numba import njit

from ..inner import hot


@njit(cache=True, nogil=True, error_model="numpy")
def value_margins(
    x, bounds, nominal, levels, mean, variance, unit, rough, shift, margins, tolerance
):  # fmt: skip
    """Write the margins of some rows, and add to how close to zero is too close.

    Parameters
    ----------
    x : float64 (features, rows), NaN where unknown
        Rows are sorted by class; see :mod:`fewest.kernels.bayes.margins`.
    bounds : int64 (classes + 1,)
    nominal : bool (features,)
    levels : float64 (features, levels, classes)
        Log-probabilities of the levels of nominal features.
    mean, variance : float64 (classes, features)
        Of continuous features; one of infinite variance says nothing.
    unit : float
        Relative error of a sum of log-likelihoods.
    rough, shift : float64 (features,)
        Relative error of the variances, and error of the means.
    margins : float64 (features, rivals * rows)
        Zeros, where the margins go.
    tolerance : float64 (rivals * rows,)
        Where their errors are added.
    """
    d, n = x.shape
    rivals = len(bounds) - 2
    for j in range(d):
        for t in range(rivals + 1):
            first, last = bounds[t], bounds[t + 1]
            for o in range(rivals if first < last else 0):
                c, at = o + (o >= t), o * n
                if nominal[j]:
                    _level_margins(x, levels, j, t, c, first, last, at, unit, margins, tolerance)
                elif variance[t, j] < np.inf:
                    _density_margins(
                        x, mean, variance, j, t, c, first, last, at, unit + rough[j], shift[j],
                        margins, tolerance,
                    )  # fmt: skip


@hot
def _level_margins(x, levels, j, t, c, first, last, at, unit, margins, tolerance):
    """Margins of class ``t`` over class ``c`` for codes; levels beyond the last say nothing."""
    for r in range(first, last):
        if x[j, r] < levels.shape[1]:
            value = np.int64(x[j, r])
            own, other = levels[j, value, t], levels[j, value, c]
            margins[j, at + r] = own - other
            tolerance[at + r] += unit * (abs(own) + abs(other))


@hot
def _density_margins(
    x, mean, variance, j, t, c, first, last, at, unit, shift, margins, tolerance
):  # fmt: skip
    """Margins of one normal density over another."""
    mean_t, mean_c, variance_t, variance_c = mean[t, j], mean[c, j], variance[t, j], variance[c, j]
    half_t, half_c = 0.5 / variance_t, 0.5 / variance_c
    log_t, log_c = -0.5 * np.log(2.0 * np.pi * variance_t), -0.5 * np.log(2.0 * np.pi * variance_c)
    ahead, fixed = log_t - log_c, unit * (2.0 + abs(log_t) + abs(log_c))
    # Without signs, positions need no check and the loop becomes vector code.
    row, place = np.uint64(j), np.uint64(at)
    for r in range(np.uint64(first), np.uint64(last)):
        away_t, away_c = x[row, r] - mean_t, x[row, r] - mean_c
        far_t, far_c = away_t * half_t, away_c * half_c
        near_t, near_c = away_t * far_t, away_c * far_c
        found = ahead - near_t + near_c
        more = fixed + 2.0 * unit * (near_t + near_c) + 2.0 * shift * (abs(far_t) + abs(far_c))
        # What is unknown is no number, and unequal to itself.
        margins[row, place + r] = found if found == found else 0.0
        tolerance[place + r] += more if found == found else 0.0
