"""Logistic regression by the very steps of L-BFGS, from zero to where an estimator stops."""

from __future__ import annotations

import numpy as np
from numba import njit

from ..inner import hot
from .line_search import BRACKETED, STATE, begin, judge, next_length
from .softmax import SUMS, losses

EPS = 2.220446049250313e-16
#: Steps that are remembered, and the most trials along one direction.
MEMORY, TRIALS = 10, 50


@njit(cache=True, nogil=True, error_model="numpy")
def repeat_steps(x, code, weight, penalty, members, most, small, point):
    """Minimise the penalised loss of softmax regression as L-BFGS-B does without bounds.

    Parameters
    ----------
    x, code, weight, penalty, members : see :func:`~fewest.kernels.linear.softmax.losses`
    most : int
        The most steps.
    small : float
        The slope at which it stops.
    point : float64 (outputs, columns + 1)
        Where the coefficients go, the intercepts last.

    Returns
    -------
    int
        Steps done, ``most`` where it did not stop before; -1 where a direction led nowhere.

    Notes
    -----
    Byrd, Lu, Nocedal and Zhu (1995): ten steps of memory, the line search of Moré and Thuente
    (1994) with the constants 1e-3 and 0.9, first length 1 over the length of the slope. It also
    stops where the loss falls by less than 64 units in the last place. Up to rounding these are
    the points that scipy visits.
    """
    outputs, width = point.shape
    d, n = len(members), x.shape[1]
    size = outputs * width
    margin = np.empty((outputs, n))
    slope, trial, steep = (
        np.empty((outputs, width)), np.empty((outputs, width)), np.empty((outputs, width))
    )  # fmt: skip
    here, there, slopes, others = point.ravel(), trial.ravel(), slope.ravel(), steep.ravel()
    steps, turns = np.empty((MEMORY, size)), np.empty((MEMORY, size))
    scales, share, move = np.empty(MEMORY), np.empty(MEMORY), np.empty(size)
    search = np.empty(STATE)
    for p in range(size):
        here[p] = 0.0
    value = losses(x, code, weight, penalty, members, d, point, margin, slope)
    kept, theta = 0, 1.0
    if _largest(slopes) <= small:
        return 0
    for step in range(1, most + 1):
        _direction(slopes, steps, turns, scales, share, kept, theta, move)
        along = _inner(slopes, move)
        if not along < 0.0:
            return -1
        length = 1.0 / np.sqrt(_inner(move, move)) if step == 1 else 1.0
        begin(search, value, along, length)
        done = False
        for _ in range(TRIALS):
            for p in range(size):
                there[p] = here[p] + length * move[p]
            lower = losses(x, code, weight, penalty, members, d, trial, margin, steep)
            bend = _inner(others, move)
            done = judge(search, length, lower, bend)
            if done:
                break
            length = next_length(search, length, lower, bend)
        if not done or search[BRACKETED] < 0.0:
            return -1
        k = kept % MEMORY
        gained = (bend - along) * length
        for p in range(size):
            turns[k, p] = others[p] - slopes[p]
            steps[k, p] = length * move[p]
            here[p], slopes[p] = there[p], others[p]
        fallen, value = value - lower, lower
        if _largest(slopes) <= small:
            return step
        if fallen <= 64.0 * EPS * max(abs(value + fallen), abs(value), 1.0):
            return step
        if gained > EPS * -along * length:
            scales[k] = 1.0 / gained
            theta = _inner(turns[k], turns[k]) / gained
            kept += 1
    return most


@hot
def _direction(slopes, steps, turns, scales, share, kept, theta, move):
    """Minus the slope, measured by the steps that are remembered."""
    size = len(move)
    for p in range(size):
        move[p] = -slopes[p]
    for back in range(min(kept, MEMORY)):
        k = (kept - 1 - back) % MEMORY
        share[k] = scales[k] * _inner(steps[k], move)
        for p in range(size):
            move[p] -= share[k] * turns[k, p]
    for p in range(size):
        move[p] /= theta
    for back in range(min(kept, MEMORY) - 1, -1, -1):
        k = (kept - 1 - back) % MEMORY
        again = scales[k] * _inner(turns[k], move)
        for p in range(size):
            move[p] += (share[k] - again) * steps[k, p]


@njit(cache=True, nogil=True, fastmath=SUMS)
def _inner(a, b):
    total = 0.0
    for p in range(len(a)):
        total += a[p] * b[p]
    return total


@hot
def _largest(a):
    most = 0.0
    for p in range(len(a)):
        most = max(most, abs(a[p]))
    return most
