"""How well one feature splits the rows of one node of a decision tree.

Weights are sums of row weights, so that fractional rows (Quinlan's unknown values) and whole
rows are one case. Entropies are kept as Σ n log₂ n.
"""

from math import log2, sqrt

import numpy as np
from numba import njit

from ..inner import hot, inner

#: Gains, ratios and weights closer than this are equal: sums in another order differ by less.
SAME = 1e-10


@inner
def xlogx(n):
    """n log₂ n."""
    return n * log2(n) if n > 0.0 else 0.0


@inner
def is_significant(counts, n_branches, n_classes, branches, classes, total, critical):
    """Return whether Pearson's chi-squared statistic reaches the critical value.

    ``branches`` and ``classes`` are the rows of the table with its sums.
    """
    used_branches, used_classes, statistic = 0, 0, 0.0
    for c in range(n_classes):
        used_classes += counts[classes, c] > 0
    for b in range(n_branches):
        if counts[branches, b] > 0:
            used_branches += 1
            share = 0.0
            for c in range(n_classes):
                if counts[b, c] > 0:
                    share += counts[b, c] * counts[b, c] / counts[classes, c]
            statistic += share / counts[branches, b]
    return total * (statistic - 1.0) >= critical[(used_branches - 1) * (used_classes - 1)]


@hot
def tally_levels(codes, f, n_levels, lists, start, n, classes, loads, counts):
    """Class weights by level, row by row; the weight of the rows with an unknown value.

    ``loads[1]`` has the weight of each row; None where all weigh 1.
    """
    for b in range(n_levels):
        for c in range(counts.shape[1]):
            counts[b, c] = 0
    unknown = 0
    for i in range(start, start + n):
        row = lists[0, i]
        code, weight = codes[f, row], 1 if loads is None else loads[1, row]
        if code < 0:
            unknown += weight
        else:
            counts[code, classes[row]] += weight
    return unknown


@hot
def judge_weights(counts, n_branches, n_classes, unknown, minimum, penalty, critical):
    """Gain and gain ratio of a split with these class weights by branch; gain -1 if not allowed.

    A split is allowed when two branches hold at least ``minimum``, its gain is positive and
    its chi-squared statistic reaches the critical value of its degrees of freedom. The last two
    rows of ``counts`` are room for the sums by branch and by class.
    """
    branches, classes = counts.shape[0] - 2, counts.shape[0] - 1
    for c in range(n_classes):
        counts[classes, c] = 0.0
    known, after, split, large = 0.0, 0.0, 0.0, 0
    for b in range(n_branches):
        counts[branches, b] = 0.0
        for c in range(n_classes):
            counts[branches, b] += counts[b, c]
            counts[classes, c] += counts[b, c]
            after -= xlogx(counts[b, c])
        known += counts[branches, b]
        large += counts[branches, b] >= minimum - SAME
        split += xlogx(counts[branches, b])
    before = xlogx(known)
    for c in range(n_classes):
        before -= xlogx(counts[classes, c])
    total = known + unknown
    gain = (before - (after + split)) / total - penalty
    split = (xlogx(total) - xlogx(unknown) - split) / total
    if large < 2 or gain <= SAME or split <= SAME:
        return -1.0, 0.0
    if critical.size > 0 and not is_significant(
        counts, n_branches, n_classes, branches, classes, known, critical
    ):
        return -1.0, 0.0
    return gain, gain / split


@hot
def cut_weights(lists, j, start, n, ranks, above, classes, n_classes, loads, minimum, counts):
    """Return the cut with the largest gain: after how many sorted rows, 0 for none, and how many
    cuts leave at least ``minimum`` on both sides.

    ``loads[1]`` has the weight of each row. Leaves in ``counts[0]`` and ``counts[1]`` the class
    weights on both sides.
    """
    for c in range(n_classes):
        counts[0, c], counts[1, c] = 0.0, 0.0
    low, high = 0.0, 0.0
    for i in range(n):
        row = lists[j, start + i]
        counts[1, classes[row]] += loads[1, row]
        high += loads[1, row]
    best, cut, eligible = np.inf, 0, 0
    for i in range(1, n):
        row, after = lists[j, start + i - 1], lists[j, start + i]
        weight = loads[1, row]
        counts[0, classes[row]] += weight
        counts[1, classes[row]] -= weight
        low += weight
        high -= weight
        if ranks[after] < above[ranks[row]] or min(low, high) < minimum - SAME:
            continue
        eligible += 1
        info = xlogx(low) + xlogx(high)
        for c in range(n_classes):
            info -= xlogx(counts[0, c]) + xlogx(counts[1, c])
        if info < best - SAME:
            best, cut = info, i
    for c in range(n_classes):
        counts[0, c], counts[1, c] = 0.0, 0.0
    for i in range(n):
        row = lists[j, start + i]
        counts[0 if i < cut else 1, classes[row]] += loads[1, row]
    return cut, eligible


@njit(cache=True, nogil=True)
def added_errors(n, errors, confidence, z):
    """Return how many errors more than those seen a leaf must expect at this confidence.

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
    """Return the same for one error or more."""
    if errors + 0.5 >= n:
        return max(n - errors, 0.0)
    f = (errors + 0.5) / n
    spread = z * sqrt(f / n - f * f / n + z * z / (4.0 * n * n))
    return (f + z * z / (2.0 * n) + spread) / (1.0 + z * z / n) * n - errors
