"""How well the features that some subsets ask for split one node of a decision tree."""

from math import ceil, log2

import numpy as np

from ..inner import hot, inner
from .forest import AFTER, BEFORE, COMPLETE, FLAG, LEVELS, OFFSET, SLOT, WANTED, WIDTH
from .split import cut_weights, judge_weights, tally_levels
from .whole import (
    FULL,
    NONE,
    add_bits,
    count_cuts,
    count_sides,
    fill_tables,
    judge_many,
    sweep,
)

#: Rows of the class counts: of the node, of the rows with a known value (and room).
TOTALS, KNOWN = range(2)


@inner
def fewest_rows(minimum, release8, known, present):
    """Return how much a side of a cut must hold; ``present`` is the number of classes."""
    return max(minimum, min(25.0, 0.1 * known / present)) if release8 else minimum


@inner
def list_length(lists, j, start, n, complete):
    """Return how many rows of a node have a known value."""
    known = n
    if not complete:
        known = 0
        while known < n and lists[j, start + known] != NONE:
            known += 1
    return known


@inner
def count_flags(flags, lists, start, counts, planes, sums):
    """Count all flags by class, which the rows are in order of: ``sums`` (classes, flags)."""
    for w in range(flags.shape[1]):
        at = start
        for c in range(sums.shape[0]):
            end, fresh = at + counts[TOTALS, c], True
            while at < end or fresh:
                n = min(FULL, end - at)
                add_bits(flags, w, lists, at, n, c, fresh, planes, sums)
                at, fresh = at + n, False


@inner
def judge_levels(data, rules, work, start, n, f):
    """Gain and ratio of a nominal feature at a node of whole rows."""
    features, sums, tally, classes = work.features, work.sums, work.tally, work.classes
    n_levels, flag, width = features[f, LEVELS], features[f, FLAG], features[f, WIDTH]
    n_classes, unknown = classes.shape[1], 0
    if width == 0:
        unknown = tally_levels(
            data.codes, f, n_levels, work.lists, start, n, data.classes, None, tally
        )
    for c in range(n_classes if width > 0 else 0):
        # Without unknown values in the table the last level has no flag: it is the rest.
        rest = classes[0, c]
        for b in range(width):
            tally[b, c] = sums[c, flag + b]
            rest -= tally[b, c]
        if width < n_levels:
            tally[width, c] = rest
        else:
            unknown += rest
    return judge_many(
        tally, n_levels, n_classes, unknown, rules.minimum, 0.0, rules.critical, data.fixed,
        data.unit,
    )  # fmt: skip


@inner
def best_cut(data, work, start, n_known, f, row, inside, least):
    """Return a continuous feature's cut with the largest gain; ``row`` has the class counts."""
    classes, j = work.classes, work.features[f, SLOT]
    ranks, above = data.codes[f], data.above[work.features[f, OFFSET] :]
    return sweep(
        work.lists, j, start, n_known, ranks, above, data.classes, classes, row, inside, least,
        work.outer, work.inner, data.near,
    )  # fmt: skip


@inner
def judge_cut(data, rules, work, start, n, f, n_known, row, inside):
    """Gain and ratio of a continuous feature at a node of whole rows."""
    lists, features, classes, tally = work.lists, work.features, work.classes, work.tally
    codes, j, n_classes = data.codes, features[f, SLOT], classes.shape[1]
    minimum = fewest_rows(rules.minimum, rules.release8, n_known, rules.present)
    least = int(ceil(minimum))
    cut = best_cut(data, work, start, n_known, f, row, inside, least)
    if cut == 0:
        return -1.0, 0.0
    features[f, BEFORE] = codes[f, lists[j, start + cut - 1]]
    features[f, AFTER] = codes[f, lists[j, start + cut]]
    penalty = 0.0
    if rules.release8:
        above = data.above[features[f, OFFSET] :]
        penalty = log2(count_cuts(lists, j, start, n_known, codes[f], above, least)) / n
    count_sides(lists, j, start, n_known, cut, data.classes, classes, row, tally)
    return judge_many(
        tally,
        np.int64(2),
        n_classes,
        n - n_known,
        minimum,
        penalty,
        rules.critical,
        data.fixed,
        data.unit,
    )


@inner
def judge_whole_node(data, rules, work, start, n, wanted):
    """Fill in gain, ratio and cut of the features that are asked for; all rows weigh 1."""
    features, gains, lists, classes = work.features, work.gains, work.lists, work.classes
    n_classes, filled, inside = classes.shape[1], False, 0
    count_flags(data.flags, lists, start, classes, work.planes, work.sums)
    for k in range(wanted):
        f = features[k, WANTED]
        j = features[f, SLOT]
        if j == 0:
            gains[f, 0], gains[f, 1] = judge_levels(data, rules, work, start, n, f)
            continue
        n_known, row = list_length(lists, j, start, n, features[f, COMPLETE]), TOTALS
        if n_known < 2:
            gains[f, 0] = -1.0
            continue
        if n_known < n:
            row = KNOWN
            for c in range(n_classes):
                classes[KNOWN, c] = 0
            for i in range(start, start + n_known):
                classes[KNOWN, data.classes[lists[j, i]]] += 1
        if n_known < n or not filled:
            inside = fill_tables(data.fixed, classes, row, n_known, work.outer, work.inner)
            filled = n_known == n
        gains[f, 0], gains[f, 1] = judge_cut(data, rules, work, start, n, f, n_known, row, inside)


@inner
def judge_weighted_cut(data, rules, work, start, n, total, f):
    """Gain and ratio of a continuous feature at a node of weighted rows."""
    features, lists, loads, counts = work.features, work.lists, work.loads, work.counts
    j, n_classes = features[f, SLOT], work.classes.shape[1]
    n_known = list_length(lists, j, start, n, features[f, COMPLETE])
    weight = 0.0
    for i in range(start, start + n_known):
        weight += loads[1, lists[j, i]]
    minimum = fewest_rows(rules.minimum, rules.release8, weight, rules.present)
    cut, eligible = cut_weights(
        lists,
        j,
        start,
        n_known,
        data.codes[f],
        data.above[features[f, OFFSET] :],
        data.classes,
        n_classes,
        loads,
        minimum,
        counts,
    )
    if cut == 0:
        return -1.0, 0.0
    features[f, BEFORE] = data.codes[f, lists[j, start + cut - 1]]
    features[f, AFTER] = data.codes[f, lists[j, start + cut]]
    penalty = log2(eligible) / total if rules.release8 else 0.0
    unknown = 0.0 if n_known == n else max(total - weight, 0.0)
    return judge_weights(counts, np.int64(2), n_classes, unknown, minimum, penalty, rules.critical)


@hot
def judge_weighted_node(data, rules, work, start, n, total, wanted):
    """Fill in gain, ratio and cut of the features that are asked for; rows have weights."""
    features, lists, loads, counts = work.features, work.lists, work.loads, work.counts
    for i in range(start, start + n):
        loads[1, lists[0, i]] = work.weights[i]
    for k in range(wanted):
        f = features[k, WANTED]
        n_levels = features[f, LEVELS]
        if features[f, SLOT] > 0:
            gain, ratio = judge_weighted_cut(data, rules, work, start, n, total, f)
        else:
            unknown = tally_levels(
                data.codes, f, n_levels, lists, start, n, data.classes, loads, counts
            )
            gain, ratio = judge_weights(
                counts, n_levels, work.classes.shape[1], unknown, rules.minimum, 0.0,
                rules.critical,
            )  # fmt: skip
        work.gains[f, 0], work.gains[f, 1] = gain, ratio
