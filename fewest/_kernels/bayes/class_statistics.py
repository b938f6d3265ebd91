"""Statistics of every column within every class, unknown values left out."""

from __future__ import annotations

import math

import numpy as np
from numba import njit


def class_moments(values, target, weight, n_classes):
    """Weight, mean and variance of the known values of each column in each class.

    One column after the other and row after row, so that the numbers of a column do not
    depend, to the last bit, on what other columns there are. The last row of the answer
    holds the same for all classes together.

    Parameters
    ----------
    values : float64 (rows, columns), NaN where unknown
    target : int64 (rows,)
    weight : float64 (rows,)
    n_classes : int

    Returns
    -------
    count, mean, variance : float64 (n_classes + 1, columns)
        Zero where a class has no known value.
    """
    count, mean, variance = np.zeros((3, n_classes + 1, values.shape[1]))
    nothing, again = np.zeros((2, *count.shape))
    _add_powers(values, target, weight, nothing, False, count, mean)
    for c in range(n_classes):
        count[-1] += count[c]
        mean[-1] += mean[c]
    known = count > 0.0
    np.divide(mean, count, out=mean, where=known)
    _add_powers(values, target, weight, mean, True, again, variance)
    for c in range(n_classes):
        away = mean[c] - mean[-1]
        variance[-1] += variance[c] + count[c] * away * away
    np.divide(variance, count, out=variance, where=known)
    return count, mean, variance


@njit(cache=True, nogil=True)
def _add_powers(values, target, weight, centre, squares, count, total):
    """Add the weights of known values, and their deviations from the centre or the squares."""
    for i in range(values.shape[0]):
        c = target[i]
        for j in range(values.shape[1]):
            away = values[i, j] - centre[c, j]
            part = weight[i] * away
            part = part * away if squares else part
            count[c, j] += weight[i] if away == away else 0.0
            total[c, j] += part if away == away else 0.0


@njit(cache=True, nogil=True)
def level_counts(codes, target, weight, n_classes, n_levels):
    """Weight of each level of each nominal column in each class.

    Parameters
    ----------
    codes : float64 (rows, columns), whole numbers below ``n_levels``, NaN where unknown
    target : int64 (rows,)
    weight : float64 (rows,)
    n_classes, n_levels : int

    Returns
    -------
    float64 (columns, n_levels, n_classes)
    """
    n, d = codes.shape
    counts = np.zeros((d, n_levels, n_classes))
    for i in range(n):
        for j in range(d):
            if codes[i, j] == codes[i, j]:
                counts[j, int(codes[i, j]), target[i]] += weight[i]
    return counts


def class_evidence(values, nominal, levels, mean, variance):
    """Log-likelihood of every value in every class; 0 where it says nothing.

    Parameters
    ----------
    values : float64 (rows, columns), NaN where unknown
    nominal : bool (columns,)
    levels : float64 (columns, levels, classes)
        Log-probabilities of the levels of nominal columns.
    mean, variance : float64 (classes, columns)
        Of continuous columns; one of infinite variance says nothing.

    Returns
    -------
    float64 (columns, classes, rows)
    """
    evidence = np.zeros((values.shape[1], mean.shape[0], values.shape[0]))
    _fill_evidence(values, nominal, levels, mean, variance, evidence)
    return evidence


@njit(cache=True, nogil=True, error_model="numpy")
def _fill_evidence(values, nominal, levels, mean, variance, evidence):
    d, n_classes, n = evidence.shape
    for j in range(d):
        for c in range(n_classes):
            if nominal[j]:
                for i in range(n):
                    if values[i, j] < levels.shape[1]:
                        evidence[j, c, i] = levels[j, int(values[i, j]), c]
            elif variance[c, j] < np.inf:
                log = math.log(2.0 * math.pi * variance[c, j])
                for i in range(n):
                    away = values[i, j] - mean[c, j]
                    if away == away:
                        evidence[j, c, i] = -0.5 * (log + away * away / variance[c, j])
