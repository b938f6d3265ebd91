"""Scores of families that were met before, and K2."""

from collections import namedtuple

import numpy as np
from numba import njit

from ..counting.bitplanes import split_masks
from .families import LEAST_GAIN, find_tables, mask_gains, number_of_cases

#: The rows in two forms, the score, and the nodes found so far (see ``models.networks``).
FamilyCache = namedtuple(
    "FamilyCache",
    "planes offsets cardinalities everything columns kind alpha penalty largest made tables "
    "slots count children parents scores gains",
)
#: With more masks than this, counting row by row is faster than by bits.
MOST_MASKS = 64
_1 = np.uint64(1)


@njit(cache=True, nogil=True)
def has(bits, i):
    """Decide if ``i`` is in a set of bits."""
    return (bits[i >> 6] >> np.uint64(i & 63)) & _1 == _1


@njit(cache=True, nogil=True)
def flip(bits, i):
    """Put ``i`` into a set of bits, or take it out."""
    bits[i >> 6] ^= _1 << np.uint64(i & 63)


@njit(cache=True, nogil=True)
def members(bits, d):
    """Return the members of a set of bits, ascending."""
    found = np.empty(d, np.int64)
    k = 0
    for i in range(d):
        if has(bits, i):
            found[k] = i
            k += 1
    return found[:k]


@njit(cache=True, nogil=True)
def find_slot(slots, children, parents, child, bits):
    """Return the position of a node in the hash table, or the free position where it belongs."""
    h = np.uint64(child + 1) * np.uint64(0x9E3779B97F4A7C15)
    for w in range(len(bits)):
        h = (h ^ bits[w]) * np.uint64(0xBF58476D1CE4E5B9)
        h ^= h >> np.uint64(29)
    at = np.int64(h & np.uint64(len(slots) - 1))
    while slots[at] >= 0:
        node = slots[at]
        same = children[node] == child
        for w in range(len(bits)):
            same = same and parents[node, w] == bits[w]
        if same:
            return at
        at = (at + 1) & (len(slots) - 1)
    return at


@njit(cache=True, nogil=True)
def fill_slots(slots, children, parents, number):
    """Enter the first ``number`` nodes into an empty hash table."""
    for node in range(number):
        slots[find_slot(slots, children, parents, children[node], parents[node])] = node


@njit(cache=True, nogil=True)
def cases_of_rows(columns, cardinalities, variables):
    """Label each row by its observed configuration of some variables; return how many there are."""
    n = columns.shape[1]
    cases = np.zeros(n, np.int64)
    number = 1
    for v in variables:
        seen = np.full(number * cardinalities[v], -1, np.int64)
        number = 0
        for t in range(n):
            case = cases[t] * cardinalities[v] + columns[v, t]
            if seen[case] < 0:
                seen[case] = number
                number += 1
            cases[t] = seen[case]
    return cases, number


@njit(cache=True, nogil=True)
def counted_score(counts, configurations, levels, others, cell, total):
    """Return the score, before the penalty, from counts by configuration, level, and new parent."""
    score = 0.0
    for c in range(configurations):
        for v in range(others):
            n = 0
            for k in range(levels):
                n_cell = counts[(c * levels + k) * others + v]
                n += n_cell
                score += cell[n_cell]
            score -= total[n]
    return score


@njit(cache=True, nogil=True)
def row_gains(cache, child, parents, cases, gains):
    """Compute ``mask_gains`` by counting row by row: for families with many configurations."""
    levels = cache.cardinalities[child]
    d, n = cache.columns.shape
    case, number = cases_of_rows(cache.columns, cache.cardinalities, parents)
    place = np.empty(n, np.int32)
    for t in range(n):
        place[t] = case[t] * levels + cache.columns[child, t]
    counts = np.empty(number * levels * np.max(cache.cardinalities), np.int32)
    now = 0.0
    for j in range(-1, d):
        others = 1 if j < 0 else cache.cardinalities[j]
        for k in range(number * others * levels):
            counts[k] = 0
        if j < 0:
            for t in range(n):
                counts[place[t]] += 1
        else:
            column = cache.columns[j]
            for t in range(n):
                counts[place[t] * others + column[t]] += 1
        slot = find_tables(
            cache.made, cache.tables, cache.kind, cache.alpha, levels, cases * others
        )
        score = counted_score(
            counts, number, levels, others, cache.tables[slot, 0], cache.tables[slot, 1]
        )
        score -= cache.penalty * (levels - 1) * cases * others
        if j < 0:
            now = score
        else:
            gains[j] = score - now
    return now


