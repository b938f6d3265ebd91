"""The nearest rows of every query for many subsets at once, by sums of whole numbers.

Differences times ``unit`` are rounded down to whole numbers. Loops that add whole numbers and
keep the smallest become vector code, which loops over floats do not. A sum is too small by less
than one for each feature: rows that are so near to the k-th that this could matter are compared
in double precision.

Features stand in groups of a few; for one query the sums of all subsets of each group are worked
out once, so that a subset adds up one number per group.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ..counting.bitplanes import popcount
from .kd_tree import push
from .nearest import exact_distance, hot
from .votes import decided, drop_far, vote

#: More than any sum; two of them can be added.
FAR = np.int32(2**30)
LANES = 8
ZERO, ONE = np.uint64(0), np.uint64(1)


@hot
def whole_differences(values, squared, value, unit, out):
    """Differences of values to one value, in units, rounded down."""
    for r in range(len(values)):
        apart = abs(values[r] - value)
        apart = (apart * apart if squared else apart) * unit
        out[r] = np.int32(min(apart, np.float64(FAR)))


@hot
def group_sums(differences, first, size, width, sums, at):
    """The sums of all subsets of a group: that of no feature is there, others are built on it."""
    for code in range(1, 1 << size):
        high = 0
        while code >> (high + 1):
            high += 1
        known = at + np.uint64(code ^ (1 << high)) * width
        to, more = at + np.uint64(code) * width, np.uint64(first + high) * width
        for r in range(width):
            sums[to + r] = np.int32(sums[known + r] + differences[more + r])


@hot
def add_sums(sums, at, first, width, out):
    """The sums of all rows of a block, one place in ``at`` for each of an even number of groups."""
    a, b = first + at[0] * width, first + at[1] * width
    if len(at) == 2:
        for r in range(width):
            out[r] = np.int32(sums[a + r] + sums[b + r])
        return
    c, d = first + at[2] * width, first + at[3] * width
    for r in range(width):
        out[r] = np.int32(sums[a + r] + sums[b + r] + sums[c + r] + sums[d + r])
    for g in range(4, len(at), 2):
        a, b = first + at[g] * width, first + at[g + 1] * width
        for r in range(width):
            out[r] = np.int32(out[r] + sums[a + r] + sums[b + r])


@hot
def smallest(sums, at, first, width, out):
    """The smallest sum of a block; few groups are added and compared in one loop."""
    low = FAR
    if len(at) > 6:
        add_sums(sums, at, first, width, out)
        for r in range(width):
            low = out[r] if out[r] < low else low
        return low
    a, b = first + at[0] * width, first + at[1] * width
    if len(at) == 2:
        for r in range(width):
            v = np.int32(sums[a + r] + sums[b + r])
            low = v if v < low else low
        return low
    c, d = first + at[2] * width, first + at[3] * width
    if len(at) == 4:
        for r in range(width):
            v = np.int32(sums[a + r] + sums[b + r] + sums[c + r] + sums[d + r])
            low = v if v < low else low
        return low
    e, f = first + at[4] * width, first + at[5] * width
    for r in range(width):
        v = np.int32(
            sums[a + r] + sums[b + r] + sums[c + r] + sums[d + r] + sums[e + r] + sums[f + r]
        )
        low = v if v < low else low
    return low


@hot
def rows_up_to(values, limit):
    """The rows of a block whose values are not above a limit, as the bits of a word."""
    word = ZERO
    for r in range(np.uint64(len(values))):
        word |= np.uint64(values[r] <= limit) << np.uint64(r)
    return word


@hot
def insert_sum(value, k, best):
    """Put a sum into a sorted list of the k smallest."""
    # Without branches: where a value belongs is not to be foreseen.
    for t in range(k):
        other = best[t]
        best[t] = other if other < value else value
        value = value if other < value else other


@hot
def smallest_of_lanes(values, k, best):
    """A bound of the k-th smallest value: the k-th of the smallest of every eighth row."""
    for lane in range(LANES):
        low = values[lane]
        for r in range(lane, len(values), LANES):
            low = values[r] if values[r] < low else low
        insert_sum(low, k, best)
    limit = best[k - 1]
    best[:] = FAR
    return limit


@hot
def insert_sums(values, k, best):
    """Put sums into a sorted list of the k smallest; returns the largest of the list."""
    limit = np.int32(best[k - 1] - 1)
    if best[k - 1] == FAR and k <= LANES:
        limit = min(limit, smallest_of_lanes(values, k, best))
    left = rows_up_to(values, limit)
    while left != ZERO:
        insert_sum(values[popcount(~left & (left - ONE))], k, best)
        left &= left - ONE
    return best[k - 1]


@hot
def scan_sums(sums, boxes, at, margin, k, home, least, best, worst, out):
    """The k-th smallest sum of every subset, and the smallest of every block.

    A block whose box is farther than the k-th so far by more than the margin is skipped.
    """
    width, n_blocks = np.uint64(len(out)), np.uint64(len(least))
    size = np.uint64(len(sums)) // n_blocks
    for turn in range(-1, len(least)):
        # The block of the query comes first: its rows are near as a rule.
        b = home if turn < 0 else turn
        if turn == home:
            continue
        first = np.uint64(b) * size
        for s in range(len(at)):
            bound = np.int32(0)
            for g in range(at.shape[1]):
                bound = np.int32(bound + boxes[at[s, g] * n_blocks + np.uint64(b)])
            if bound > worst[s] + margin[s]:
                least[b, s] = FAR
                continue
            low = smallest(sums, at[s], first, width, out)
            least[b, s] = low
            if low < worst[s] and k == 1:
                worst[s] = low
            elif low < worst[s]:
                add_sums(sums, at[s], first, width, out)
                worst[s] = insert_sums(out, k, best[s])


@hot
def rows_within(sums, at, least, s, limit, found, exact, out):
    """Places and sums of all rows up to a limit, in their order; returns how many."""
    width = np.uint64(len(out))
    size = np.uint64(len(sums)) // np.uint64(len(least))
    number = 0
    for b in range(len(least)):
        if least[b, s] <= limit:
            add_sums(sums, at, np.uint64(b) * size, width, out)
            left = rows_up_to(out, limit)
            while left != ZERO:
                r = popcount(~left & (left - ONE))
                left &= left - ONE
                found[number], exact[number] = np.uint64(b) * width + r, out[r]
                number += 1
    return number


@hot
def query_sums(blocks, group, query, own, squared, unit, per_group, apart, sums):
    """The sums of all groups for one query; rows that are no neighbours are far."""
    n_blocks, d, w = blocks.shape
    width = np.uint64(w)
    size = np.uint64(len(sums) // n_blocks)
    for b in range(n_blocks):
        for j in range(d):
            whole_differences(blocks[b, j], squared, query[j], unit, apart[j * w : (j + 1) * w])
        first = np.uint64(b) * size
        for g in range(-(-d // per_group)):
            at = first + np.uint64(g << per_group) * width
            for r in range(w):
                out = g == 0 and (group[b, r] == own or group[b, r] < 0)
                sums[at + np.uint64(r)] = FAR if out else np.int32(0)
            group_sums(apart, g * per_group, min(per_group, d - g * per_group), width, sums, at)


@hot
def box_sums(low, high, query, squared, unit, per_group, apart, boxes):
    """The same for the nearest points of the boxes around the blocks."""
    d, n_blocks = low.shape
    width = np.uint64(n_blocks)
    for j in range(d):
        for b in range(n_blocks):
            value = max(low[j, b] - query[j], query[j] - high[j, b], 0.0)
            value = (value * value if squared else value) * unit
            apart[j * n_blocks + b] = np.int32(min(value, np.float64(FAR)))
    for g in range(-(-d // per_group)):
        at = np.uint64(g << per_group) * width
        for b in range(n_blocks):
            boxes[at + np.uint64(b)] = np.int32(0)
        group_sums(apart, g * per_group, min(per_group, d - g * per_group), width, boxes, at)


@hot
def first_in_order(sums, at, least, s, begin, k, out, part_far, part_near, far, near):
    """The k rows that scikit-learn keeps when it compares a query with all rows, as a heap.

    Each part of the rows, from one of ``begin`` to the next, goes through a heap of its own in the
    order of the rows; then the heaps are put together. A block can be skipped where none of its
    rows is below the largest of the heap.
    """
    width = np.uint64(len(out))
    size = np.uint64(len(sums)) // np.uint64(len(least))
    far[:] = FAR
    for part in range(len(begin) - 1):
        part_far[:], part_near[:] = FAR, -1
        for b in range(begin[part] // len(out), -(-begin[part + 1] // len(out))):
            # The smallest sum of a block that was skipped is not known.
            if least[b, s] < FAR and least[b, s] >= part_far[0]:
                continue
            add_sums(sums, at, np.uint64(b) * size, width, out)
            left = rows_up_to(out, np.int32(part_far[0] - 1))
            while left != ZERO:
                r = popcount(~left & (left - ONE))
                left &= left - ONE
                place = np.int64(np.uint64(b) * width + r)
                if begin[part] <= place < begin[part + 1]:
                    push(np.float64(out[r]), place, k, part_far, part_near)
        for i in range(k):
            push(part_far[i], part_near[i], k, far, near)


@njit(cache=True, nogil=True, error_model="numpy")
def nearest_rows_of_subsets(
    blocks, low, high, rows, squared, group, queries, own, home, unit, per_group, at, margin,
    weights, k, tolerance, absolute, target, rank, order, lowest, in_order, begin, fills,
    predicted, open_ties,
):  # fmt: skip
    """The class that the nearest rows of each query vote for under each subset.

    Parameters
    ----------
    blocks, low, high, rows, squared, group, queries, own, home, weights, k, tolerance, absolute, \
    target, rank, order, lowest, fills, predicted, open_ties
        See :func:`fewest.kernels.neighbours.nearest.nearest_rows`; no value is unknown, all are
        numbers, weights are 0 or 1.
    unit : float64
        What differences are multiplied by; sums of the features of a subset must stay below FAR.
    per_group : int
        Features in a group.
    at : uint64 (candidates, groups)
        Which sum of each group a subset needs: two, four, six or more groups.
    margin : int32 (candidates,)
        How much sums that matter may be apart: 0 where they are exact.
    in_order : bool (candidates,), begin : int64 (groups, parts + 1)
        Under some candidates a tie is settled by the order of the rows, which stand in blocks as
        they come, in parts that begin at these rows; see ``first_in_order``.
    """
    n_blocks, d, width = blocks.shape
    m, size = len(at), n_blocks * width
    n_sums = at.shape[1] << per_group
    sums = np.zeros(n_blocks * n_sums * width, np.int32)
    boxes = np.zeros(n_sums * n_blocks, np.int32)
    apart, box_apart = np.empty(d * width, np.int32), np.empty(d * n_blocks, np.int32)
    out, least = np.empty(width, np.int32), np.empty((n_blocks, m), np.int32)
    best, worst = np.empty((m, k), np.int32), np.empty(m, np.int32)
    found, exact = np.empty(size, np.int64), np.empty(size)
    part_far, part_near = np.empty(k), np.empty(k, np.int64)
    votes, scale, overlap = np.empty(rank.shape[1], np.int64), np.ones(d), np.zeros(d, np.bool_)
    for q in range(len(queries)):
        query_sums(blocks, group, queries[q], own[q], squared, unit, per_group, apart, sums)
        box_sums(low, high, queries[q], squared, unit, per_group, box_apart, boxes)
        best[:], worst[:] = FAR, FAR
        scan_sums(sums, boxes, at, margin, k, home[q], least, best, worst, out)
        for s in range(m):
            # Rows that are no neighbours stay out, whatever the margin.
            limit = np.int32(min(worst[s] + margin[s], FAR - 1))
            reach = rows_within(sums, at[s], least, s, limit, found, exact, out)
            if reach > k and (fills or margin[s] > 0):
                if margin[s] > 0:
                    for i in range(reach):
                        exact[i] = exact_distance(
                            queries[q], rows[found[i]], weights[s], scale, overlap, squared
                        )
                reach = drop_far(reach, k, exact, found, tolerance, absolute[s])
            predicted[s, q], open_ties[s, q] = decided(
                found, exact, reach, k, fills, lowest[s], tolerance, absolute[s],
                target, rank[q], order, votes,
            )  # fmt: skip
            if open_ties[s, q] and in_order[s]:
                first_in_order(
                    sums, at[s], least, s, begin[own[q]], k, out, part_far, part_near,
                    exact[:k], found[:k],
                )  # fmt: skip
                predicted[s, q] = vote(found, k, target, rank[q], votes)
                open_ties[s, q] = False
