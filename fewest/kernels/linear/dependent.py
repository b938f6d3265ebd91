"""Shortest rules over columns of which some nearly depend on others, without singular values."""

from __future__ import annotations

import numpy as np
from numba import njit

from ..inner import hot
from .factor import smallest_eigenvalue
from .invariant import (
    ROUNDS,
    combinations,
    one_plus,
    parted,
    small_directions,
    solve_block,
    turn,
)

EPS = 2.220446049250313e-16
#: A column of which less than this share is left counts as dependent.
FREE = 1e-5
#: Small eigenvalues are at most this share of the others; an eigenvalue this near to the cut,
#: relative to it, may be on either side.
SMALL, NEAR = 1e-3, 2e-4


@njit(cache=True, nogil=True, error_model="numpy")
def dependent_rules(
    gram, right, targets, unit, columns, relative, cut, dead, candidates, weights, error
):  # fmt: skip
    """Coefficients of the shortest rules of subsets that hold nearly dependent columns.

    Parameters
    ----------
    gram : float64 (d, d)
        Cross products of the training rows.
    right : float64 (rules, d)
        Right-hand sides.
    targets : float64 (rules, p) or (0, p)
        For least squares the targets, rotated as the columns are.
    unit : float64 (d,)
        What one of each column is in the units in which rank and length are judged.
    columns : float64 (d, p)
        The columns in these units, rotated: R' of a QR factorisation of the training rows.
    relative : bool
        Whether ``cut`` is relative to the largest eigenvalue.
    cut : float
        Eigenvalues up to this are cut off; the solution is the shortest one.
    dead : bool (d,)
        Columns whose coefficient is zero.
    candidates : bool (m, d)
    weights : float64 (m, rules, d)
        Where the coefficients go.
    error : float64 (m,)
        Where their relative errors go; infinite where only singular values tell.

    Notes
    -----
    Let B be columns that are independent, and C the others. The space N of the small eigenvalues
    of [B, C]'[B, C] is found from their cross products, and made exact by the columns themselves
    (see :mod:`~fewest.kernels.linear.invariant`). The other eigenvalues are at least the smallest
    one of B'B and are kept. In their space the solution for right-hand sides [b; c] is [z; U'z]
    with (I + UU') B'B (I + TU') z = b + Uc. Of the small ones those above the cut are added.
    """
    m, d = candidates.shape
    size = (d, d)
    lower, across, turned = np.empty(size), np.empty(size), np.empty(size)
    first, second, room = np.empty(size), np.empty(size), np.empty(size)
    vectors, away = np.empty(size), np.empty((d, columns.shape[1]))
    free, bound = np.empty(d, dtype=np.int64), np.empty(d, dtype=np.int64)
    values, column, nothing, order = np.empty(d), np.empty(d), np.zeros(d), np.arange(d)
    for i in range(m):
        error[i] = np.inf
        kept, rest, smallest = _split(gram, dead, candidates[i], free, bound, lower)
        if kept == 0 or rest == 0:
            continue
        floor = smallest_eigenvalue(lower, kept, free, unit, column)
        combinations(gram, unit, columns, free, kept, bound, rest, lower, across, away, column)
        turn(columns, unit, free, kept, rest, lower, across, away, turned, first, second, room)
        small_directions(turned, kept, rest, away, nothing, order, values, vectors, first, second)
        largest = values[:rest].max()
        trace = _block(gram, unit, free, kept, bound, rest, first)
        if not floor > 1.01 * cut * (trace if relative else 1.0) or not largest < SMALL * floor:
            continue
        top = 1.0
        if relative:
            top = parted(values, rest, cut, NEAR, first, kept + rest, second)
        least = _cut_off(values, rest, cut * top)
        if least < 0.0:
            continue
        one_plus(turned, across, kept, rest, first, room)
        one_plus(turned, turned, kept, rest, second, room)
        outside = 0.0
        for k in range(len(right)):
            rule = weights[i, k]
            left = _rule(
                right[k], unit, free, kept, bound, rest, lower, across, turned, first, second,
                column, rule,
            )  # fmt: skip
            outside = max(outside, left)
            if least < np.inf:
                squares = len(targets) > 0
                _small_part(
                    right[k], targets[k if squares else 0 : k + 1 if squares else 0], unit, free,
                    kept, bound, rest, turned, away, values, vectors, column, rule,
                )  # fmt: skip
        rounding = 16.0 * EPS * (kept + rest + 1)
        ratio = np.sqrt(trace / least) if len(targets) else trace / least
        angle = rounding / smallest + (largest / floor) ** (ROUNDS + 1)
        error[i] = angle * (1.0 + outside / floor) + rounding * ratio


