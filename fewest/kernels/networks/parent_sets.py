"""Which sets of parents can be in a best network, and the best one inside a set of variables."""

import numpy as np
from numba import njit

from .algorithm_b import LEAST
from .subset_sums import place_of


@njit(cache=True, nogil=True)
def bits_in(mask):
    """Number of variables in a mask."""
    number = 0
    while mask:
        mask &= mask - 1
        number += 1
    return number


@njit(cache=True, nogil=True)
def child_parent_sets(
    child, cardinalities, most, penalty, total, keys, masks, sums, known, best, sets, scores
):
    """Parent sets of one child that score higher than each of their subsets; how many.

    ``masks`` stand in ascending order, so that subsets come before supersets; ``total`` is the
    row of ``sums`` for the parents of this child, ``known[at]`` whether a place of ``sums`` is
    filled, ``best`` room for the best score inside each mask.
    """
    own = np.int64(1) << child
    levels = cardinalities[child]
    found = 0
    for k in range(len(masks)):
        mask = masks[k]
        if mask & own or bits_in(mask) > most:
            continue
        at = place_of(keys, mask)
        top = -np.inf
        cases = 1.0
        for v in range(len(cardinalities)):
            if (mask >> v) & 1:
                cases *= cardinalities[v]
                top = max(top, best[place_of(keys, mask ^ (np.int64(1) << v))])
        family = place_of(keys, mask | own)
        if known[family]:
            score = sums[0, family] - sums[total, at] - penalty * (levels - 1) * cases
            if score > top + LEAST:
                if found >= len(sets):
                    return -1
                sets[found] = mask
                scores[found] = score
                found += 1
                top = score
        best[at] = top
    return found


@njit(cache=True, nogil=True)
def first_inside(sets, first, last, allowed):
    """The first parent set, best first, that lies inside ``allowed``."""
    k = first
    while k < last - 1 and sets[k] & ~allowed:
        k += 1
    return k


@njit(cache=True, nogil=True)
def best_sinks(d, sets, scores, starts, first, last, value, sink):
    """Score and last variable of the best network over each set from ``first`` to before ``last``.

    Silander and Myllymaki (2006): the best network over W has a sink x, whose best parents lie in
    W without x, above the best network over W without x. ``sets`` of child x stand, best first,
    from ``starts[x]`` to ``starts[x + 1]``; the empty set is always among them. Smaller masks come
    first, so that the work can be done in parts; the value of the empty set is 0.
    """
    for w in range(max(first, 1), last):
        top = -np.inf
        last = 0
        for x in range(d):
            if not (w >> x) & 1:
                continue
            rest = w ^ (np.int64(1) << x)
            if value[rest] + scores[starts[x]] <= top:
                continue
            k = first_inside(sets, starts[x], starts[x + 1], rest)
            total = value[rest] + scores[k]
            if total > top:
                top = total
                last = x
        value[w] = top
        sink[w] = last
