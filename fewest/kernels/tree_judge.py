"""How well a feature splits a node of a :mod:`store <fewest.kernels.tree_nodes>`."""

import numpy as np
from numba import njit

from .inner import inner
from .tree_nodes import weight_at
from .tree_split import best_cut, judge_counts


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
def pick_sorted(data, store, node, feature, scratch):
    """Sorted known training rows of a large node: the sorted column without the other rows."""
    this, codes, order = store.nodes[node], data.codes[feature], data.order[feature]
    if scratch.owner[0] != node:
        for row in range(scratch.place.size):
            scratch.place[row] = -1
        for i in range(this.start, this.start + this.n_train):
            scratch.place[store.rows[i]] = i
        scratch.owner[0] = node
    known = 0
    for j in range(order.size):
        row = order[j]
        if scratch.place[row] >= 0 and codes[row] >= 0:
            scratch.ranks[known] = codes[row]
            scratch.classes[known] = data.target[row]
            scratch.weights[known] = weight_at(store.weights, scratch.place[row])
            known += 1
    return known


@inner
def sort_rows(data, store, node, feature, scratch):
    """Sorted known training rows of a small node."""
    this, codes, keys = store.nodes[node], data.codes[feature], scratch.keys
    known = 0
    for i in range(this.n_train):
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
def judge_continuous(data, rules, store, node, feature, present, scratch):
    """Gain, ratio and cut of a continuous feature at a node.

    ``present`` is the number of classes in the training rows.
    """
    this = store.nodes[node]
    if this.n_train * 10 > data.target.size:
        n = pick_sorted(data, store, node, feature, scratch)
    else:
        n = sort_rows(data, store, node, feature, scratch)
    known = 0.0
    for i in range(n):
        known += scratch.weights[i]
    minimum = rules.minimum
    if rules.release8:
        minimum = max(minimum, min(25.0, 0.1 * known / present))
    counts = scratch.counts[:2]
    after, eligible = best_cut(
        scratch.ranks, scratch.classes, scratch.weights, n, counts, minimum, data.table
    )
    if after < 0:
        return -1.0, 0.0, 0.0
    unknown = 0.0 if n == this.n_train else max(this.total - known, 0.0)
    penalty = np.log2(eligible) / this.total if rules.release8 else 0.0
    gain, ratio = judge_counts(
        counts, scratch.margins, unknown, minimum, penalty, rules.critical, data.table
    )
    at = data.first[feature]
    low = data.distinct[at + scratch.ranks[after]]
    high = data.distinct[at + scratch.ranks[after + 1]]
    middle = low + (high - low) / 2.0
    return gain, ratio, middle if middle < high else low


@inner
def judge_nominal(data, rules, store, node, feature, scratch):
    """Gain and ratio of a nominal feature at a node."""
    this, codes = store.nodes[node], data.codes[feature]
    counts = scratch.counts[: data.levels[feature]]
    for b in range(counts.shape[0]):
        for c in range(counts.shape[1]):
            counts[b, c] = 0.0
    unknown = 0.0
    for i in range(this.start, this.start + this.n_train):
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
    split = store.splits[store.nodes[node].block, feature]
    if data.levels[feature] > 0:
        split.gain, split.ratio = judge_nominal(data, rules, store, node, feature, scratch)
        split.cut = 0.0
    else:
        split.gain, split.ratio, split.cut = judge_continuous(
            data, rules, store, node, feature, present, scratch
        )
