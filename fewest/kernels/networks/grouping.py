"""Partition of variables into groups by the minimum description length."""

import math

import numpy as np
from numba import njit

from ..counting.bitplanes import drop_empty, mask_sizes, pack_planes, popcount, split_masks


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
    """Bits saved by describing two groups as one.

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
    """New rows: variable i of row t is that of row ``picks[group[i], t]``."""
    d = rows.shape[1]
    n = picks.shape[1]
    out = np.empty((n, d), np.uint8)
    for t in range(n):
        for i in range(d):
            out[t, i] = rows[picks[group[i], t], i]
    return out
