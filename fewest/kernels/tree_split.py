"""How well one feature splits the rows of one node of a decision tree.

Weights are sums of row weights, so that fractional rows (Quinlan's unknown values) and whole
rows are one case. Entropies are kept as Σ n log₂ n, with a table for whole numbers n.
"""

from math import log2, sqrt

import numpy as np
from numba import njit

from .inner import inner

#: Gains and ratios closer than this are equal: sums in another order differ by less.
SAME = 1e-10


@njit(cache=True, nogil=True)
def xlogx(n, table):
    """n log₂ n, from the table where n is a whole number that it holds."""
    i = int(n)
    if i == n and i < table.size:
        return table[i]
    return n * log2(n) if n > 0.0 else 0.0


@njit(cache=True, nogil=True)
def chi_squared(counts, branches, classes):
    """Pearson's statistic of a (branches, classes) table, and its degrees of freedom."""
    total = 0.0
    used_branches = 0
    for b in range(counts.shape[0]):
        total += branches[b]
        used_branches += branches[b] > 0.0
    used_classes = 0
    statistic = 0.0
    for c in range(counts.shape[1]):
        if classes[c] > 0.0:
            used_classes += 1
            for b in range(counts.shape[0]):
                if branches[b] > 0.0:
                    statistic += counts[b, c] * counts[b, c] / (branches[b] * classes[c])
    return total * (statistic - 1.0), (used_branches - 1) * (used_classes - 1)


@njit(cache=True, nogil=True)
def judge_counts(counts, margins, unknown, minimum, penalty, critical, table):
    """Gain and gain ratio of a split with these class counts by branch; gain -1 if not allowed.

    A split is allowed when two branches hold at least ``minimum``, its gain is positive and
    its chi-squared statistic reaches the critical value of its degrees of freedom.
    ``margins`` is room for the sums by branch and by class.
    """
    n_branches, n_classes = counts.shape
    branches, classes = margins[0], margins[1]
    classes[:n_classes] = 0.0
    known, after, split, large = 0.0, 0.0, 0.0, 0
    for b in range(n_branches):
        branches[b] = 0.0
        for c in range(n_classes):
            branches[b] += counts[b, c]
            classes[c] += counts[b, c]
            after -= xlogx(counts[b, c], table)
        known += branches[b]
        large += branches[b] >= minimum
        split += xlogx(branches[b], table)
    before = xlogx(known, table)
    for c in range(n_classes):
        before -= xlogx(classes[c], table)
    total = known + unknown
    gain = (before - (after + split)) / total - penalty
    split = (xlogx(total, table) - xlogx(unknown, table) - split) / total
    if large < 2 or gain <= SAME or split <= SAME:
        return -1.0, 0.0
    if critical.size > 0:
        statistic, freedom = chi_squared(counts, branches, classes)
        if statistic < critical[freedom]:
            return -1.0, 0.0
    return gain, gain / split


@njit(cache=True, nogil=True)
def best_cut(ranks, classes, weights, n, counts, minimum, table):
    """The cut of sorted ranks with the largest gain.

    Leaves in ``counts[0]`` and ``counts[1]`` the class weights on both sides of it.

    Returns
    -------
    after : int
        The cut lies between ``ranks[after]`` and ``ranks[after + 1]``; -1 if there is none.
    eligible : int
        How many cuts leave at least ``minimum`` on both sides.
    """
    n_classes = counts.shape[1]
    left, right = counts[0], counts[1]
    left[:] = 0.0
    right[:] = 0.0
    low, high = 0.0, 0.0
    for i in range(n):
        right[classes[i]] += weights[i]
        high += weights[i]
    best, after, eligible = np.inf, -1, 0
    for i in range(n - 1):
        left[classes[i]] += weights[i]
        right[classes[i]] -= weights[i]
        low += weights[i]
        high -= weights[i]
        if ranks[i] == ranks[i + 1] or low < minimum or high < minimum:
            continue
        eligible += 1
        info = xlogx(low, table) + xlogx(high, table)
        for c in range(n_classes):
            info -= xlogx(left[c], table) + xlogx(right[c], table)
        if info < best - SAME:
            best, after = info, i
    left[:] = 0.0
    right[:] = 0.0
    for i in range(n):
        counts[0 if i <= after else 1, classes[i]] += weights[i]
    return after, eligible


