"""How well a feature splits a node of a :mod:`store <fewest.kernels.tree_nodes>`."""

import numpy as np
from numba import njit

from .inner import inner
from .tree_nodes import weight_at
from .tree_split import best_cut, best_whole_cut, judge_counts
from .tree_whole import (
    count_flags,
    draw_bitmaps,
    fill_levels,
    gather_odd,
    ranks_beside,
    sweep_odd,
)

#: What ``flagged`` holds for continuous features without unknown values.
COMPLETE = -2


@njit(cache=True, nogil=True)
def sort_keys(keys, n):
    """Sort the first ``n`` keys in place, by Shell's method with Ciura's gaps."""
    for gap in (3548, 1577, 701, 301, 132, 57, 23, 10, 4, 1):
        for i in range(gap, n):
            key = keys[i]
            j = i
            while j >= gap and keys[j - gap] > key:
                keys[j] = keys[j - gap]
                j -= gap
            keys[j] = key


@inner
def sort_rows(codes, rows, weights, start, n, target, ranks, classes, loads, keys):
    """Put ranks, classes and weights of the known rows of a node in the order of the ranks."""
    known = 0
    for i in range(n):
        rank = codes[rows[start + i]]
        if rank >= 0:
            # Sorting by rank and place at once keeps equal ranks in the order of the rows.
            keys[known] = (np.int64(rank) << 32) | i
            known += 1
    sort_keys(keys, known)
    for j in range(known):
        place = start + (keys[j] & 0xFFFFFFFF)
        ranks[j] = keys[j] >> 32
        classes[j] = target[rows[place]]
        loads[j] = weight_at(weights, place)
    return known


@inner
def fewest_rows(minimum, release8, known, present):
    """How many rows a side of a cut must have; ``present`` is the number of classes."""
    return max(minimum, min(25.0, 0.1 * known / present)) if release8 else minimum


@inner
def cut_rows(data, rules, store, node, feature, present, scratch):
    """The best cut of a node by a continuous feature: the ranks next to it (-1 none), how many
    cuts there were to choose from, the fewest rows a side may have, and the known weight."""
    this, codes, rows = store.nodes[node], data.codes[feature], store.rows
    if this.whole:
        n = this.n
        if rules.release8:
            n = 0
            for i in range(this.start, this.start + this.n):
                n += codes[rows[i]] >= 0
        minimum = fewest_rows(rules.minimum, rules.release8, n, present)
        before, after, eligible, known = best_whole_cut(
            codes, rows, this.start, this.n, data.target, minimum,
            scratch.rank_words, scratch.tallies, scratch.sides, scratch.counts, data.fixed,
        )  # fmt: skip
        return before, after, eligible, minimum, float(known)
    ranks, loads = scratch.ranks, scratch.weights
    n = sort_rows(
        codes, rows, store.weights, this.start, this.n, data.target, ranks, scratch.classes, loads,
        scratch.keys,
    )  # fmt: skip
    weight = 0.0
    for i in range(n):
        weight += loads[i]
    minimum = fewest_rows(rules.minimum, rules.release8, weight, present)
    at, eligible = best_cut(
        ranks, scratch.classes, loads, n, scratch.counts[:2], minimum, data.table
    )
    if n == this.n:
        weight = this.total
    if at < 0:
        return -1, -1, eligible, minimum, weight
    return ranks[at], ranks[at + 1], eligible, minimum, weight


@inner
def tally_levels(codes, rows, weights, start, n, target, counts):
    """Fill in the class weights by level; the unknown weight."""
    for b in range(counts.shape[0]):
        for c in range(counts.shape[1]):
            counts[b, c] = 0.0
    unknown = 0.0
    for i in range(start, start + n):
        row = rows[i]
        if codes[row] < 0:
            unknown += weight_at(weights, i)
        else:
            counts[codes[row], target[row]] += weight_at(weights, i)
    return unknown


@inner
def sweeps(kind, whole, release8, minimum):
    """Whether the cut of a continuous feature at a node is found by :func:`sweep_odd`."""
    return kind == COMPLETE and whole == 1 and not release8 and minimum <= 1.0


@inner
def open_whole(data, store, node, scratch):
    """List the class counts of a node and its rows outside the largest class; how many of these."""
    this = store.nodes[node]
    for c in range(scratch.totals.size):
        scratch.totals[c] = int(store.counts[node, c])
    return gather_odd(store.rows, this.start, this.n, data.target, this.major, scratch.odd)


