"""Margins of naive Bayes from the values of rows, and what rounding may do to them."""

from __future__ import annotations

import numpy as np
from numba import njit

from ..inner import hot


@njit(cache=True, nogil=True, error_model="numpy")
def value_margins(
    x, columns, bounds, log_prior, nominal, levels, mean, variance, more, unit, rough, shift,
    margins, base, tolerance,
):  # fmt: skip
    """Write the margins of some rows, and how close to zero is too close.

    Parameters
    ----------
    x : float64 (chosen columns, rows), NaN where unknown
        Rows are sorted by class; see :mod:`fewest.kernels.bayes.margins`.
    columns : intp (chosen columns,)
        Their places in what was learned.
    bounds : int64 (classes + 1,)
        Where the rows of each class begin; rows of other models are left as they are.
    log_prior : float64 (classes,)
    nominal : bool (columns,)
    levels : float64 (columns, levels, classes)
        Log-probabilities of the levels of nominal columns; -inf rules a class out.
    mean, variance : float64 (classes, columns)
        Of continuous columns; one of infinite variance says nothing.
    more : float
        What is added to every variance.
    unit : float
        Relative error of a sum of log-likelihoods, and of a variance.
    rough : float
        Further relative error of the variances.
    shift : float64 (columns,)
        Error of the means.
    margins : float64 (chosen columns, rivals * rows)
        Zeros, where the margins go.
    base, tolerance : float64 (rivals * rows,)
        Where the margins without any column and the errors go.

    Notes
    -----
    A column that rules a class out gives a margin that no others outweigh together. Some class
    must be left for every row, whatever the columns: one that is ruled out is then behind it.
    """
    n, rivals = x.shape[1], len(bounds) - 2
    for t in range(rivals + 1):
        for o in range(rivals):
            c, at = o + (o >= t), o * n
            start = unit * (1.0 + abs(log_prior[t]) + abs(log_prior[c]))
            for r in range(bounds[t], bounds[t + 1]):
                base[at + r] = log_prior[t] - log_prior[c]
                tolerance[at + r] = start
    ruled = 0
    for k in range(len(columns)):
        j = columns[k]
        for t in range(rivals + 1):
            first, last = bounds[t], bounds[t + 1]
            for o in range(rivals if first < last else 0):
                c, at = o + (o >= t), o * n
                if nominal[j]:
                    ruled += _level_margins(
                        x, levels, k, j, t, c, first, last, at, unit, margins, tolerance
                    )
                elif variance[t, j] < np.inf:
                    _density_margins(
                        x, k, mean[t, j], mean[c, j], variance[t, j] + more, variance[c, j] + more,
                        first, last, at, unit, rough, shift[j], margins, tolerance,
                    )  # fmt: skip
    if ruled > 0:
        for o in range(rivals):
            _outweigh(margins, base, tolerance, o * n + bounds[0], o * n + bounds[-1], unit)


@hot
def _level_margins(x, levels, k, j, t, c, first, last, at, unit, margins, tolerance):
    """Margins of class ``t`` over class ``c`` for codes; levels beyond the last say nothing.

    Returns how many of them are infinite; two classes that are both ruled out are equal.
    """
    ruled = 0
    for r in range(first, last):
        if x[k, r] < levels.shape[1]:
            value = np.int64(x[k, r])
            own, other = levels[j, value, t], levels[j, value, c]
            size = abs(own) + abs(other)
            margins[k, at + r] = own - other if own != other else 0.0
            tolerance[at + r] += unit * size if size < np.inf else 0.0
            ruled += size == np.inf
    return ruled


@hot
def _outweigh(margins, base, tolerance, first, last, unit):
    """Replace infinite margins by finite ones that all others of the row cannot outweigh."""
    for r in range(first, last):
        whole, ruled = 1.0 + abs(base[r]) + tolerance[r], 0
        for k in range(len(margins)):
            finite = abs(margins[k, r]) < np.inf
            whole += abs(margins[k, r]) if finite else 0.0
            ruled += not finite
        if ruled > 0:
            heavy = 4.0 * whole
            tolerance[r] += unit * ruled * heavy
            for k in range(len(margins)):
                margins[k, r] = min(max(margins[k, r], -heavy), heavy)


@hot
def _density_margins(
    x, k, mean_t, mean_c, variance_t, variance_c, first, last, at, unit, rough, shift, margins,
    tolerance,
):  # fmt: skip
    """Margins of one normal density over another."""
    half_t, half_c = 0.5 / variance_t, 0.5 / variance_c
    log_t, log_c = -0.5 * np.log(2.0 * np.pi * variance_t), -0.5 * np.log(2.0 * np.pi * variance_c)
    ahead = log_t - log_c
    # An error of the mean changes the variance by its square.
    loose = unit + rough + shift * shift * 2.0 * max(half_t, half_c)
    fixed = loose + unit * (1.0 + abs(log_t) + abs(log_c))
    # Without signs, positions need no check and the loop becomes vector code.
    row, place = np.uint64(k), np.uint64(at)
    for r in range(np.uint64(first), np.uint64(last)):
        away_t, away_c = x[row, r] - mean_t, x[row, r] - mean_c
        far_t, far_c = away_t * half_t, away_c * half_c
        near_t, near_c = away_t * far_t, away_c * far_c
        found = ahead - near_t + near_c
        more = fixed + 2.0 * loose * (near_t + near_c) + 2.0 * shift * (abs(far_t) + abs(far_c))
        # What is unknown is no number, and unequal to itself.
        margins[row, place + r] = found if found == found else 0.0
        tolerance[place + r] += more if found == found else 0.0
