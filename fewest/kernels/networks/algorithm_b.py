"""Greedy structure learning by adding arcs: Algorithm B."""

import numpy as np
from numba import njit

from ..counting.bitplanes import pack_planes
from ..inner import hot, inner
from .family import empty_tables, mask_gains

#: Gains smaller than this are rounding.
LEAST = 1e-9
_0, _1 = np.uint64(0), np.uint64(1)


def algorithm_b(rows, cardinalities, kind, alpha, penalty, max_parents, largest):
    """Parents by Algorithm B from the empty graph: (d, most) indices, and how many each has."""
    n, d = rows.shape
    parents, number = np.zeros((d, max_parents), np.int64), np.zeros(d, np.int64)
    ancestors = np.zeros((d, (d + 63) // 64), np.uint64)
    gains, new = np.zeros((d, d)), np.empty(d)
    best, top = np.zeros(d, np.int64), np.zeros(d)
    planes, offsets, everything = pack_planes(rows, cardinalities)
    _add_arcs(
        planes, offsets, cardinalities, everything[None], kind, alpha, penalty, float(largest),
        parents, number, ancestors, gains, *empty_tables(n), new, best, top,
    )  # fmt: skip
    return parents, number


@inner
def holds(bits, i, j):
    """Whether element ``j`` is in bit set ``i``."""
    return (bits[i, j >> 6] >> np.uint64(j & 63)) & _1 == _1


@hot
def add_ancestors(ancestors, parent, child):
    """Keep the ancestor sets right after the arc from ``parent`` to ``child``."""
    d, words = ancestors.shape
    for i in range(d):
        if i == child or holds(ancestors, i, child):
            for w in range(words):
                ancestors[i, w] |= ancestors[parent, w]
            ancestors[i, parent >> 6] |= _1 << np.uint64(parent & 63)


@njit(cache=True, nogil=True)
def _add_arcs(
    planes, offsets, cardinalities, everything, kind, alpha, penalty, largest,
    parents, number, ancestors, gains, made, tables, new, best, top,
):  # fmt: skip
    """Add the arc that helps most while one helps.

    Only the gains of the child that got a parent are computed again. An arc that would close
    a cycle now would do so for ever, so it is struck out when it first comes up.
    """
    d, max_parents = parents.shape
    turn = 0
    while True:
        # The first d turns look at each child once, the others add an arc each.
        i = min(turn, d - 1)
        if turn >= d:
            i = np.int64(0)
            for j in range(1, d):
                if top[j] > top[i] + LEAST:
                    i = j
            if not top[i] > LEAST:
                return
        j = i if turn < d else best[i]
        gains[i, j] = -np.inf
        grows = turn < d or not holds(ancestors, j, i)
        if turn >= d and grows:
            parents[i, number[i]] = j
            number[i] += 1
            add_ancestors(ancestors, j, i)
        turn += 1
        if grows:
            masks = family_masks(planes, offsets, cardinalities, everything, parents, number[i], i)
            cases = 1.0
            for a in range(number[i]):
                cases *= cardinalities[parents[i, a]]
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
        best[i] = 0
        for j in range(1, d):
            if gains[i, j] > gains[i, best[i]] + LEAST:
                best[i] = j
        top[i] = gains[i, best[i]]


@njit(cache=True, nogil=True)
def family_masks(planes, offsets, cardinalities, everything, parents, number, child):
    """The observed configurations of a child's parents, each cut by all levels of the child."""
    words = planes.shape[1]
    masks = everything
    for a in range(number + 1):
        v = parents[child, a] if a < number else child
        parts = np.empty((masks.shape[0] * cardinalities[v], words), np.uint64)
        kept = 0
        for c in range(masks.shape[0]):
            for level in range(cardinalities[v]):
                union = _0
                # Written over until a part that holds something stands there.
                for w in range(words):
                    part = masks[c, w]
                    if level > 0:
                        part &= planes[offsets[v] + level - 1, w]
                    else:
                        for other in range(offsets[v], offsets[v + 1]):
                            part &= ~planes[other, w]
                    parts[kept, w] = part
                    union |= part
                kept += a == number or union != _0
        masks = parts[:kept]
    return masks
