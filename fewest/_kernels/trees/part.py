"""Splitting the rows of a node among its branches, in every order they are kept in."""

import numpy as np

from ..inner import hot, inner
from .forest import COUNTS, LEVELS, OFFSET, SHARE
from .whole import NONE

#: The branch of a row that goes down all of them.
ALL = -1


@inner
def rank_below(distinct, offset, before, after):
    """Return the largest rank not above the cut half way between two values.

    Values between the two, in rows of other nodes, lie on the side of the cut where they are.
    """
    low, high = distinct[offset + before], distinct[offset + after]
    cut = low + (high - low) / 2.0
    if cut >= high:
        cut = low
    while before + 1 < after and distinct[offset + before + 1] <= cut:
        before += 1
    return before


@inner
def branch_of(codes, f, row, n_levels, offset, seen, rank):
    """Return the branch of a row by a feature, ALL where it is unknown or in no training row."""
    code = codes[f, row]
    if code < 0:
        return ALL
    if n_levels > 0:
        return code if seen[offset + code] else ALL
    return 1 if code > rank else 0


@hot
def set_sides(codes, f, features, seen, rank, rows, start, n, sides):
    """Note the branch of each row; how many have none."""
    n_levels, offset, unknown = features[f, LEVELS], features[f, OFFSET], 0
    for i in range(start, start + n):
        row = rows[0, i]
        branch = branch_of(codes, f, row, n_levels, offset, seen, rank)
        sides[row] = branch
        unknown += branch == ALL
    return unknown


@hot
def send_unknown(rows, start, n, sides, branch):
    """Send the rows without a branch down one."""
    for i in range(start, start + n):
        row = rows[0, i]
        if sides[row] == ALL:
            sides[row] = branch


@hot
def weigh_branches(lists, weights, start, n, sides, nodes, first, n_kids):
    """Fill in the share of the known weight of each branch; return the largest."""
    known, largest = 0.0, first
    for b in range(first, first + n_kids):
        nodes[b, SHARE] = 0.0
    for i in range(start, start + n):
        side = sides[lists[0, i]]
        if side != ALL:
            weight = weights[i] if weights.size > 0 else 1.0
            nodes[first + side, SHARE] += weight
            known += weight
    for b in range(first, first + n_kids):
        nodes[b, SHARE] /= known
        if nodes[b, SHARE] > nodes[largest, SHARE]:
            largest = b
    return largest - first


@hot
def keep(copy, low, high, sides, branch, lists, j, at):
    """Append the rows of a branch, in their order; where they end."""
    rows, to, kept = copy[low:high], lists[j, at:], np.uint64(0)
    for i in range(high - low):
        row = rows[i]
        to[kept] = row
        kept += np.uint64((sides[row] == branch) | (sides[row] == ALL))
    return at + np.int64(kept)


@inner
def keep_whole(copy, sides, branch, lists, at, nodes, parent, child):
    """Append the whole rows of a branch and count them by class, which they are in order of."""
    low = 0
    for c in range(COUNTS, nodes.shape[1]):
        high = low + int(nodes[parent, c])
        end = keep(copy, low, high, sides, branch, lists, np.int64(0), at)
        nodes[child, c] = end - at
        low, at = high, end
    return at


@hot
def keep_weighted(copy, n, sides, branch, classes, lists, weights, loads, at, nodes, child):
    """Append the rows of a branch with their weights (in ``loads[0]``), and sum these by class."""
    for c in range(COUNTS, nodes.shape[1]):
        nodes[child, c] = 0.0
    for i in range(n):
        row = copy[i]
        side, weight = sides[row], loads[0, i]
        if side == ALL:
            weight *= nodes[child, SHARE]
        if (side == branch or side == ALL) and weight > 0.0:
            lists[0, at], weights[at] = row, weight
            nodes[child, COUNTS + classes[row]] += weight
            at += 1
    return at


@hot
def halve_rows(codes, f, rank, lists, start, base, nodes, parent, first, sides, copy):
    """Hand whole rows to two branches, the second one first; count them by class.

    Returns how many the second one has.
    """
    ranks, to, one = codes[f], lists[0, base:], np.uint64(1)
    at, rest, low = np.uint64(0), np.uint64(0), start
    for c in range(COUNTS, nodes.shape[1]):
        n, before = int(nodes[parent, c]), at
        rows = lists[0, low : low + n]
        for i in range(n):
            row = rows[i]
            side = np.uint64(ranks[row] > rank)
            sides[row] = side
            to[at], copy[rest] = row, row
            at += side
            rest += one - side
        nodes[first + 1, c] = at - before
        nodes[first, c] = n - nodes[first + 1, c]
        low += n
    left = to[np.int64(at) :]
    for i in range(np.int64(rest)):
        left[i] = copy[i]
    return np.int64(at)


@hot
def halve(lists, j, start, n, second, n_second, n_first, sides, copy):
    """Hand the rows of a list to two branches: the second one goes to ``second`` and following."""
    rows, to, left = lists[j, start : start + n], lists[j, second:], lists[j, second + n_second :]
    at, rest, one = np.uint64(0), np.uint64(0), np.uint64(1)
    for i in range(n):
        row = rows[i]
        side = np.uint64(sides[row])
        to[at], copy[rest] = row, row
        at += side
        rest += one - side
    if np.int64(at) < n_second:
        to[at] = NONE
    for i in range(np.int64(rest)):
        left[i] = copy[i]
    if np.int64(rest) < n_first:
        left[rest] = NONE