@njit(cache=True, nogil=True)
def configurations_up_to(cache, parents, most):
    """Return the masks of the observed configurations, or none if there are more than ``most``."""
    words = len(cache.everything)
    masks = np.empty((1, words), np.uint64)
    for w in range(words):
        masks[0, w] = cache.everything[w]
    for v in parents:
        parts = split_masks(masks, cache.planes, cache.offsets[v], cache.cardinalities[v])
        kept = 0
        for c in range(len(parts)):
            empty = True
            for w in range(words):
                parts[kept, w] = parts[c, w]
                empty = empty and parts[c, w] == np.uint64(0)
            if not empty:
                kept += 1
        masks = parts[:kept].copy()
        if kept > most:
            return masks[:0].copy()
    return masks


@njit(cache=True, nogil=True)
def find_family(cache, child, bits):
    """Return the node of a child with these parents, computed if new; -1 if there is no room."""
    at = find_slot(cache.slots, cache.children, cache.parents, child, bits)
    if cache.slots[at] >= 0:
        return cache.slots[at]
    node = cache.count[0]
    if node >= len(cache.scores):
        return -1
    d = len(cache.cardinalities)
    parents = members(bits, d)
    cases = number_of_cases(cache.cardinalities, parents)
    levels = cache.cardinalities[child]
    gains = cache.gains[node]
    masks = configurations_up_to(cache, parents, MOST_MASKS // levels)
    if len(masks) > 0:
        masks = split_masks(masks, cache.planes, cache.offsets[child], levels)
        cache.scores[node] = mask_gains(
            masks, cache.planes, cache.offsets, cache.cardinalities, child, cases, cache.kind,
            cache.alpha, cache.penalty, cache.made, cache.tables, gains,
        )  # fmt: skip
    else:
        cache.scores[node] = row_gains(cache, child, parents, cases, gains)
    for j in range(d):
        if j == child or has(bits, j) or cases * levels * cache.cardinalities[j] > cache.largest:
            gains[j] = -np.inf
    cache.children[node] = child
    for w in range(len(bits)):
        cache.parents[node, w] = bits[w]
    cache.slots[at] = node
    cache.count[0] = node + 1
    return node


@njit(cache=True, nogil=True)
def graph_scores(cache, graphs, first, scores):
    """Score graphs (m, d, words) from ``first`` on; return how many are done before it is full."""
    for g in range(first, len(graphs)):
        total = 0.0
        for i in range(graphs.shape[1]):
            node = find_family(cache, i, graphs[g, i])
            if node < 0:
                return g
            total += cache.scores[node]
        scores[g] = total
    return len(graphs)


@njit(cache=True, nogil=True)
def first_best(gains, before, number):
    """Return the first variable of ``before`` whose gain is the largest but for rounding, or -1."""
    top = -np.inf
    for k in range(number):
        top = max(top, gains[before[k]])
    if not top > LEAST_GAIN:
        return -1
    k = 0
    while gains[before[k]] < top - LEAST_GAIN:
        k += 1
    return before[k]


@njit(cache=True, nogil=True)
def k2_orders(cache, orders, most, start, parents, scores):
    """Find parents (m, d, words) and scores by K2 of ``orders`` (m, d), from row ``start`` on.

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
                    # The gain of a further parent is not needed, so nothing is counted.
                    found += cache.gains[node, best]
                    break
                node = find_family(cache, child, bits)
                if node < 0:
                    return row
                found = cache.scores[node]
            score += found
        scores[row] = score
    return m
