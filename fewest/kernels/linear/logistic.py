"""Logistic regression for a batch of subsets: quasi-Newton steps on sub-blocks of one curvature."""

from __future__ import annotations

import numpy as np
from numba import njit

from .factor import backward, factor, forward, smallest_eigenvalue
from .softmax import SUMS, losses

#: Steps that are remembered, and the most that are made.
MEMORY, STEPS = 8, 60


@njit(cache=True, nogil=True, error_model="numpy")
def logistic_rules(
    x, code, weight, penalty, best, curvature, unit, tolerance, least, candidates, weights,
    offsets, floors,
):  # fmt: skip
    """Coefficients of L2-penalised logistic regression for each subset.

    Parameters
    ----------
    x, code, weight, penalty : see :func:`losses`
    best : float64 (outputs, d + 1)
        The solution over all columns, where every search starts from.
    curvature : float64 (outputs * (d + 1), outputs * (d + 1))
        Second derivatives there; its sub-blocks measure the steps.
    unit : float64 (d,)
        What one of each column is in the units of the penalty.
    tolerance : float
        The largest slope, relative to the weight of all rows, that ends a search.
    least : float64 (m,)
        Subsets whose smallest eigenvalue may be less are left out.
    candidates : bool (m, d)
    weights : float64 (m, outputs, d)
    offsets : float64 (m, outputs)
        Where coefficients and intercepts go.
    floors : float64 (m,)
        Where lower bounds of the smallest eigenvalue of the curvature go, in the units of the
        penalty; 0 for subsets that were left out or whose search did not end.

    Notes
    -----
    Limited-memory BFGS (Nocedal, 1980) whose first matrix is the inverse of the sub-block. The
    start is the minimum, over the subset, of the quadratic that fits the loss at ``best``.
    """
    m, d = candidates.shape
    outputs, n = len(best), x.shape[1]
    size = outputs * (d + 1)
    lower, nothing = np.empty((size, size)), np.zeros(size)
    members, places = np.empty(d, dtype=np.int64), np.empty(size, dtype=np.int64)
    flat, column, units = best.ravel(), np.empty(size), np.ones(size)
    for t in range(outputs):
        for j in range(d):
            units[t * (d + 1) + j] = unit[j]
    whole = weight.sum()
    for i in range(m):
        count = 0
        for j in range(d):
            if candidates[i, j]:
                members[count] = j
                count += 1
        width = count + 1
        for t in range(outputs):
            for a in range(count):
                places[t * width + a] = t * (d + 1) + members[a]
            places[t * width + count] = t * (d + 1) + d
        floors[i] = 0.0
        weights[i], offsets[i] = 0.0, 0.0
        if factor(curvature, nothing, places, outputs * width, lower) == 0.0:
            continue
        floor = smallest_eigenvalue(lower, outputs * width, places, units, column)
        if floor < least[i]:
            continue
        point = np.empty((outputs, width))
        _start(curvature, flat, candidates[i], places, outputs, width, lower, column, point)
        margin = np.empty((outputs, n))
        done = _descend(
            x, code, weight, penalty, members, count, lower, tolerance * whole, point, margin
        )
        if done:
            floors[i] = floor
        for t in range(outputs):
            for a in range(count):
                weights[i, t, members[a]] = point[t, a]
            offsets[i, t] = point[t, count]


@njit(cache=True, nogil=True, error_model="numpy")
def _start(curvature, flat, candidate, places, outputs, width, lower, column, point):
    """The minimum over the subset of the quadratic about the solution over all columns."""
    d = len(candidate)
    for p in range(outputs * width):
        row, value = curvature[places[p]], 0.0
        for t in range(outputs):
            for j in range(d):
                if not candidate[j]:
                    value += row[t * (d + 1) + j] * flat[t * (d + 1) + j]
        column[p] = value
    forward(lower, outputs * width, column)
    backward(lower, outputs * width, column)
    for t in range(outputs):
        for a in range(width):
            point[t, a] = flat[places[t * width + a]] + column[t * width + a]


@njit(cache=True, nogil=True, error_model="numpy")
def _descend(x, code, weight, penalty, members, count, lower, small, point, margin):
    """Minimise from ``point``, in place; returns whether the slope became small."""
    outputs, width = point.shape
    size = outputs * width
    slope, trial, steep = (
        np.empty((outputs, width)), np.empty((outputs, width)), np.empty((outputs, width))
    )  # fmt: skip
    here, there, slopes, others = point.ravel(), trial.ravel(), slope.ravel(), steep.ravel()
    steps, turns = np.empty((MEMORY, size)), np.empty((MEMORY, size))
    scales, share, move = np.empty(MEMORY), np.empty(MEMORY), np.empty(size)
    value = losses(x, code, weight, penalty, members, count, point, margin, slope)
    kept = 0
    for _ in range(STEPS):
        if np.abs(slope).max() <= small:
            return True
        for p in range(size):
            move[p] = slopes[p]
        for back in range(min(kept, MEMORY)):
            k = (kept - 1 - back) % MEMORY
            share[k] = scales[k] * _inner(steps[k], move)
            for p in range(size):
                move[p] -= share[k] * turns[k, p]
        forward(lower, size, move)
        backward(lower, size, move)
        for back in range(min(kept, MEMORY) - 1, -1, -1):
            k = (kept - 1 - back) % MEMORY
            again = scales[k] * _inner(turns[k], move)
            for p in range(size):
                move[p] += (share[k] - again) * steps[k, p]
        fall, length = _inner(slopes, move), 1.0
        if not fall > 0.0:
            return False
        while True:
            for p in range(size):
                there[p] = here[p] - length * move[p]
            lower_value = losses(x, code, weight, penalty, members, count, trial, margin, steep)
            # Near the end the loss no longer tells two points apart; the slope does.
            if lower_value <= value - 1e-4 * length * fall + 1e-12 * abs(value):
                break
            length *= 0.5
            if length < 1e-6:
                return False
        k = kept % MEMORY
        for p in range(size):
            steps[k, p] = there[p] - here[p]
            turns[k, p] = others[p] - slopes[p]
        bend = _inner(steps[k], turns[k])
        if bend > 0.0:
            scales[k] = 1.0 / bend
            kept += 1
        for p in range(size):
            here[p] = there[p]
            slopes[p] = others[p]
        value = lower_value
    return False


@njit(cache=True, nogil=True, error_model="numpy", fastmath=SUMS)
def _inner(a, b):
    total = 0.0
    for p in range(len(a)):
        total += a[p] * b[p]
    return total