#: Index of the only bit of a word, by its product with a de Bruijn sequence.
_DE_BRUIJN = 0x03F79D71B4CB0A89
_BIT = np.zeros(64, dtype=np.int64)
for _i in range(64):
    _BIT[((_DE_BRUIJN << _i) & (2**64 - 1)) >> 58] = _i
_SEQUENCE = np.uint64(_DE_BRUIJN)
_ONE, _SIX, _TOP = np.uint64(1), np.uint64(6), np.uint64(58)


@inner
def lowest_bit(word):
    """Index of the lowest one of a word."""
    return _BIT[((word & (~word + _ONE)) * _SEQUENCE) >> _TOP]


@njit(cache=True, nogil=True)
def next_rank(words, w, last):
    """Take the smallest rank out of a bitmap, looking from word ``w`` on; the rank, or -1."""
    while w <= last:
        word = words[w]
        if word != 0:
            words[w] = word & (word - _ONE)
            return (w << 6) + lowest_bit(word)
        w += 1
    return -1


@njit(cache=True, nogil=True)
def tally_ranks(codes, rows, start, n, target, words, tallies, total):
    """Count whole rows by rank and class; how many are known, and their smallest and last word."""
    known, low, last = 0, words.size, -1
    for i in range(start, start + n):
        row = rows[i]
        rank = codes[row]
        if rank >= 0:
            w = rank >> 6
            words[w] |= _ONE << np.uint64(rank & 63)
            low, last = min(low, w), max(last, w)
            tallies[rank, target[row]] += 1
            total[target[row]] += 1
            known += 1
    return known, low, last


@njit(cache=True, nogil=True)
def best_whole_cut(codes, rows, start, n, target, minimum, words, tallies, sides, counts, fixed):
    """The cut with the largest gain for whole rows, without sorting: :func:`best_cut`.

    Ranks are read off a bitmap in their order; sums of n log₂ n are whole numbers of 2⁻³², so
    that they can be updated row by row without error. ``words`` and ``tallies`` come and go
    empty; ``counts[0]`` and ``counts[1]`` get the class counts on both sides.

    Returns
    -------
    before, after : ranks next to the cut, -1 if there is none
    eligible : int
    known : int
    """
    left, right = sides[0], sides[1]
    n_classes = right.size
    for c in range(n_classes):
        left[c], right[c] = 0, 0
    known, w, last = tally_ranks(codes, rows, start, n, target, words, tallies, right)
    inside_left, inside_right = 0, 0
    for c in range(n_classes):
        inside_right += fixed[right[c]]
    best, before, after, eligible = np.int64(2**62), -1, -1, 0
    low, previous = 0, -1
    while True:
        rank = next_rank(words, w, last)
        if rank < 0:
            break
        w = rank >> 6
        if low >= minimum and known - low >= minimum and low > 0:
            eligible += 1
            info = fixed[low] + fixed[known - low] - inside_left - inside_right
            if info < best - 16:
                best, before, after = info, previous, rank
                for c in range(n_classes):
                    counts[0, c], counts[1, c] = left[c], right[c]
        for c in range(n_classes):
            moved = tallies[rank, c]
            if moved > 0:
                tallies[rank, c] = 0
                inside_left += fixed[left[c] + moved] - fixed[left[c]]
                inside_right += fixed[right[c] - moved] - fixed[right[c]]
                left[c] += moved
                right[c] -= moved
                low += moved
        previous = rank
    return before, after, eligible, known


@njit(cache=True, nogil=True)
def added_errors(n, errors, confidence, z):
    """How many errors more than those seen a leaf must expect at this confidence.

    The upper limit of the binomial proportion, by its normal approximation from one error on;
    ``z`` is the normal quantile of 1 - confidence.
    """
    if errors < 1.0:
        none = n * (1.0 - confidence ** (1.0 / n))
        if errors == 0.0:
            return none
        return none + errors * (added_errors_from_one(n, 1.0, z) - none)
    return added_errors_from_one(n, errors, z)


@inner
def added_errors_from_one(n, errors, z):
    """The same for one error or more."""
    if errors + 0.5 >= n:
        return max(n - errors, 0.0)
    f = (errors + 0.5) / n
    spread = z * sqrt(f / n - f * f / n + z * z / (4.0 * n * n))
    return (f + z * z / (2.0 * n) + spread) / (1.0 + z * z / n) * n - errors
