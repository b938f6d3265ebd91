"""K2 for many orderings at once over a cache of families."""

import numpy as np
from numba import njit

from .algorithm_b import LEAST
from .family_cache import find_family, flip


@njit(cache=True, nogil=True)
def first_best(gains, before, number):
    """The first variable of ``before`` whose gain is the largest but for rounding, or -1."""
    top = -np.inf
    for k in range(number):
        top = max(top, gains[before[k]])
    if not top > LEAST:
        return -1
    k = 0
    while gains[before[k]] < top - LEAST:
        k += 1
    return before[k]


@njit(cache=True, nogil=True)
def k2_orders(cache, orders, most, start, parents, scores):
    """Parents (m, d, words) and scores by K2 of ``orders`` (m, d), from row ``start`` on.

    Returns the row at which the cache was full, or the number of rows.
    """
    m, d = orders.shape
    for row in range(start, m):
        score = 0.0
        for place in range(d):
            child = orders[row, place]
            bits = parents[row, child]
            bits[:] = np.uint64(0)
            node = find_family(cache, child, bits)
            if node < 0:
                return row
            found = cache.scores[node]
            for number in range(1, most + 1):
                best = first_best(cache.gains[node], orders[row], place)
                if best < 0:
                    break
                flip(bits, best)
                if number == most:
                    # What a further parent would bring is not asked, so nothing is counted.
                    found += cache.gains[node, best]
                    break
                node = find_family(cache, child, bits)
                if node < 0:
                    return row
                found = cache.scores[node]
            score += found
        scores[row] = score
    return m
