"""The nearest rows of every query for many weightings of the features at once."""

from __future__ import annotations

import numpy as np
from numba import njit

from .terms import (
    add_up,
    box_differences,
    difference,
    differences,
    hot,
    terms_of,
)
from .votes import decided, drop_far

#: Bounds of blocks are rounded too: only what is farther by more than this is skipped.
CLOSE = np.float32(0.9999)


@hot
def keep_rows(group, own, base):
    """0 for the rows that may be neighbours, infinity for those of the query's group and for none.

    A negative group stands for no row at all.
    """
    for b in range(group.shape[0]):
        for r in range(group.shape[1]):
            out = group[b, r] == own or group[b, r] < 0
            base[b, r] = np.float32(np.inf) if out else np.float32(0.0)


@hot
def insert(values, k, best):
    """Put values into a sorted list of the k smallest; returns the largest of the list."""
    worst = best[k - 1]
    for r in range(len(values)):
        value = values[r]
        if value < worst:
            t = k - 1
            while t > 0 and best[t - 1] > value:
                best[t] = best[t - 1]
                t -= 1
            best[t] = value
            worst = best[k - 1]
    return worst


@hot
def block_distances(terms, table, base, at, chosen, factor, count, out):
    """Distances of the rows of one block under one candidate.

    ``terms`` and ``base`` are flat, since slices would cost more than the sums; the block's
    terms begin at ``table`` and its rows at ``at``.
    """
    width = np.uint64(len(out))
    t = 0
    if count >= 4:
        e, f = table + chosen[0] * width, table + chosen[1] * width
        g, h = table + chosen[2] * width, table + chosen[3] * width
        u, v, w, x = factor[0], factor[1], factor[2], factor[3]
        for r in range(width):
            out[r] = (
                base[at + r] + u * terms[e + r] + v * terms[f + r]
                + w * terms[g + r] + x * terms[h + r]
            )  # fmt: skip
        t = 4
    else:
        for r in range(width):
            out[r] = base[at + r]
    while t + 2 <= count:
        e, f = table + chosen[t] * width, table + chosen[t + 1] * width
        u, v = factor[t], factor[t + 1]
        for r in range(width):
            out[r] = out[r] + u * terms[e + r] + v * terms[f + r]
        t += 2
    if t < count:
        e, u = table + chosen[t] * width, factor[t]
        for r in range(width):
            out[r] = out[r] + u * terms[e + r]


