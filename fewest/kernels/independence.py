"""Tests of conditional independence, and the skeleton they leave of the complete graph."""

import math

import numpy as np
from numba import njit

from .bitplanes import configurations, joint_counts, mask_sizes, pack_planes, split_masks

G_SQUARED, PEARSON = 0, 1


@njit(cache=True, nogil=True)
def independence_statistic(planes, offsets, cardinalities, everything, x, y, given, kind):
    """G² or Pearson's chi-squared of x and y given others, and its degrees of freedom.

    Configurations of ``given`` without rows add nothing to either.
    """
    rx, ry = cardinalities[x], cardinalities[y]
    masks = configurations(planes, offsets, cardinalities, everything, given)
    parts = split_masks(masks, planes, offsets[x], rx)
    sizes = mask_sizes(parts)
    counts = joint_counts(parts, planes[offsets[y] : offsets[y + 1]])
    columns = np.zeros(ry)
    statistic = 0.0
    for c in range(masks.shape[0]):
        columns[:] = 0.0
        n = 0.0
        for a in range(rx):
            n += sizes[c * rx + a]
            columns[0] += sizes[c * rx + a]
            for b in range(1, ry):
                columns[b] += counts[c * rx + a, b - 1]
                columns[0] -= counts[c * rx + a, b - 1]
        for a in range(rx):
            row = float(sizes[c * rx + a])
            rest = row
            for b in range(ry - 1, -1, -1):
                count = rest if b == 0 else float(counts[c * rx + a, b - 1])
                rest -= count
                expected = row * columns[b] / n
                if kind == PEARSON and expected > 0:
                    statistic += (count - expected) ** 2 / expected
                elif kind == G_SQUARED and count > 0:
                    statistic += 2.0 * count * math.log(count / expected)
    return statistic, masks.shape[0] * (rx - 1) * (ry - 1)


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
def skeleton(rows, cardinalities, critical, kind, most):
    """Edges that no test removes, and what separated the others.

    Level by level, the sets tested are drawn from the neighbours at the start of the level, so
    that the answer does not depend on the order of the variables.

    Returns
    -------
    edges : bool array (d, d)
    separators : int64 array (d, d, most), and how many of them count: (d, d), -1 for an edge
    """
    d = rows.shape[1]
    planes, offsets, everything = pack_planes(rows, cardinalities)
    edges = np.ones((d, d), np.bool_)
    np.fill_diagonal(edges, False)
    separators = np.zeros((d, d, max(most, 1)), np.int64)
    number = np.full((d, d), -1, np.int64)
    for level in range(most + 1):
        before = edges.copy()
        for x in range(d):
            near = np.flatnonzero(before[x])
            if len(near) <= level:
                continue
            for y in near:
                if not edges[x, y]:
                    continue
                others = near[near != y]
                chosen = np.arange(level)
                more = True
                while more:
                    given = others[chosen]
                    found, freedom = independence_statistic(
                        planes, offsets, cardinalities, everything, x, y, given, kind
                    )
                    if freedom == 0 or found <= critical[min(freedom, len(critical) - 1)]:
                        edges[x, y] = edges[y, x] = False
                        number[x, y] = number[y, x] = level
                        separators[x, y, :level] = given
                        separators[y, x, :level] = given
                        break
                    more = next_combination(chosen, len(others))
    return edges, separators, number
