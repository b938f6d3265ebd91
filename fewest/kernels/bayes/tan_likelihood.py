"""Conditional log-likelihood of classifiers whose features form a tree."""

from __future__ import annotations

import numpy as np
from numba import njit

from ..counting.weighted_counts import weighted_triple_counts
from ..networks.spanning_tree import maximum_spanning_tree


@njit(cache=True, nogil=True)
def _add_feature(logs, child, parent, target, sizes_child, sizes_parent, weight):
    """Add log2 P(child | class, parent) by observed frequencies for every class of each row."""
    n, n_classes = logs.shape
    counts = weighted_triple_counts(
        child, parent, target, sizes_child, sizes_parent, n_classes, weight
    )
    totals = counts.sum(axis=0)
    for row in range(n):
        for c in range(n_classes):
            count = counts[child[row], parent[row], c]
            if count > 0:
                logs[row, c] += np.log2(count / totals[parent[row], c])
            else:
                logs[row, c] = -np.inf


@njit(cache=True, nogil=True)
def _conditional(logs, target, weight):
    """Σ log2 P(class of the row | row) from log2 P(class, row)."""
    total = 0.0
    for row in range(len(target)):
        top = logs[row].max()
        others = 0.0
        for c in range(logs.shape[1]):
            others += 2.0 ** (logs[row, c] - top)
        total += weight[row] * (logs[row, target[row]] - top - np.log2(others))
    return total


@njit(cache=True, nogil=True)
def conditional_log_likelihoods(
    codes, cardinalities, target, n_classes, weight, edges, tree, candidates
):
    """Σ over the rows of log2 P(C | S) for each subset S, with observed frequencies.

    Parameters
    ----------
    codes, cardinalities, target, n_classes : as in ``pair_entropies``
    weight : float64 array of shape (n,)
        How many rows each row stands for.
    edges : float64 array of shape (d, d)
        What the spanning tree over the features maximises.
    tree : bool
        Whether features depend on their parent in that tree, or on the class alone.
    candidates : bool array of shape (m, d)
    """
    n = codes.shape[1]
    nothing = np.zeros(n, dtype=codes.dtype)
    result = np.empty(len(candidates))
    prior = np.zeros((n, n_classes))
    shares = np.zeros(n_classes)
    for row in range(n):
        shares[target[row]] += weight[row]
    shares /= weight.sum()
    for row in range(n):
        for c in range(n_classes):
            prior[row, c] = np.log2(shares[c]) if shares[c] > 0 else -np.inf
    for m in range(len(candidates)):
        logs = prior.copy()
        parents = np.full(candidates.shape[1], -1, dtype=np.int64)
        if tree:
            parents, _ = maximum_spanning_tree(edges, candidates[m])
        for j in np.flatnonzero(candidates[m]):
            p = parents[j]
            column = nothing if p < 0 else codes[p]
            size = 1 if p < 0 else cardinalities[p]
            _add_feature(logs, codes[j], column, target, cardinalities[j], size, weight)
        result[m] = _conditional(logs, target, weight)
    return result
