"""Greedy structure learning by adding arcs: Algorithm B."""

import numpy as np
from numba import njit

from ..counting.bitplanes import configurations, pack_planes, split_masks
from .family import empty_tables, mask_gains, number_of_cases

#: Gains smaller than this are rounding.
LEAST = 1e-9
_1 = np.uint64(1)


@njit(cache=True, nogil=True)
def holds(bits, i):
    """Whether element ``i`` is in a bit set."""
    return (bits[i >> 6] >> np.uint64(i & 63)) & _1 == _1


@njit(cache=True, nogil=True)
def add_ancestors(ancestors, parent, child):
    """Keep the ancestor sets right after the arc from ``parent`` to ``child``."""
    d, words = ancestors.shape
    for i in range(d):
        if i == child or holds(ancestors[i], child):
            for w in range(words):
                ancestors[i, w] |= ancestors[parent, w]
            ancestors[i, parent >> 6] |= _1 << np.uint64(parent & 63)


@njit(cache=True, nogil=True)
def first_largest(gains):
    """Index of the largest gain; of those that differ by rounding only, the first."""
    best = 0
    for j in range(1, len(gains)):
        if gains[j] > gains[best] + LEAST:
            best = j
    return best


@njit(cache=True, nogil=True)
def algorithm_b(rows, cardinalities, kind, alpha, penalty, max_parents, largest):
    """Parents by Algorithm B from the empty graph: (d, most) indices, and how many each has.

    Only the gains of the child that got a parent are computed again. An arc that would close
    a cycle now would do so for ever, so it is struck out when it first comes up.
    """
    d = rows.shape[1]
    planes, offsets, everything = pack_planes(rows, cardinalities)
    parents = np.zeros((d, max_parents), np.int64)
    number = np.zeros(d, np.int64)
    ancestors = np.zeros((d, (d + 63) // 64), np.uint64)
    gains = np.zeros((d, d))
    made, tables = empty_tables(len(rows))
    new = np.empty(d)
    best = np.zeros(d, np.int64)
    top = np.zeros(d)
    turn = 0
    while True:
        # The first d turns look at each child once, the others add an arc each.
        i = turn if turn < d else first_largest(top)
        j = i if turn < d else best[i]
        if turn >= d and not top[i] > LEAST:
            return parents, number
        gains[i, j] = -np.inf
        grows = turn < d or not holds(ancestors[j], i)
        if turn >= d and grows:
            parents[i, number[i]] = j
            number[i] += 1
            add_ancestors(ancestors, j, i)
        turn += 1
        if grows:
            own = parents[i, : number[i]]
            masks = configurations(planes, offsets, cardinalities, everything, own)
            masks = split_masks(masks, planes, offsets[i], cardinalities[i])
            cases = number_of_cases(cardinalities, own)
            mask_gains(
                masks, planes, offsets, cardinalities, i, cases, kind, alpha, penalty,
                made, tables, new,
            )  # fmt: skip
            full = number[i] >= max_parents
            for k in range(d):
                too_large = cases * cardinalities[i] * cardinalities[k] > largest
                if full or gains[i, k] == -np.inf or too_large:
                    new[k] = -np.inf
                gains[i, k] = new[k]
        best[i] = first_largest(gains[i])
        top[i] = gains[i, best[i]]
