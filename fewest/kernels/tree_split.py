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
