"""Conditional log-likelihood of classifiers whose features form a tree."""

from __future__ import annotations

import numpy as np
from numba import njit

from ..counting.counts import weighted_triple_counts
from ..exponentials import exponentials, logarithms
from ..networks.spanning_tree import maximum_spanning_tree

#: Numbers that are kept of features and their parents, for the subsets of a batch to share.
KEPT = 1 << 22
#: Rows that are looked at together.
ROWS = 512


@njit(cache=True, nogil=True)
def _evidence(child, parent, target, sizes_child, sizes_parent, weight, logs):
    """log P(child | class, parent) by observed frequencies, classes one after the other."""
    n_classes, n = logs.shape
    counts = weighted_triple_counts(
        child, parent, target, sizes_child, sizes_parent, n_classes, weight
    )
    totals = counts.sum(axis=0)
    table = np.empty(sizes_child * sizes_parent)
    for c in range(n_classes):
        for a in range(sizes_child):
            for b in range(sizes_parent):
                count = counts[a, b, c]
                share = np.log(count / totals[b, c]) if count > 0 else -np.inf
                table[a * sizes_parent + b] = share
        own = logs[c]
        for row in range(n):
            own[row] = table[np.int64(child[row]) * sizes_parent + parent[row]]


@njit(cache=True, nogil=True)
def _add(evidence, total):
    for r in range(len(total)):
        total[r] += evidence[r]


@njit(cache=True, nogil=True, error_model="numpy")
def _conditional(logs, target, weight, top, whole, scratch):
    """Σ log P(class of the row | row) from log P(class, row), which it overwrites."""
    n_classes, n = logs.shape
    total = 0.0
    for low in range(0, n, ROWS):
        rest = min(ROWS, n - low)
        for r in range(rest):
            top[r], whole[r] = logs[0, low + r], 0.0
        for c in range(1, n_classes):
            own = logs[c, low : low + rest]
            for r in range(rest):
                top[r] = own[r] if own[r] > top[r] else top[r]
        for r in range(rest):
            total += weight[low + r] * (logs[target[low + r], low + r] - top[r])
        for c in range(n_classes):
            own = logs[c, low : low + rest]
            for r in range(rest):
                own[r] -= top[r]
            exponentials(own, scratch[:rest])
            for r in range(rest):
                whole[r] += own[r]
        logarithms(whole[:rest], scratch[:rest])
        for r in range(rest):
            total -= weight[low + r] * whole[r]
    return total


@njit(cache=True, nogil=True)
def _log_prior(target, n_classes, weight):
    """log P(class), minus infinity for a class without rows."""
    shares = np.zeros(n_classes)
    for row in range(len(target)):
        shares[target[row]] += weight[row]
    shares /= weight.sum()
    for c in range(n_classes):
        shares[c] = np.log(shares[c]) if shares[c] > 0 else -np.inf
    return shares


@njit(cache=True, nogil=True)
def conditional_log_likelihoods(
    codes, cardinalities, target, n_classes, weight, edges, tree, candidates
):
    """Σ over the rows of log2 P(C | S) for each subset S, with observed frequencies.

    codes, cardinalities, target, n_classes: as in ``pair_entropies``.
    weight (n,): how many rows each row stands for.
    edges (d, d): what the spanning tree over the features maximises.
    tree: whether features depend on their parent in that tree, or on the class alone.
    candidates (m, d)

    What a feature with its parent says of the rows is reckoned once for all subsets, as far as
    there is room.
    """
    d, n = codes.shape
    nothing, result = np.zeros(n, dtype=codes.dtype), np.empty(len(candidates))
    log_prior = _log_prior(target, n_classes, weight)
    most = d * (d if tree else 1)
    room = max(1, min(min(most, candidates.sum()), KEPT // max(1, n_classes * n)))
    kept, place, used = np.empty((room, n_classes, n)), np.full((d, d + 1), -1), 0
    spare, logs = np.empty((n_classes, n)), np.empty((n_classes, n))
    top, whole, scratch = np.empty(ROWS), np.empty(ROWS), np.empty(ROWS)
    parents = np.full(d, -1, dtype=np.int64)
    for m in range(len(candidates)):
        for c in range(n_classes):
            logs[c] = log_prior[c]
        if tree:
            parents, _ = maximum_spanning_tree(edges, candidates[m])
        for j in np.flatnonzero(candidates[m]):
            p = parents[j]
            if place[j, p] < 0:
                column = nothing if p < 0 else codes[p]
                size = 1 if p < 0 else cardinalities[p]
                here = kept[used] if used < room else spare
                _evidence(codes[j], column, target, cardinalities[j], size, weight, here)
                if used < room:
                    place[j, p] = used
                    used += 1
            else:
                here = kept[place[j, p]]
            _add(here.ravel(), logs.ravel())
        result[m] = _conditional(logs, target, weight, top, whole, scratch) / np.log(2.0)
    return result
