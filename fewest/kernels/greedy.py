"""Greedy structure learning by adding arcs: Algorithm B."""

import numpy as np
from numba import njit

from .bitplanes import pack_planes
from .family import family_score, parent_scores

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
    d = ancestors.shape[0]
    new = ancestors[parent].copy()
    new[parent >> 6] |= _1 << np.uint64(parent & 63)
    for i in range(d):
        if i == child or holds(ancestors[i], child):
            ancestors[i] |= new


@njit(cache=True, nogil=True)
def first_largest(gains):
    """Index of the largest gain; of those that differ by rounding only, the first."""
    best = 0
    for j in range(1, len(gains)):
        if gains[j] > gains[best] + LEAST:
            best = j
    return best


@njit(cache=True, nogil=True)
def row_gains(
    planes, offsets, cardinalities, everything, child, parents, kind, alpha, penalty, largest
):
    """What each further parent would add to ``child``; -inf where it cannot be one."""
    args = (planes, offsets, cardinalities, everything, child, parents, kind, alpha, penalty)
    cells = float(cardinalities[child])
    for p in parents:
        cells *= cardinalities[p]
    gains = parent_scores(*args) - family_score(*args)
    gains[child] = -np.inf
    for p in parents:
        gains[p] = -np.inf
    for j in range(len(gains)):
        if cells * cardinalities[j] > largest:
            gains[j] = -np.inf
    return gains


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
    gains = np.full((d, d), -np.inf)
    best = np.zeros(d, np.int64)
    top = np.full(d, -np.inf)
    for i in range(d):
        if max_parents > 0:
            gains[i] = row_gains(planes, offsets, cardinalities, everything, i, parents[i, :0],
                                 kind, alpha, penalty, largest)  # fmt: skip
        best[i] = first_largest(gains[i])
        top[i] = gains[i, best[i]]
    while True:
        i = first_largest(top)
        j = best[i]
        if not top[i] > LEAST:
            return parents, number
        if holds(ancestors[j], i):
            gains[i, j] = -np.inf
        else:
            parents[i, number[i]] = j
            number[i] += 1
            add_ancestors(ancestors, j, i)
            if number[i] < max_parents:
                old = gains[i].copy()
                gains[i] = row_gains(planes, offsets, cardinalities, everything, i,
                                     parents[i, : number[i]], kind, alpha, penalty,
                                     largest)  # fmt: skip
                for k in range(d):
                    if old[k] == -np.inf:
                        gains[i, k] = -np.inf
            else:
                gains[i] = -np.inf
        best[i] = first_largest(gains[i])
        top[i] = gains[i, best[i]]
