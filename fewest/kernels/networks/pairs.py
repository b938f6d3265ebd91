"""Structures from pairs of variables: trees, forests and chains, without a table of all pairs.

A pair is counted when one of the two has just joined the structure, so the memory is that of
the bits of the rows however many variables there are.
"""

import math

import numpy as np
from numba import njit

from ..counting.bitplanes import joint_counts, mask_sizes, pack_planes

MUTUAL_INFORMATION, CHI_SQUARED = 0, 1


@njit(cache=True, nogil=True)
def level_logs(offsets, sizes, n, xlogx):
    """Sum of x log x over the level counts of each variable."""
    d = len(offsets) - 1
    logs = np.zeros(d)
    for i in range(d):
        rest = n
        for k in range(offsets[i], offsets[i + 1]):
            logs[i] += xlogx[sizes[k]]
            rest -= sizes[k]
        logs[i] += xlogx[rest]
    return logs


def _prepare(rows, cardinalities):
    planes, offsets, _ = pack_planes(rows, cardinalities)
    sizes = mask_sizes(planes)
    n = rows.shape[0]
    xlogx = np.array([0.0] + [k * math.log(k) for k in range(1, n + 1)])
    return planes, offsets, sizes, xlogx, level_logs(offsets, sizes, n, xlogx)


@njit(cache=True, nogil=True)
def _term(count, row, column, kind, xlogx):
    if kind == MUTUAL_INFORMATION:
        return xlogx[count]
    return count * count / (row * column) if count > 0 else 0.0


@njit(cache=True, nogil=True)
def pair_statistic(counts, sizes, offsets, row0, u, v, kind, xlogx, logs):
    """Mutual information (nats) or Pearson's chi-squared of two variables.

    ``counts[a, k]`` is the number of rows at level a + 1 of u and on plane k; the cells of the
    levels 0 are what remains, and ``row0`` rows are at level 0 of u. Chi-squared is n times
    (sum of count^2 / (row x column) - 1).
    """
    n = len(xlogx) - 1
    first, last = offsets[u], offsets[u + 1]
    column0 = n
    corner = row0
    total = 0.0
    for k in range(offsets[v], offsets[v + 1]):
        column0 -= sizes[k]
        rest = sizes[k]
        for a in range(last - first):
            rest -= counts[a, k]
            total += _term(counts[a, k], sizes[first + a], sizes[k], kind, xlogx)
        corner -= rest
        total += _term(rest, row0, sizes[k], kind, xlogx)
    for a in range(last - first):
        rest = sizes[first + a]
        for k in range(offsets[v], offsets[v + 1]):
            rest -= counts[a, k]
        total += _term(rest, sizes[first + a], column0, kind, xlogx)
    total += _term(corner, row0, column0, kind, xlogx)
    if kind == MUTUAL_INFORMATION:
        return (total + xlogx[n] - logs[u] - logs[v]) / n
    return n * (total - 1.0)


@njit(cache=True, nogil=True)
def _take(waiting, at, left):
    """Remove position ``at`` of the first ``left + 1``, keeping the order: ties go to the first."""
    taken = waiting[at]
    for k in range(at, left):
        waiting[k] = waiting[k + 1]
    return taken


def grow_forest(rows, cardinalities, kind, critical):
    """Parent of each variable (-1 for a root) in the heaviest forest, by Prim's algorithm.

    An edge counts only if its weight is above ``critical`` at its degrees of freedom. Where no
    edge leads on, the first variable that is left becomes a new root.
    """
    return _heaviest_forest(cardinalities, kind, critical, *_prepare(rows, cardinalities))


@njit(cache=True, nogil=True)
def _heaviest_forest(cardinalities, kind, critical, planes, offsets, sizes, xlogx, logs):
    n, d = len(xlogx) - 1, len(cardinalities)
    parents = np.full(d, -1, np.int64)
    weight = np.full(d, -np.inf)
    waiting = np.arange(d)
    at = 0
    for left in range(d - 1, -1, -1):
        u = _take(waiting, at, left)
        counts = joint_counts(planes[offsets[u] : offsets[u + 1]], planes)
        row0 = n - sizes[offsets[u] : offsets[u + 1]].sum()
        at = 0
        for k in range(left):
            v = waiting[k]
            found = pair_statistic(counts, sizes, offsets, row0, u, v, kind, xlogx, logs)
            freedom = (cardinalities[u] - 1) * (cardinalities[v] - 1)
            if found > critical[freedom] and found > weight[v]:
                weight[v] = found
                parents[v] = u
            if weight[v] > weight[waiting[at]]:
                at = k
    return parents


def grow_chain(rows, cardinalities):
    """An order of the variables: the least entropy first, then the least given the last one."""
    return _shortest_chain(*_prepare(rows, cardinalities))


@njit(cache=True, nogil=True)
def _shortest_chain(planes, offsets, sizes, xlogx, logs):
    n, d = len(xlogx) - 1, len(logs)
    entropy = (xlogx[n] - logs) / n
    waiting = np.arange(d)
    order = np.zeros(d, np.int64)
    at = np.argmin(entropy)
    for left in range(d - 1, -1, -1):
        u = _take(waiting, at, left)
        order[d - 1 - left] = u
        counts = joint_counts(planes[offsets[u] : offsets[u + 1]], planes)
        row0 = n - sizes[offsets[u] : offsets[u + 1]].sum()
        at = 0
        least = np.inf
        for k in range(left):
            v = waiting[k]
            given = entropy[v] - pair_statistic(
                counts, sizes, offsets, row0, u, v, MUTUAL_INFORMATION, xlogx, logs
            )
            if given < least:
                least = given
                at = k
    return order