@hot
def scan(
    terms, base, chosen, factor, count, k, home, bound, absolute, least, low, best, worst, out, bits
):
    """The k-th distance of every candidate, and the smallest of every block.

    ``least`` (blocks, candidates) is infinity for a block that was skipped: its bound says that
    all of its rows are farther, by more than ``absolute``. ``low`` are its bits, as ``bits`` are
    those of ``out``: as whole numbers, bits have the order of numbers that are not negative, and
    loops over them become vector code. Block after block, so that its terms stay in the cache for
    all candidates.
    """
    n_blocks = len(least)
    width = np.uint64(len(out))
    high = np.uint64(len(terms) // n_blocks)
    for turn in range(-1, n_blocks):
        # The block of the query comes first: its rows are near as a rule.
        b = home if turn < 0 else turn
        if turn == home:
            continue
        at, table = np.uint64(b) * width, np.uint64(b) * high
        for s in range(len(count)):
            if bound[b, s] * CLOSE > worst[s] + absolute[s]:
                least[b, s] = np.float32(np.inf)
                continue
            block_distances(terms, table, base, at, chosen[s], factor[s], count[s], out)
            lowest = bits[0]
            for r in range(width):
                value = bits[r]
                lowest = value if value < lowest else lowest
            low[b, s] = lowest
            if least[b, s] < worst[s]:
                worst[s] = least[b, s] if k == 1 else insert(out, k, best[s])


@hot
def within(terms, base, chosen, factor, count, least, s, limit, found, exact, out):
    """Places and distances of all rows up to a distance, in their order; returns how many."""
    n_blocks = len(least)
    width = np.uint64(len(out))
    high = np.uint64(len(terms) // n_blocks)
    number = 0
    for b in range(n_blocks):
        if least[b, s] <= limit:
            at, table = np.uint64(b) * width, np.uint64(b) * high
            block_distances(terms, table, base, at, chosen, factor, count, out)
            for r in range(width):
                if out[r] <= limit:
                    found[number], exact[number] = at + r, out[r]
                    number += 1
    return number


@njit(cache=True, nogil=True, error_model="numpy")
def exact_distance(one, other, weight, scale, overlap, squared):
    """Sum of weight times difference in double precision, in the order of the features."""
    total = 0.0
    for j in range(len(one)):
        if weight[j] != 0.0:
            total += weight[j] * difference(one[j], other[j], scale[j], overlap[j], squared)
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def nearest_rows(
    blocks, low, high, rows, overlap, squared, group, queries, own, home, scale,
    parent, feature, step, chosen, factor, count, weights, k, slack, tolerance, absolute,
    target, rank, order, lowest, fills, measured, near, far, predicted, open_ties,
):  # fmt: skip
    """The nearest rows of each query under each candidate, and the class that they vote for.

    Parameters
    ----------
    blocks : float64 (blocks, features, WIDTH)
        The rows that can be neighbours, block by block; NaN is unknown.
    low, high : float64 (features, blocks)
        Smallest and largest value of each block (-inf and inf where some are unknown).
    rows : float64 (blocks * WIDTH, features)
        The same rows, one after the other.
    overlap : bool (features,)
        Whether a feature holds labels.
    squared : bool
        Whether differences of numbers are squared.
    group : int64 (blocks, WIDTH)
        Rows of the group of a query are no neighbours of it; a negative group is no row.
    queries : float64 (queries, features), own : int64 (queries,), home : int64 (queries,)
        Their values, groups, and blocks to look at first.
    scale : float64 (queries, features)
        What the differences of numbers are multiplied by.
    parent, feature, step : (terms,)
        See :func:`fewest.kernels.neighbours.terms.terms_of`.
    chosen, factor : (candidates, most terms), count : (candidates,)
        The terms of each candidate.
    weights : float64 (candidates, features)
        The same in double precision, for what is decided by a hair.
    k : int
    slack : float32
        1 plus the relative error of a distance in single precision; 1 where there is none.
    tolerance : float64
        Distances that differ by less, relative to them, are equal.
    absolute : float64 (candidates,)
        Distances that differ by less than this are equal, too.
    target : int64 (blocks * WIDTH,)
        The class of each row.
    rank : int64 (queries, classes)
        Which class wins among equals; of a single one there are only numbers, no classes.
    order : int64 (blocks * WIDTH,), lowest : bool (candidates,)
        With k = 1, under some candidates the nearest row with the lowest number decides alone.
    fills : bool
        Whether exactly k rows vote, some of those as far as the k-th: where it does not matter
        which, the tie is not open.
    measured : bool
        Whether neighbours and distances are wanted, and not only the votes.
    near : int64 (candidates, queries, k), far : float64 (candidates, queries, k)
        Places of the k nearest and their distances, nearest first.
    predicted : int64 (candidates, queries)
        The class with most votes of the k nearest and of all rows as far as the k-th.
    open_ties : bool (candidates, queries)
        Whether there are such rows, not all of one class.
    """
    n_blocks, d, width = blocks.shape
    m, size, one = len(count), n_blocks * width, np.float32
    apart = np.empty((n_blocks, d, width), one)
    terms = np.empty((n_blocks, len(parent), width), one)
    box, box_terms = np.empty((d, n_blocks), one), np.empty((len(parent), n_blocks), one)
    base, out = np.empty((n_blocks, width), one), np.empty(width, one)
    nothing, bounds = np.zeros(n_blocks, one), np.empty(n_blocks, one)
    bound, least = np.empty((n_blocks, m), one), np.empty((n_blocks, m), one)
    best, worst = np.empty((m, k), one), np.empty(m, one)
    flat_terms, flat_base = terms.reshape(-1), base.reshape(-1)
    bits, low_bits = out.view(np.int32), least.view(np.int32)
    found, exact = np.empty(size, np.int64), np.empty(size)
    votes = np.empty(rank.shape[1], np.int64)
    for q in range(len(queries)):
        differences(blocks, overlap, squared, queries[q], scale[q], apart)
        for b in range(n_blocks):
            terms_of(apart[b], parent, feature, step, terms[b])
        box_differences(low, high, overlap, squared, queries[q], scale[q], box)
        terms_of(box, parent, feature, step, box_terms)
        keep_rows(group, own[q], base)
        best[:], worst[:] = np.inf, np.inf
        for s in range(m):
            add_up(box_terms, chosen[s], factor[s], count[s], nothing, bounds)
            for b in range(n_blocks):
                bound[b, s] = bounds[b]
        scan(
            flat_terms, flat_base, chosen, factor, count, k, home[q],
            bound, absolute, least, low_bits, best, worst, out, bits,
        )  # fmt: skip
        for s in range(m):
            reach = within(
                flat_terms, flat_base, chosen[s], factor[s], count[s],
                least, s, worst[s] * slack + np.float32(absolute[s]), found, exact, out,
            )  # fmt: skip
            rounded = slack > 1.0 or absolute[s] > 0.0
            if measured or (reach > k and (fills or rounded)):
                if measured or rounded:
                    for i in range(reach):
                        exact[i] = exact_distance(
                            queries[q], rows[found[i]], weights[s], scale[q], overlap, squared
                        )
                reach = drop_far(reach, k, exact, found, tolerance, absolute[s])
            if measured:
                for i in range(k):
                    near[s, q, i], far[s, q, i] = found[i], exact[i]
            predicted[s, q], open_ties[s, q] = decided(
                found, exact, reach, k, fills, lowest[s], tolerance, absolute[s],
                target, rank[q], order, votes,
            )  # fmt: skip
