"""Tests of conditional independence, and the skeleton they leave of the complete graph."""

import math

import numpy as np
from numba import njit

from ..counting.bitplanes import fill_configurations, pack_planes, popcount, room_for_masks

G_SQUARED, PEARSON = 0, 1


@njit(cache=True, nogil=True)
def shared_rows(mask, one, two):
    """Count the rows that are in three masks at once."""
    total = np.uint64(0)
    for w in range(len(mask)):
        total += popcount(mask[w] & one[w] & two[w])
    return int(total)


@njit(cache=True, nogil=True)
def count_pair(mask, one, two, table):
    """Count how often the levels of two variables meet in the rows of a mask, level 0 included."""
    rest = shared_rows(mask, mask, mask)
    for b in range(len(two)):
        table[0, b + 1] = shared_rows(mask, mask, two[b])
        rest -= table[0, b + 1]
    table[0, 0] = rest
    for a in range(len(one)):
        rest = shared_rows(mask, mask, one[a])
        for b in range(len(two)):
            count = shared_rows(mask, one[a], two[b])
            table[a + 1, b + 1] = count
            table[0, b + 1] -= count
            rest -= count
        table[a + 1, 0] = rest
        table[0, 0] -= rest


@njit(cache=True, nogil=True)
def table_statistic(table, kind, xlogx):
    """Return G² or Pearson's chi-squared of a table of counts."""
    n = table.sum()
    logs = xlogx[n]
    squares = 0.0
    for b in range(table.shape[1]):
        column = table[:, b].sum()
        logs -= xlogx[column]
        for a in range(table.shape[0]):
            logs += xlogx[table[a, b]]
            if kind == PEARSON and table[a, b] > 0:
                squares += table[a, b] ** 2 / (column * table[a].sum())
    for a in range(table.shape[0]):
        logs -= xlogx[table[a].sum()]
    return n * (squares - 1.0) if kind == PEARSON else 2.0 * logs


@njit(cache=True, nogil=True)
def independence_statistic(planes, offsets, cardinalities, masks, x, y, kind, xlogx, table):
    """Return G² or Pearson's chi-squared of x and y given others, and its degrees of freedom.

    ``masks`` are the configurations of the others that have rows; those without add nothing to
    either. ``xlogx`` is a ``log_table`` for at least as many rows, ``table`` room for counts.
    """
    one = planes[offsets[x] : offsets[x + 1]]
    two = planes[offsets[y] : offsets[y + 1]]
    counts = table[: cardinalities[x], : cardinalities[y]]
    statistic = 0.0
    for c in range(len(masks)):
        count_pair(masks[c], one, two, counts)
        statistic += table_statistic(counts, kind, xlogx)
    return statistic, len(masks) * (cardinalities[x] - 1) * (cardinalities[y] - 1)


@njit(cache=True, nogil=True)
def log_table(n):
    """Tabulate x log x for x = 0 ... n."""
    table = np.zeros(n + 1)
    for k in range(2, n + 1):
        table[k] = k * math.log(k)
    return table


@njit(cache=True, nogil=True)
def next_combination(chosen, n):
    """Step to the next combination of len(chosen) out of n, in place; False after the last."""
    k = len(chosen)
    for i in range(k - 1, -1, -1):
        if chosen[i] < n - k + i:
            chosen[i] += 1
            for j in range(i + 1, k):
                chosen[j] = chosen[j - 1] + 1
            return True
    return False


@njit(cache=True, nogil=True)
def all_in(members, given):
    """Decide if all of ``given`` are members."""
    for g in given:
        if not members[g]:
            return False
    return True


def skeleton(rows, cardinalities, critical, kind, most):
    """Find the edges that no test removes, and what separated the others.

    Level by level, the sets tested are drawn from the neighbours at the start of the level, so
    that the answer does not depend on the order of the variables.

    Returns edges (d, d), separators (d, d, most), and how many of these count: (d, d), -1 for an
        edge.
    """
    planes, d = pack_planes(rows, cardinalities), len(cardinalities)
    xlogx = log_table(len(rows))
    found = (
        ~np.eye(d, dtype=np.bool_),
        np.zeros((d, d, max(most, 1)), np.int64),
        np.full((d, d), -1, np.int64),
    )
    for level in range(most + 1):
        before = found[0].copy()
        for x in range(d):
            remove_edges(
                x, level, before, len(rows), cardinalities, critical, kind, xlogx, *planes, *found
            )
    return found


@njit(cache=True, nogil=True)
def remove_edges(
    x, level, before, n, cardinalities, critical, kind, xlogx, planes, offsets, everything,
    edges, separators, number,
):  # fmt: skip
    """Remove the edges of one variable that a set of ``level`` others explains away."""
    widest = cardinalities.max()
    room = room_for_masks(n, len(everything), widest, level)
    table = np.empty((widest, widest), np.int64)
    near = np.flatnonzero(before[x])
    if len(near) <= level:
        return
    for y in near:
        if not edges[x, y]:
            continue
        others = near[near != y]
        chosen = np.arange(level)
        more = True
        while more:
            given = others[chosen]
            # Tested before, from the side of y, and found to leave the edge.
            if y < x and all_in(before[y], given):
                more = next_combination(chosen, len(others))
                continue
            masks = fill_configurations(planes, offsets, cardinalities, everything, given, room)
            found, freedom = independence_statistic(
                planes, offsets, cardinalities, masks, x, y, kind, xlogx, table
            )
            if freedom == 0 or found <= critical[min(freedom, len(critical) - 1)]:
                edges[x, y] = edges[y, x] = False
                number[x, y] = number[y, x] = level
                separators[x, y, :level] = given
                separators[y, x, :level] = given
                break
            more = next_combination(chosen, len(others))
