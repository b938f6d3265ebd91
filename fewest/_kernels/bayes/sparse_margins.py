"""Naive Bayes over sparse columns: what is not stored has the same evidence in every row.

Rows are sorted by their class, as in :mod:`fewest._kernels.bayes.class_margins`.
"""

from __future__ import annotations

import numpy as np
from numba import njit


def sparse_class_moments(indptr, indices, data, target, n_classes):
    """Return the number, mean and variance of the values of each sparse column in each class.

    Parameters
    ----------
    indptr, indices, data : as in scipy's CSC format
    target : int64 (rows,)
    n_classes : int

    Returns
    -------
    count, mean, variance : float64 (n_classes + 1, columns)
        The last row is that of all classes together.
    """
    shape = n_classes, len(indptr) - 1
    cell = target[indices] * shape[1] + np.repeat(np.arange(shape[1]), np.diff(indptr))

    def sums(values):
        return np.bincount(cell, values, minlength=shape[0] * shape[1]).reshape(shape)

    count = np.repeat(np.bincount(target, minlength=n_classes)[:, None] * 1.0, shape[1], axis=1)
    mean = sums(data) / np.maximum(count, 1.0)
    squares = sums((data - mean.ravel()[cell]) ** 2) + (count - sums(None)) * mean**2
    whole = (count * mean).sum(axis=0) / max(1, len(target))
    between = squares.sum(axis=0) + (count * (mean - whole) ** 2).sum(axis=0)
    count = np.vstack([count, count.sum(axis=0)])
    variance = np.vstack([squares, between]) / np.maximum(count, 1.0)
    return count, np.vstack([mean, whole]), variance


@njit(cache=True, nogil=True)
def sparse_evidence(indptr, data, mean, variance):
    """Evidence of a zero, what each stored value has more, and the largest evidence by column.

    Parameters
    ----------
    indptr, data : as in scipy's CSC format
    mean, variance : float64 (classes, columns)
        An infinite variance says nothing.

    Returns
    -------
    zero : float64 (columns, classes)
    more : float64 (stored values, classes)
    largest : float64 (columns,)
    """
    n_classes, d = mean.shape
    zero = np.zeros((d, n_classes))
    more = np.zeros((len(data), n_classes))
    largest = np.zeros(d)
    for j in range(d):
        for c in range(n_classes):
            if variance[c, j] < np.inf:
                log = np.log(2.0 * np.pi * variance[c, j])
                zero[j, c] = -0.5 * (log + mean[c, j] * mean[c, j] / variance[c, j])
                largest[j] = max(largest[j], abs(zero[j, c]))
                for place in range(indptr[j], indptr[j + 1]):
                    away = data[place] - mean[c, j]
                    told = -0.5 * (log + away * away / variance[c, j])
                    more[place, c] = told - zero[j, c]
                    largest[j] = max(largest[j], abs(told))
    return zero, more, largest


@njit(cache=True, nogil=True)
def sparse_base(have, log_prior, bounds, zero, indptr, indices, more, margins):
    """Write the margins of a subset: how far each row's class is ahead of each rival.

    Parameters
    ----------
    have : int64
        The features of the subset.
    log_prior : float64 (classes,)
    bounds : int64 (classes + 1,)
        Where the rows of each class begin and end.
    zero, indptr, indices, more : as in :func:`sparse_evidence`
    margins : float64 (classes - 1, rows), written
    """
    n_classes = len(log_prior)
    start = log_prior.copy()
    for j in have:
        for c in range(n_classes):
            start[c] += zero[j, c]
    of_row = np.empty(margins.shape[1], dtype=np.int64)
    for t in range(n_classes):
        for row in range(bounds[t], bounds[t + 1]):
            of_row[row] = t
            for o in range(n_classes - 1):
                margins[o, row] = start[t] - start[o if o < t else o + 1]
    for j in have:
        for place in range(indptr[j], indptr[j + 1]):
            row = indices[place]
            t = of_row[row]
            for o in range(n_classes - 1):
                margins[o, row] += more[place, t] - more[place, o if o < t else o + 1]


@njit(cache=True, nogil=True)
def _status(margins, row, shift, tolerance):
    """1 if the row is surely right, -1 if it is surely wrong, 0 in doubt."""
    sure = 1
    for o in range(margins.shape[0]):
        ahead = margins[o, row] + shift[o]
        if ahead < -tolerance:
            return -1
        if ahead <= tolerance:
            sure = 0
    return sure


@njit(cache=True, nogil=True)
def judge_sparse_steps(
    margins, bounds, zero, indptr, indices, more, units, gains, tolerance, right, doubtful
):
    """Count the rows that are surely right, and the doubtful ones, for each changed feature.

    Parameters
    ----------
    margins : float64 (rivals, rows)
        Of the subset that is changed, see :func:`sparse_base`.
    bounds, zero, indptr, indices, more : as there
    units, gains : int64 (steps,)
        The feature of each step; 1 adds it, -1 removes it.
    tolerance : float64 (steps,)
    right, doubtful : int64 (steps,)
        Where the counts are added.
    """
    rivals, n = margins.shape
    n_classes = rivals + 1
    shift, moved = np.empty((n_classes, rivals)), np.empty(rivals)
    of_row = np.empty(n, dtype=np.int64)
    for t in range(n_classes):
        for row in range(bounds[t], bounds[t + 1]):
            of_row[row] = t
    for step in range(len(units)):
        j, sign, slack = units[step], gains[step], tolerance[step]
        certain, wrong = 0, 0
        for t in range(n_classes):
            for o in range(rivals):
                shift[t, o] = sign * (zero[j, t] - zero[j, o if o < t else o + 1])
            if rivals == 1:
                ahead, low, high = margins[0], slack - shift[t, 0], -slack - shift[t, 0]
                for row in range(bounds[t], bounds[t + 1]):
                    certain += ahead[row] > low
                    wrong += ahead[row] < high
            else:
                for row in range(bounds[t], bounds[t + 1]):
                    status = _status(margins, row, shift[t], slack)
                    certain += status == 1
                    wrong += status == -1
        for place in range(indptr[j], indptr[j + 1]):
            row = indices[place]
            t = of_row[row]
            before = _status(margins, row, shift[t], slack)
            if rivals == 1:
                before = 1 if margins[0, row] > slack - shift[t, 0] else 0
                before = -1 if margins[0, row] < -slack - shift[t, 0] else before
            for o in range(rivals):
                gap = more[place, t] - more[place, o if o < t else o + 1]
                moved[o] = shift[t, o] + sign * gap
            after = _status(margins, row, moved, slack)
            certain += (after == 1) - (before == 1)
            wrong += (after == -1) - (before == -1)
        right[step] += certain
        doubtful[step] += n - certain - wrong
