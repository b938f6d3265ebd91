"""A* over the sets of variables already placed: the best network with a bound on the way.

Yuan and Malone (2013), with static pattern databases as heuristic. A *node* is a set of variables
placed so far; the estimate of the rest lets variables of other groups be parents of everything.
"""

from collections import namedtuple

import numpy as np
from numba import njit

from .algorithm_b import LEAST
from .parent_sets import first_inside
from .subset_sums import place_of

#: Nodes (set, score so far, last variable, node before), the hash table of sets, and the heap of
#: open nodes by estimated total; ``count`` holds nodes, length of the heap, and nodes expanded.
OrderSearch = namedtuple(
    "OrderSearch", "keys nodes masks values lasts befores heap estimates count"
)
DONE, FULL, GOES_ON = 0, 1, 2


@njit(cache=True, nogil=True)
def pattern_table(group, d, sets, scores, starts, table):
    """For each set of variables of a group that wait: the most that they can score.

    ``table`` is indexed by bits over the positions in ``group``; whatever is outside the waiting
    ones may be their parent.
    """
    everything = (np.int64(1) << d) - 1
    table[0] = 0.0
    for w in range(1, len(table)):
        waiting = np.int64(0)
        for k in range(len(group)):
            if (w >> k) & 1:
                waiting |= np.int64(1) << group[k]
        top = -np.inf
        for k in range(len(group)):
            if (w >> k) & 1:
                x = group[k]
                at = first_inside(sets, starts[x], starts[x + 1], everything ^ waiting)
                top = max(top, scores[at] + table[w ^ (np.int64(1) << k)])
        table[w] = top


@njit(cache=True, nogil=True)
def estimate(mask, groups, tables, lengths):
    """An upper bound of what the variables outside ``mask`` can score."""
    total = 0.0
    for g in range(len(lengths)):
        w = np.int64(0)
        for k in range(lengths[g]):
            if not (mask >> groups[g, k]) & 1:
                w |= np.int64(1) << k
        total += tables[g, w]
    return total


@njit(cache=True, nogil=True)
def push(heap, estimates, length, node, value):
    """Put a node into the heap whose root has the largest estimate."""
    at = length
    while at > 0:
        above = (at - 1) // 2
        if estimates[above] >= value:
            break
        heap[at], estimates[at] = heap[above], estimates[above]
        at = above
    heap[at], estimates[at] = node, value


@njit(cache=True, nogil=True)
def pop(heap, estimates, length):
    """Remove the root of a heap of ``length`` nodes."""
    node, value = heap[length - 1], estimates[length - 1]
    length -= 1
    at = 0
    while 2 * at + 1 < length:
        below = 2 * at + 1
        if below + 1 < length and estimates[below + 1] > estimates[below]:
            below += 1
        if estimates[below] <= value:
            break
        heap[at], estimates[at] = heap[below], estimates[below]
        at = below
    heap[at], estimates[at] = node, value


@njit(cache=True, nogil=True)
def open_node(search, mask, value, last, before, total):
    """Add a node, or improve one that is known, and put it into the heap."""
    at = place_of(search.keys, mask)
    node = search.nodes[at]
    if search.keys[at] == -1:
        node = search.count[0]
        search.keys[at] = mask
        search.nodes[at] = node
        search.masks[node] = mask
        search.count[0] += 1
    elif search.values[node] >= value - 1e-12:
        return
    search.values[node] = value
    search.lasts[node] = last
    search.befores[node] = before
    push(search.heap, search.estimates, search.count[1], node, total)
    search.count[1] += 1


@njit(cache=True, nogil=True)
def expand(search, d, sets, scores, starts, groups, tables, lengths, known, steps):
    """Expand up to ``steps`` open nodes; ``known`` is the score of a network at hand.

    Returns DONE (the root of the heap is a whole network, or nothing open beats ``known``), FULL
    or GOES_ON. The estimate of the root is an upper bound of every network's score.
    """
    everything = (np.int64(1) << d) - 1
    for _ in range(steps):
        length = search.count[1]
        if length == 0 or search.estimates[0] <= known + LEAST:
            return DONE
        if search.count[0] + d > len(search.masks) or length + d > len(search.heap):
            return FULL
        node, top = search.heap[0], search.estimates[0]
        mask, value = search.masks[node], search.values[node]
        if mask == everything:
            return DONE
        pop(search.heap, search.estimates, length)
        search.count[1] = length - 1
        # An older entry of a node that was improved since.
        if value + estimate(mask, groups, tables, lengths) > top + LEAST:
            continue
        search.count[2] += 1
        for x in range(d):
            if (mask >> x) & 1:
                continue
            k = first_inside(sets, starts[x], starts[x + 1], mask)
            wider = mask | (np.int64(1) << x)
            total = value + scores[k] + estimate(wider, groups, tables, lengths)
            if total > known + LEAST:
                open_node(search, wider, value + scores[k], x, node, total)
    return GOES_ON
