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
        for c in (target[i], n_classes):
            for j in range(d):
                if values[i, j] == values[i, j]:
                    count[c, j] += weight[i]
                    mean[c, j] += weight[i] * values[i, j]
    for c in range(n_classes + 1):
        for j in range(d):
            if count[c, j] > 0.0:
                mean[c, j] /= count[c, j]
    for i in range(n):
        for c in (target[i], n_classes):
            for j in range(d):
                if values[i, j] == values[i, j]:
                    variance[c, j] += weight[i] * (values[i, j] - mean[c, j]) ** 2
    for c in range(n_classes + 1):
        for j in range(d):
            if count[c, j] > 0.0:
                variance[c, j] /= count[c, j]
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
