"""Confusion counts of a batch of classifiers from their values for each class."""

from __future__ import annotations

import numpy as np
from numba import njit

from ..inner import hot


@njit(cache=True, nogil=True, error_model="numpy")
def confusions(values, slack, labels, target, weight, n_classes):
    """Weight of the rows of each class that each model gives each class.

    Parameters
    ----------
    values : float64 (models, outputs, rows)
        The predicted class has the largest value, the first of them where they are equal. With
        one output it is class 1 where the value is positive, else class 0.
    slack : float64 (models, rows)
        A lead up to this much is doubtful: rounding could turn it. Negative where the values
        are known to the last bit.
    labels : int64 (outputs, or 2)
        The class that each output stands for.
    target : int64 (rows,)
    weight : float64 (rows,)
    n_classes : int

    Returns
    -------
    counts : float64 (models, n_classes, n_classes)
        True class first, then predicted class.
    doubtful : int64 (models,)
        Number of rows in doubt.
    """
    m, outputs, n = values.shape
    counts = np.zeros((m, n_classes, n_classes))
    doubtful = np.zeros(m, dtype=np.int64)
    top, second = np.empty(n), np.empty(n)
    best = np.empty(n, dtype=np.int64)
    for i in range(m):
        count = counts[i]
        doubts = 0
        if outputs == 1:
            value, near = values[i, 0], slack[i]
            no, yes = labels[0], labels[1]
            for r in range(n):
                doubts += abs(value[r]) <= near[r]
                count[target[r], yes if value[r] > 0.0 else no] += weight[r]
        else:
            _two_largest(values[i], top, second, best)
            near = slack[i]
            for r in range(n):
                # Not "<=": NaN is in doubt too.
                doubts += not (top[r] - second[r] > near[r])
            for r in range(n):
                count[target[r], labels[best[r]]] += weight[r]
        doubtful[i] = doubts
    return counts, doubtful


@hot
def _two_largest(values, top, second, best):
    """The largest value of each row, the next one, and whose the largest is.

    Class by class and without branches, so that several rows are compared at once. Rows with
    NaN have an infinite second value.
    """
    outputs, n = values.shape
    own = values[0]
    for r in range(n):
        value = own[r]
        top[r] = value
        second[r] = -np.inf if value == value else np.inf
        best[r] = 0
    for c in range(1, outputs):
        own = values[c]
        for r in range(n):
            value, largest = own[r], top[r]
            wins = value > largest
            less = largest if wins else value
            next_one = second[r]
            next_one = less if less > next_one else next_one
            second[r] = next_one if value == value else np.inf
            top[r] = value if wins else largest
            best[r] = c if wins else best[r]
