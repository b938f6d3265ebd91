"""Best subsets for least squares, by branch and bound over the subsets of dropped columns.

A node is a set of units (columns, or groups of columns): some are kept for good, the others are
free. For the free columns it has the block of the inverse of the cross products and the
coefficients. Dropping column i raises the residual sum of squares by b_i² / C_ii, and a rank-one
update gives inverse and coefficients of what is left (Furnival and Wilson, 1974). Keeping a
column only deletes its row. The units of a node are ordered by what they are worth, the most
first; child i keeps those before i and drops i, so that large subtrees have large bounds (Gatu
and Kontoghiorghes, 2006).

Two differences: to reach a size, q units must be dropped, which costs at least the q-th smallest
increase of a single one; and a child is judged from diagonal and coefficients alone before its
matrix is made.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ..inner import hot
from .residuals import PERFECT

#: A bound this close to the best is as good as the best: rounding is left.
CLOSE = 1.0 - 1e-10


@hot
def limits_from(best, factor, term, each, limits):
    """The residual sum of squares that each size must fall below to be of interest."""
    lowest = np.inf
    for size in range(len(best)):
        lowest = min(lowest, factor[size] * best[size] + term[size])
    for size in range(len(best)):
        limits[size] = best[size] if each else (lowest - term[size]) / factor[size]


@hot
def _drop(inverse, beta, start, width, columns, work, slope):
    """Drop all but the last of the ``width`` columns from ``start`` on; ``work`` gets the rest."""
    raised, left = 0.0, columns - start
    for a in range(left):
        slope[a] = beta[start + a]
        for b in range(a + 1):
            work[a, b] = inverse[start + a, start + b]
    for p in range(width - 1):
        raised += slope[p] * slope[p] / work[p, p]
        for a in range(p + 1, left):
            share = work[a, p] / work[p, p]
            slope[a] -= share * slope[p]
            for b in range(p + 1, a + 1):
                work[a, b] -= share * work[b, p]
    return raised


@hot
def _judge(source, coefficients, p, left, widths, units, worth, place, fresh):
    """What the units after the dropped column ``p`` are worth without it, at least.

    That of a unit is the largest increase by dropping one of its columns. ``fresh`` gets the
    coefficients, ``place`` the first column of each unit.
    """
    own, pivot = coefficients[p], source[p, p]
    at = 0
    for t in range(left):
        worth[t], place[t] = 0.0, at
        for _ in range(widths[units[t]]):
            entry = source[p + 1 + at, p]
            fresh[at] = coefficients[p + 1 + at] - entry * own / pivot
            diagonal = source[p + 1 + at, p + 1 + at] - entry * entry / pivot
            worth[t] = max(worth[t], fresh[at] * fresh[at] / diagonal)
            at += 1


@hot
def _sort(worth, count, order):
    """Positions by falling worth."""
    for t in range(count):
        place = t
        while place > 0 and worth[order[place - 1]] < worth[t]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = t


@hot
def _is_open(rest, low, high, order, count, most, worth, limits, sizes_allowed):
    """Whether a size from low to less than high can still fall below its limit.

    ``order`` are the units by falling worth, ``most`` is the size of the largest unit: to drop
    q features takes q / most units, of which the dearest counts.
    """
    for size in range(max(low, sizes_allowed[0]), min(high - 1, sizes_allowed[1]) + 1):
        dropped = (high - size + most - 1) // most
        if dropped <= count:
            bound = max(rest + worth[order[count - dropped]], PERFECT)
            if bound < limits[size] * CLOSE:
                return True
    return False


@hot
def _push(stack, top, source, p, units, widths, count, order, place, fresh, rows):
    """Write the units of a child in their order, with inverse and coefficients."""
    matrices, slopes, members, starts, _ = stack
    at = 0
    for t in range(count):
        members[top, t], starts[top, t] = units[order[t]], at
        for c in range(place[order[t]], place[order[t]] + widths[units[order[t]]]):
            slopes[top, at], rows[at] = fresh[c], p + 1 + c
            at += 1
    starts[top, count] = at
    target, pivot = matrices[top], source[p, p]
    for a in range(at):
        x = rows[a]
        share = source[x, p] / pivot
        for b in range(a + 1):
            y = rows[b]
            target[a, b] = source[max(x, y), min(x, y)] - share * source[y, p]


@hot
def _note(rest, size, without, inside, factor, term, each, best, subsets, limits):
    """Keep the units on top without one as the best subset of its size."""
    best[size] = rest
    for u in range(len(inside)):
        subsets[size, u] = inside[u] and u != without
    limits_from(best, factor, term, each, limits)


@njit(cache=True, nogil=True, error_model="numpy")
def enter(inverse, beta, rest, units, widths, sizes, costs, kept, stack, counts):
    """Make a node the only one on the stack; see :func:`dive`.

    inverse: float64 (c, c); inverse of the cross products of the free columns, given those that are
        kept.
    beta: float64 (c,); their coefficients.
    rest: residual sum of squares with all of them.
    units: the free units; their columns stand in this order.
    kept: float64 (2,); size and cost of what is kept.
    """
    matrices, slopes, members, starts, state = stack
    at, size, cost = 0, kept[0], kept[1]
    for t in range(len(units)):
        members[0, t], starts[0, t] = units[t], at
        at += widths[units[t]]
        size += sizes[units[t]]
        cost += costs[units[t]]
    starts[0, len(units)] = at
    for a in range(at):
        slopes[0, a] = beta[a]
        for b in range(a + 1):
            matrices[0, a, b] = inverse[a, b]
    state[0, 0], state[0, 1], state[0, 2] = rest, kept[0], kept[1]
    state[0, 3], state[0, 4], state[0, 5] = size, cost, len(units)
    state[0, 6], state[0, 7] = len(units) - 1, -1
    counts[0], counts[1] = 1, 0


@njit(cache=True, nogil=True, error_model="numpy")
def dive(stack, counts, inside, widths, sizes, costs, sizes_allowed, budget, factor, term, each,
         best, subsets, limits, nodes):  # fmt: skip
    """Visit up to ``nodes`` nodes below those on the stack, depth first.

    stack: tuple of arrays, an entry for each depth; the open nodes: inverses (their lower halves),
        coefficients, units, first columns of the units, and eight numbers: residual sum of squares,
        size and cost of what is kept, size and cost of all, number of units, next child, unit
        dropped last.
    counts: int64 (2,); depth of the stack, and nodes visited so far.
    inside: bool (units,); the units of the node on top.
    widths, sizes: int64 (units,); columns and features of each unit; at least one column.
    costs: float64 (units,).
    sizes_allowed: int64 (2,); smallest and largest size, in features.
    budget: the largest cost.
    factor, term: float64 (features + 1,); the criterion to minimise is ``factor[size] * rss +
        term[size]``.
    each: whether the best of each size is wanted, not only the best by the criterion.
    best: float64 (features + 1,); the smallest residual sums of squares by size; updated, as are
        the two below.
    subsets: bool (features + 1, units); their units.
    limits: float64 (features + 1,); what a residual sum of squares must fall below to be of
        interest.

    Returns bool: whether the stack is empty: all is visited or excluded.
    """
    matrices, slopes, members, starts, state = stack
    total, most = matrices.shape[1], sizes.max() if len(sizes) else 1
    work, slope, fresh = np.empty((total, total)), np.empty(total), np.empty(total)
    worth, order = np.empty(total), np.empty(total, dtype=np.int64)
    place, rows = np.empty(total, dtype=np.int64), np.empty(total, dtype=np.int64)
    until = counts[1] + nodes
    while counts[0] > 0:
        top = counts[0] - 1
        count, child = int(state[top, 5]), int(state[top, 6])
        if child < 0:
            counts[0] -= 1
            if top > 0:
                inside[int(state[top, 7])] = True
            continue
        if counts[1] >= until:
            return False
        state[top, 6] = child - 1
        counts[1] += 1
        unit, low, cost = members[top, child], int(state[top, 1]), state[top, 2]
        for t in range(child):
            low += sizes[members[top, t]]
            cost += costs[members[top, t]]
        high, whole = int(state[top, 3]) - sizes[unit], state[top, 4] - costs[unit]
        if cost > budget or low > sizes_allowed[1] or high < sizes_allowed[0]:
            continue
        rest, width, left = state[top, 0], widths[unit], count - child - 1
        source, coefficients, p = matrices[top], slopes[top], starts[top, child]
        if width > 1:
            rest += _drop(source, coefficients, p, width, starts[top, count], work, slope)
            source, coefficients, p = work, slope, width - 1
        rest += coefficients[p] * coefficients[p] / source[p, p]
        held = max(rest, PERFECT)
        if high <= sizes_allowed[1] and whole <= budget and held < limits[high] * CLOSE:
            _note(held, high, unit, inside, factor, term, each, best, subsets, limits)
        units = members[top, child + 1 :]
        _judge(source, coefficients, p, left, widths, units, worth, place, fresh)
        _sort(worth, left, order)
        if _is_open(rest, low, high, order, left, most, worth, limits, sizes_allowed):
            _push(stack, top + 1, source, p, units, widths, left, order, place, fresh, rows)
            state[top + 1, 0], state[top + 1, 1], state[top + 1, 2] = rest, low, cost
            state[top + 1, 3], state[top + 1, 4], state[top + 1, 5] = high, whole, left
            state[top + 1, 6], state[top + 1, 7] = left - 1, unit
            inside[unit] = False
            counts[0] += 1
    return True
