"""How well one feature splits a node whose rows all weigh 1: whole numbers only.

Sums of n log₂ n are kept in whole units (a table gives them for every n), so that they can be
updated row by row without error, and equal splits have equal gains whatever the order.
"""

import numpy as np

from ..inner import hot, inner
from .split import SAME, is_significant

#: What ends a list of rows that is shorter than its node.
NONE = np.uint32(0xFFFFFFFF)

_EACH = np.uint64(0x0101010101010101)

#: How many rows the bit planes can count, and flags in a word.
FULL, WORD = 255, 64


@hot
def add_bits(flags, w, lists, start, n, c, fresh, planes, sums):
    """Add up one word of flags over rows of class ``c``, 64 at once: ``sums[c]``.

    Three words make a sum and a carry, and these go up the planes: bit p of each count stands in
    plane p. In the end bits 0, 8, 16, … of the planes become the bytes of the first lane, and so
    on.
    """
    rows = lists[0, start : start + n]
    p0 = p1 = p2 = p3 = p4 = p5 = p6 = p7 = np.uint64(0)
    for i in range(0, n, 3):
        x, y, z = flags[rows[i], w], np.uint64(0), np.uint64(0)
        if i + 2 < n:
            y, z = flags[rows[i + 1], w], flags[rows[i + 2], w]
        elif i + 1 < n:
            y = flags[rows[i + 1], w]
        one, two = x ^ y ^ z, (x & y) | (z & (x ^ y))
        up = p0 & one
        p0 ^= one
        both = p1 ^ two
        p1, up = both ^ up, (p1 & two) | (up & both)
        p2, up = p2 ^ up, p2 & up
        p3, up = p3 ^ up, p3 & up
        p4, up = p4 ^ up, p4 & up
        p5, up = p5 ^ up, p5 & up
        p6, up = p6 ^ up, p6 & up
        p7 ^= up
    planes[0], planes[1], planes[2], planes[3] = p0, p1, p2, p3
    planes[4], planes[5], planes[6], planes[7] = p4, p5, p6, p7
    for j in range(8):
        word = np.uint64(0)
        for p in range(8):
            word |= ((planes[p] >> np.uint64(j)) & _EACH) << np.uint64(p)
        for k in range(8):
            at = WORD * w + 8 * j + k
            count = np.int64((word >> np.uint64(8 * k)) & np.uint64(255))
            sums[c, at] = count if fresh else sums[c, at] + count


@hot
def fill_tables(fixed, counts, r, n, outer, inner_steps):
    """Return what a cut after so many rows costs outside the classes, and each next row inside its
    class.

    The steps of the classes stand one after the other; returns the sum inside before any cut.
    """
    for i in range(n):
        outer[i] = fixed[i] + fixed[n - i]
    inside, at = 0, 0
    for c in range(counts.shape[1]):
        m = counts[r, c]
        inside += fixed[m]
        for k in range(m):
            inner_steps[at + k] = fixed[k + 1] - fixed[k] - fixed[m - k] + fixed[m - k - 1]
        at += m
    return inside


@hot
def sweep(lists, j, start, n, ranks, above, classes, counts, r, inside, least, outer, steps, near):
    """Return the cut with the largest gain, the first of equals: after how many sorted rows, 0 for
    none.

    ``lists[j]`` has the rows in the order of a feature with these ``ranks``, ``counts[r]`` those of
    each class. ``least`` must stay on both sides, and the rank after a cut must reach ``above`` of
    the rank before it. The place of each class in ``steps`` stands in the last row of ``counts``.
    """
    at, places = 0, counts.shape[0] - 1
    for c in range(counts.shape[1]):
        counts[places, c] = at
        at += counts[r, c]
    limit, cut, order = outer[0] - inside, 0, lists[j, start : start + n]
    for i in range(n - 1):
        c = classes[order[i]]
        inside += steps[counts[places, c]]
        counts[places, c] += 1
        info = outer[i + 1] - inside
        if info < limit:
            if ranks[order[i + 1]] >= above[ranks[order[i]]] and least <= i + 1 <= n - least:
                limit, cut = info - near, i + 1
    return cut


@hot
def count_sides(lists, j, start, n, cut, classes, counts, r, tally):
    """Class counts on both sides of a cut, by a look at the smaller one."""
    side, low, high = 0, 0, cut
    if cut > n - cut:
        side, low, high = 1, cut, n
    for c in range(counts.shape[1]):
        tally[side, c] = 0
    part = lists[j, start + low : start + high]
    for i in range(high - low):
        tally[side, classes[part[i]]] += 1
    for c in range(counts.shape[1]):
        tally[1 - side, c] = counts[r, c] - tally[side, c]


@hot
def count_cuts(lists, j, start, n, ranks, above, least):
    """Return how many cuts leave at least ``least`` rows on both sides."""
    found = 0
    for i in range(start + least, start + n - least + 1):
        found += ranks[lists[j, i]] >= above[ranks[lists[j, i - 1]]]
    return found


@inner
def gain_ratio(gained, split, total, penalty, unit):
    """Gain and gain ratio from sums in units; gain -1 if there is none."""
    gain, information = gained * unit / total - penalty, split * unit / total
    if gain <= SAME or information <= SAME:
        return -1.0, 0.0
    return gain, gain / information


@hot
def judge_many(tally, n_branches, n_classes, unknown, minimum, penalty, critical, fixed, unit):
    """Gain and gain ratio of a split with these class counts; gain -1 if not allowed."""
    branches, classes = tally.shape[0] - 2, tally.shape[0] - 1
    for c in range(n_classes):
        tally[classes, c] = 0
    known, large, gained, split = 0, 0, 0, 0
    for b in range(n_branches):
        branch = 0
        for c in range(n_classes):
            branch += tally[b, c]
            tally[classes, c] += tally[b, c]
            gained += fixed[tally[b, c]]
        tally[branches, b] = branch
        known += branch
        large += branch >= minimum
        split += fixed[branch]
    if large < 2:
        return -1.0, 0.0
    gained += fixed[known] - split
    for c in range(n_classes):
        gained -= fixed[tally[classes, c]]
    if critical.size > 0 and not is_significant(
        tally, n_branches, n_classes, branches, classes, known, critical
    ):
        return -1.0, 0.0
    total = known + unknown
    return gain_ratio(gained, fixed[total] - fixed[unknown] - split, total, penalty, unit)
