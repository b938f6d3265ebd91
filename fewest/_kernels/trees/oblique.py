"""Splits of rows by a hyperplane: how good one is, and the best change along a direction."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def twoing(left, right):
    """Return the twoing rule: (n_l/n) (n_r/n) (Σ_c |l_c/n_l − r_c/n_r|)², larger is better."""
    n_left, n_right = left.sum(), right.sum()
    if n_left <= 0.0 or n_right <= 0.0:
        return 0.0
    apart = 0.0
    for c in range(len(left)):
        apart += abs(left[c] / n_left - right[c] / n_right)
    total = n_left + n_right
    return n_left / total * n_right / total * apart * apart


@njit(cache=True, nogil=True)
def side_weights(position, target, n_classes):
    """Return how many rows of each class lie at or below 0, and above it."""
    below, above = np.zeros(n_classes), np.zeros(n_classes)
    for i in range(len(position)):
        if position[i] > 0.0:
            above[target[i]] += 1.0
        else:
            below[target[i]] += 1.0
    return below, above


@njit(cache=True, nogil=True)
def best_step(position, direction, target, n_classes):
    """Return the step s for which the rows with position + s·direction > 0 are split best.

    Returns the step and its goodness by the twoing rule; a row changes sides where s passes
    −position/direction (Murthy, Kasif and Salzberg, 1994, section 2.2).
    """
    n = len(position)
    moving = np.empty(n, np.int64)
    turn = np.empty(n)
    count = 0
    below, above = np.zeros(n_classes), np.zeros(n_classes)
    for i in range(n):
        if abs(direction[i]) > 1e-12:
            turn[count] = -position[i] / direction[i]
            moving[count] = i
            count += 1
        # Far to the left of all turns a row with a positive direction is below.
        up = position[i] > 0.0 if abs(direction[i]) <= 1e-12 else direction[i] < 0.0
        if up:
            above[target[i]] += 1.0
        else:
            below[target[i]] += 1.0
    order = np.argsort(turn[:count])
    best, step = -1.0, 0.0
    for k in range(count - 1):
        i = moving[order[k]]
        if direction[i] > 0.0:
            below[target[i]] -= 1.0
            above[target[i]] += 1.0
        else:
            above[target[i]] -= 1.0
            below[target[i]] += 1.0
        low, high = turn[order[k]], turn[order[k + 1]]
        if high - low > 1e-12:
            value = twoing(below, above)
            if value > best + 1e-12:
                best, step = value, low + (high - low) / 2.0
    return step, best
