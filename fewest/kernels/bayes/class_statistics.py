"""Statistics of every column within every class, unknown values left out."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
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
    n, d = values.shape
    count = np.zeros((n_classes + 1, d))
    mean = np.zeros((n_classes + 1, d))
    variance = np.zeros((n_classes + 1, d))
    for i in range(n):
        c, w = target[i], weight[i]
        for j in range(d):
            known = values[i, j] == values[i, j]
            count[c, j] += w if known else 0.0
            mean[c, j] += w * values[i, j] if known else 0.0
    for c in range(n_classes):
        for j in range(d):
            count[n_classes, j] += count[c, j]
            mean[n_classes, j] += mean[c, j]
    for c in range(n_classes + 1):
        for j in range(d):
            mean[c, j] = mean[c, j] / count[c, j] if count[c, j] > 0.0 else 0.0
    for i in range(n):
        c, w = target[i], weight[i]
        for j in range(d):
            away = values[i, j] - mean[c, j]
            variance[c, j] += w * away * away if away == away else 0.0
    for c in range(n_classes):
        for j in range(d):
            away = mean[c, j] - mean[n_classes, j]
            variance[n_classes, j] += variance[c, j] + count[c, j] * away * away
    for c in range(n_classes + 1):
        for j in range(d):
            variance[c, j] = variance[c, j] / count[c, j] if count[c, j] > 0.0 else 0.0
    return count, mean, variance


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


@njit(cache=True, nogil=True)
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
    n, d = values.shape
    n_classes, n_levels = mean.shape[0], levels.shape[1]
    evidence = np.zeros((d, n_classes, n))
    for j in range(d):
        for c in range(n_classes):
            own = evidence[j, c]
            if nominal[j]:
                for i in range(n):
                    if values[i, j] < n_levels:
                        own[i] = levels[j, int(values[i, j]), c]
            elif variance[c, j] < np.inf:
                log = np.log(2.0 * np.pi * variance[c, j])
                for i in range(n):
                    away = values[i, j] - mean[c, j]
                    if away == away:
                        own[i] = -0.5 * (log + away * away / variance[c, j])
    return evidence
