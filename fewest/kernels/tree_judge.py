"""How well a feature splits a node of a :mod:`store <fewest.kernels.tree_nodes>`."""

import numpy as np
from numba import njit

from .inner import inner
from .tree_nodes import weight_at
from .tree_split import best_cut, best_whole_cut, judge_counts


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
def sort_rows(data, store, node, feature, scratch):
    """Put ranks, classes and weights of the known rows of a node, by rank, into the scratch."""
    this, codes, keys = store.nodes[node], data.codes[feature], scratch.keys
    known = 0
    for i in range(this.n):
        rank = codes[store.rows[this.start + i]]
        if rank >= 0:
            # Sorting by rank and place at once keeps equal ranks in the order of the rows.
            keys[known] = (np.int64(rank) << 32) | i
            known += 1
    sort_keys(keys, known)
    for j in range(known):
        place = this.start + (keys[j] & 0xFFFFFFFF)
        scratch.ranks[j] = keys[j] >> 32
        scratch.classes[j] = data.target[store.rows[place]]
        scratch.weights[j] = weight_at(store.weights, place)
    return known


@inner
def cut_rows(data, rules, store, node, feature, present, scratch):
    """The best cut of a node by a continuous feature: the ranks next to it (-1 none), how many
    cuts there were to choose from, the fewest rows a side may have, and the known weight."""
    this, counts = store.nodes[node], scratch.counts
    minimum = rules.minimum
    if this.whole:
        known = this.n
        if rules.release8:
            known = 0
            for i in range(this.start, this.start + this.n):
                known += data.codes[feature, store.rows[i]] >= 0
            minimum = max(minimum, min(25.0, 0.1 * known / present))
        before, after, eligible, n = best_whole_cut(
            data.codes[feature], store.rows, this.start, this.n, data.target, minimum,
            scratch.words, scratch.tallies, scratch.sides, counts, data.fixed,
        )  # fmt: skip
        return before, after, eligible, minimum, float(n)
    n = sort_rows(data, store, node, feature, scratch)
    weight = 0.0
    for i in range(n):
        weight += scratch.weights[i]
    if rules.release8:
        minimum = max(minimum, min(25.0, 0.1 * weight / present))
    at, eligible = best_cut(
        scratch.ranks, scratch.classes, scratch.weights, n, counts[:2], minimum, data.table
    )
    if n == this.n:
        weight = this.total
    if at < 0:
        return -1, -1, eligible, minimum, weight
    return scratch.ranks[at], scratch.ranks[at + 1], eligible, minimum, weight


@inner
def judge_continuous(data, rules, store, node, feature, present, scratch):
    """Gain and ratio of a continuous feature at a node.

    ``present`` is the number of classes in the training rows.
    """
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
def judge_nominal(data, rules, store, node, feature, scratch):
    """Gain and ratio of a nominal feature at a node."""
    this, codes = store.nodes[node], data.codes[feature]
    counts = scratch.counts[: data.levels[feature]]
    for b in range(counts.shape[0]):
        for c in range(counts.shape[1]):
            counts[b, c] = 0.0
    unknown = 0.0
    for i in range(this.start, this.start + this.n):
        row = store.rows[i]
        if codes[row] < 0:
            unknown += weight_at(store.weights, i)
        else:
            counts[codes[row], data.target[row]] += weight_at(store.weights, i)
    return judge_counts(
        counts, scratch.margins, unknown, rules.minimum, 0.0, rules.critical, data.table
    )


@inner
def judge(data, rules, store, node, feature, present, scratch):
    """Work out how well a feature splits a node, and remember it."""
    if data.levels[feature] > 0:
        gain, ratio = judge_nominal(data, rules, store, node, feature, scratch)
    else:
        gain, ratio = judge_continuous(data, rules, store, node, feature, present, scratch)
    block = store.nodes[node].block
    store.splits[block, feature, 0], store.splits[block, feature, 1] = gain, ratio


@inner
def find_cut(data, rules, store, node, feature, present, scratch):
    """The cut of a continuous feature at a node, and the largest rank not above it."""
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
