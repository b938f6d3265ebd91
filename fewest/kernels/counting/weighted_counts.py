"""Entropies of pairs of nominal columns whose rows have weights (base 2)."""

from __future__ import annotations

import numpy as np
from numba import njit

from .counts import refine_groups


@njit(cache=True, nogil=True)
def _numbered(keys):
    """The keys as numbers from 0 on, and how many there are."""
    order = np.argsort(keys)
    numbers = np.empty(len(keys), dtype=np.int64)
    found = 0
    for i in range(len(order)):
        if i > 0 and keys[order[i]] != keys[order[i - 1]]:
            found += 1
        numbers[order[i]] = found
    return numbers, found + 1


@njit(cache=True, nogil=True)
def _entropy(masses, total):
    sums = 0.0
    for mass in masses:
        if mass > 0.0:
            sums += mass * np.log2(mass)
    return max(0.0, np.log2(total) - sums / total)


@njit(cache=True, nogil=True)
def dense_weighted_entropies(masses, total):
    """H(A, B) and H(A, B, C) from a table of weights, shape (a, b, c)."""
    both = masses.reshape(-1, masses.shape[2])
    return _entropy(both.sum(axis=1), total), _entropy(masses.ravel(), total)


@njit(cache=True, nogil=True)
def weighted_pair_entropies(codes, cardinalities, target, n_classes, weight):
    """H(A_i, A_j) and H(A_i, A_j, C) for every pair of columns, as in ``pair_entropies``.

    ``weight``, a float64 array of shape (n,), says how many rows each row stands for.
    """
    d = len(codes)
    pairs = np.zeros((d, d))
    triples = np.zeros((d, d))
    for i in range(d):
        for j in range(i, d):
            both = one_weighted_pair(codes, cardinalities, target, n_classes, weight, i, j)
            pairs[i, j], triples[i, j] = both
            pairs[j, i], triples[j, i] = both
    return pairs, triples


@njit(cache=True, nogil=True)
def one_weighted_pair(codes, cardinalities, target, n_classes, weight, i, j):
    """H(A_i, A_j) and H(A_i, A_j, C) of columns i <= j."""
    n = codes.shape[1]
    total = weight.sum()
    keys = codes[i].astype(np.int64)
    cells = cardinalities[i]
    if i != j:
        keys = keys * cardinalities[j] + codes[j]
        cells = cells * cardinalities[j]
    if cells * n_classes > 4 * n + 1024:
        keys, cells = _numbered(keys)
    masses = np.zeros((cells, n_classes))
    for row in range(n):
        masses[keys[row], target[row]] += weight[row]
    return _entropy(masses.sum(axis=1), total), _entropy(masses.ravel(), total)


@njit(cache=True, nogil=True)
def weighted_column_entropies(codes, cardinalities, target, n_classes, weight, with_column):
    """One column, or for -1 the diagonal, of what ``weighted_pair_entropies`` gives."""
    out = np.zeros((2, len(codes)))
    for k in range(len(codes)):
        other = k if with_column < 0 else with_column
        i, j = min(k, other), max(k, other)
        both = one_weighted_pair(codes, cardinalities, target, n_classes, weight, i, j)
        out[0, k], out[1, k] = both
    return out


@njit(cache=True, nogil=True)
def _group_entropy(groups, found, weight, total):
    masses = np.zeros(found)
    for row in range(len(groups)):
        masses[groups[row]] += weight[row]
    return _entropy(masses, total)


@njit(cache=True, nogil=True)
def weighted_subset_entropies(codes, cardinalities, target, n_classes, weight, candidates):
    """H(S) and H(S, C) for each subset S, as in ``subset_entropies``, for rows with weights."""
    n = codes.shape[1]
    total = weight.sum()
    entropies = np.zeros((len(candidates), 2))
    for c in range(len(candidates)):
        groups = np.zeros(n, dtype=np.int64)
        found = 1
        for feature in range(candidates.shape[1]):
            if candidates[c, feature]:
                found = refine_groups(groups, found, codes[feature], cardinalities[feature])
        entropies[c, 0] = _group_entropy(groups, found, weight, total)
        found = refine_groups(groups, found, target, n_classes)
        entropies[c, 1] = _group_entropy(groups, found, weight, total)
    return entropies


@njit(cache=True, nogil=True)
def weighted_triple_counts(a, b, c, shape_a, shape_b, shape_c, weight):
    """The weight of each combination of three coded columns, shape (a, b, c)."""
    counts = np.zeros((shape_a, shape_b, shape_c))
    for row in range(len(a)):
        counts[a[row], b[row], c[row]] += weight[row]
    return counts
