"""Dependences of pairs of variables, and groups of variables."""

import math

import numpy as np
from numba import njit

from ..counting.bitplanes import (
    drop_empty,
    joint_counts,
    mask_sizes,
    pack_planes,
    popcount,
    split_masks,
)

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
    """Return mutual information (nats) or Pearson's chi-squared of two variables.

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
    """Return each variable's parent (-1 for a root) in the heaviest forest, by Prim's algorithm.

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
    """Order the variables: the least entropy first, then the least given the last one."""
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


@njit(cache=True, nogil=True)
def joint_logs(one, two, xlogx):
    """Sum of x log2 x over the joint counts of two sets of disjoint masks."""
    total = 0.0
    for a in range(one.shape[0]):
        for b in range(two.shape[0]):
            both = np.uint64(0)
            for w in range(one.shape[1]):
                both += popcount(one[a, w] & two[b, w])
            total += xlogx[both]
    return total


@njit(cache=True, nogil=True)
def merge_gain(one, two, logs_one, logs_two, cells_one, cells_two, xlogx):
    """Return the bits saved by describing two groups as one.

    Two groups cost n H(A) + n H(B) bits for the rows and log2(n + 1) bits for each free
    parameter; n H = n log2 n - (sum of x log2 x).
    """
    n = len(xlogx) - 1
    price = math.log2(n + 1.0) * (cells_one * cells_two - cells_one - cells_two + 1.0)
    # The saving is at most the smaller of the two entropies: most pairs end here.
    if price >= xlogx[n] - max(logs_one, logs_two):
        return -np.inf
    return xlogx[n] - logs_one - logs_two + joint_logs(one, two, xlogx) - price


def group_variables(rows, cardinalities):
    """Group number of each variable: merge the two groups that save most, while one saves."""
    return _merge_groups(len(rows), cardinalities, *pack_planes(rows, cardinalities))


@njit(cache=True, nogil=True)
def _merge_groups(n, cardinalities, planes, offsets, everything):
    d = len(cardinalities)
    xlogx = np.zeros(n + 1)
    for k in range(2, n + 1):
        xlogx[k] = k * math.log2(k)
    group = np.arange(d)
    whole = everything.reshape(1, -1)
    masks = [drop_empty(split_masks(whole, planes, offsets[i], cardinalities[i])) for i in range(d)]
    cells = cardinalities.astype(np.float64)
    logs = np.zeros(d)
    for i in range(d):
        for size in mask_sizes(masks[i]):
            logs[i] += xlogx[size]
    gains = np.full((d, d), -np.inf)
    for a in range(d):
        for b in range(a + 1, d):
            gains[a, b] = merge_gain(
                masks[a], masks[b], logs[a], logs[b], cells[a], cells[b], xlogx
            )
    top = np.array([gains[a].argmax() for a in range(d)])
    while True:
        a = 0
        for c in range(1, d):
            if gains[c, top[c]] > gains[a, top[a]]:
                a = c
        b = top[a]
        if not gains[a, b] > 1e-9:
            return group
        logs[a] = joint_logs(masks[a], masks[b], xlogx)
        cells[a] *= cells[b]
        joined = np.empty((len(masks[a]) * len(masks[b]), masks[a].shape[1]), np.uint64)
        for p in range(len(masks[a])):
            for q in range(len(masks[b])):
                joined[p * len(masks[b]) + q] = masks[a][p] & masks[b][q]
        masks[a] = drop_empty(joined)
        group[group == b] = a
        gains[b] = -np.inf
        gains[:, b] = -np.inf
        for c in range(d):
            if c != a and c != b and group[c] == c:
                low, high = min(a, c), max(a, c)
                gains[low, high] = merge_gain(
                    masks[a], masks[c], logs[a], logs[c], cells[a], cells[c], xlogx
                )
        for c in range(d):
            top[c] = gains[c].argmax()


@njit(cache=True, nogil=True)
def copy_groups(rows, picks, group):
    """Make new rows: variable i of row t is that of row ``picks[group[i], t]``."""
    d = rows.shape[1]
    n = picks.shape[1]
    out = np.empty((n, d), np.uint8)
    for t in range(n):
        for i in range(d):
            out[t, i] = rows[picks[group[i], t], i]
    return out