@inner
def judge_missing(data, rules, store, node, subset, present, scratch):
    """Work out how well the features of a subset split a node, those not yet known.

    To hand over all arrays costs as much as to judge a small node: for whole rows, functions
    that are called for each feature get the few that they need.
    """
    this, splits = store.nodes[node], store.splits[store.nodes[node].block]
    flagged, target, rows, start, n = data.flagged, data.target, store.rows, this.start, this.n
    totals, tally, sums, odd = scratch.totals, scratch.tally, scratch.sums, scratch.odd
    words, odd_words, below = scratch.words, scratch.odd_words, scratch.below
    n_odd = open_whole(data, store, node, scratch) if this.whole else 0
    counted = False
    for j in range(subset.size):
        f = subset[j]
        if not np.isnan(splits[f, 0]):
            continue
        n_branches, unknown = 2, 0
        if this.whole == 1 and flagged[f, 0] >= 0:
            if not counted:
                count_flags(data.flags, rows, start, n, target, scratch.lanes, sums)
                counted = True
            n_branches = data.levels[f]
            unknown = fill_levels(sums, flagged[f, 0], flagged[f, 1], n_branches, totals, tally)
        elif sweeps(flagged[f, 0], this.whole, rules.release8, rules.minimum):
            draw_bitmaps(data.place[f], rows, start, n, odd, n_odd, words, odd_words, below)
            cut = sweep_odd(
                data.groups[f], totals, this.major, words, odd_words, below, scratch.sides[0],
                data.fixed, tally,
            )  # fmt: skip
            if cut < 0:
                splits[f, 0] = -1.0
                continue
        else:
            splits[f, 0], splits[f, 1] = judge_other(data, rules, store, node, f, present, scratch)
            continue
        splits[f, 0], splits[f, 1] = judge_counts(
            tally[:n_branches], scratch.margins, float(unknown), rules.minimum, 0.0,
            rules.critical, data.table,
        )  # fmt: skip


@inner
def judge_other(data, rules, store, node, feature, present, scratch):
    """Gain and ratio of any feature at any node."""
    this, n_levels = store.nodes[node], data.levels[feature]
    if n_levels == 0:
        return judge_cut(data, rules, store, node, feature, present, scratch)
    counts = scratch.counts[:n_levels]
    unknown = tally_levels(
        data.codes[feature], store.rows, store.weights, this.start, this.n, data.target, counts
    )
    return judge_counts(
        counts, scratch.margins, unknown, rules.minimum, 0.0, rules.critical, data.table
    )


@inner
def judge_cut(data, rules, store, node, feature, present, scratch):
    """Gain and ratio of a continuous feature at a node, with weights or Release 8's penalty."""
    this = store.nodes[node]
    before, _, eligible, minimum, known = cut_rows(
        data, rules, store, node, feature, present, scratch
    )
    if before < 0:
        return -1.0, 0.0
    penalty = np.log2(eligible) / this.total if rules.release8 else 0.0
    return judge_counts(
        scratch.counts[:2], scratch.margins, max(this.total - known, 0.0), minimum, penalty,
        rules.critical, data.table,
    )  # fmt: skip


@inner
def swept_cut(data, store, node, feature, scratch):
    """The ranks next to the best cut of whole rows."""
    this, order, codes = store.nodes[node], data.order[feature], data.codes[feature]
    words, odd_words, below = scratch.words, scratch.odd_words, scratch.below
    n_odd = open_whole(data, store, node, scratch)
    draw_bitmaps(
        data.place[feature], store.rows, this.start, this.n, scratch.odd, n_odd, words, odd_words,
        below,
    )  # fmt: skip
    cut = sweep_odd(
        data.groups[feature], scratch.totals, this.major, words, odd_words, below,
        scratch.sides[0], data.fixed, scratch.tally,
    )  # fmt: skip
    return ranks_beside(order, codes, words, cut)


@inner
def find_cut(data, rules, store, node, feature, present, scratch):
    """The cut of a continuous feature at a node, and the largest rank not above it."""
    whole, kind = store.nodes[node].whole, data.flagged[feature, 0]
    if sweeps(kind, whole, rules.release8, rules.minimum):
        before, after = swept_cut(data, store, node, feature, scratch)
    else:
        before, after, _, _, _ = cut_rows(data, rules, store, node, feature, present, scratch)
    first = data.first[feature]
    low, high = data.distinct[first + before], data.distinct[first + after]
    cut = low + (high - low) / 2.0
    if cut >= high:
        cut = low
    # Values between the two, in rows of other nodes, lie on the side of the cut where they are.
    while before + 1 < after and data.distinct[first + before + 1] <= cut:
        before += 1
    return cut, before