@hot
def _split(gram, dead, candidate, free, bound, lower):
    """Part the columns into independent ones, with their Cholesky factor, and others."""
    kept, rest, smallest = 0, 0, 1.0
    for j in range(len(candidate)):
        if not candidate[j] or dead[j]:
            continue
        row, known = lower[kept], gram[j]
        left = known[j]
        for b in range(kept):
            value, other = known[free[b]], lower[b]
            for t in range(b):
                value -= row[t] * other[t]
            row[b] = value * other[b]
            left -= row[b] * row[b]
        if left > FREE * known[j]:
            smallest = min(smallest, left / known[j])
            row[kept] = 1.0 / np.sqrt(left)
            free[kept] = j
            kept += 1
        else:
            bound[rest] = j
            rest += 1
    return kept, rest, smallest


@hot
def _block(gram, unit, free, kept, bound, rest, block):
    """The cross products of a subset in the units of its columns; returns their trace."""
    trace = 0.0
    for a in range(kept + rest):
        i = free[a] if a < kept else bound[a - kept]
        for b in range(a + 1):
            j = free[b] if b < kept else bound[b - kept]
            block[a, b] = block[b, a] = gram[i, j] * unit[i] * unit[j]
        trace += block[a, a]
    return trace


@hot
def _cut_off(values, rest, limit):
    """Set eigenvalues to 0 that are cut off; returns the least other one, -1 if in doubt."""
    least = np.inf
    for k in range(rest):
        if not limit > 0.0 or not abs(values[k] - limit) > NEAR * limit:
            return -1.0
        values[k] = values[k] if values[k] > limit else 0.0
        least = min(least, values[k]) if values[k] > 0.0 else least
    return least


@hot
def _rule(
    right, unit, free, kept, bound, rest, lower, across, turned, first, second, column, weights
):  # fmt: skip
    """Write the rule without small directions; returns what it leaves there, over its length."""
    outside, length = 0.0, 0.0
    for j in range(len(weights)):
        weights[j] = 0.0
    values = column[:kept]
    for b in range(kept):
        values[b] = right[free[b]] * unit[free[b]]
    for k in range(rest):
        own, row = right[bound[k]] * unit[bound[k]], turned[k]
        left = own
        for b in range(kept):
            left -= row[b] * right[free[b]] * unit[free[b]]
            values[b] += row[b] * own
        outside += left * left
    _without(turned, turned, second, kept, rest, values, weights)
    solve_block(lower, kept, free, unit, values)
    _without(across, turned, first, kept, rest, values, weights)
    for j in range(rest):
        weights[j] = 0.0
    for b in range(kept):
        length += values[b] * values[b]
        weights[free[b]] = values[b] * unit[free[b]]
    for k in range(rest):
        value, row = 0.0, turned[k]
        for b in range(kept):
            value += row[b] * values[b]
        length += value * value
        weights[bound[k]] = value * unit[bound[k]]
    return np.sqrt(outside / length) if length > 0.0 else 0.0


@hot
def _without(first, second, core, kept, rest, values, room):
    """Apply the inverse of I + FS', which is I - F (I + S'F)⁻¹ S'."""
    for k in range(rest):
        value, row = 0.0, second[k]
        for b in range(kept):
            value += row[b] * values[b]
        room[k] = value
    for k in range(rest):
        value, row = 0.0, first[k]
        for s in range(rest):
            value += core[k, s] * room[s]
        for b in range(kept):
            values[b] -= row[b] * value


@hot
def _small_part(
    right, target, unit, free, kept, bound, rest, turned, away, values, vectors, column, weights
):  # fmt: skip
    """Add the small directions that are kept, from targets where there are any."""
    for s in range(rest):
        inner, row = 0.0, turned[s]
        if len(target):
            for r in range(away.shape[1]):
                inner += away[s, r] * target[0, r]
        else:
            inner = right[bound[s]] * unit[bound[s]]
            for b in range(kept):
                inner -= row[b] * right[free[b]] * unit[free[b]]
        column[s] = inner
    for a in range(rest):
        if values[a] > 0.0:
            share = 0.0
            for s in range(rest):
                share += vectors[a, s] * column[s] / values[a]
            for s in range(rest):
                part, row = share * vectors[a, s], turned[s]
                weights[bound[s]] += part * unit[bound[s]]
                for b in range(kept):
                    weights[free[b]] -= part * row[b] * unit[free[b]]
