"""Rows that additive classifiers get right, for many subsets at once."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def count_hits(evidence, log_prior, target, weight, candidates):
    """Return the weight of the rows whose class has the largest sum, for each subset.

    ``evidence`` has the shape (features, classes, rows). The prior comes first, then the features
    in their order, and of equal sums the first class wins: the arithmetic of the classifier.
    """
    d, k, n = evidence.shape
    hits = np.zeros(len(candidates))
    sums = np.empty((k, n))
    for c in range(len(candidates)):
        for t in range(k):
            for row in range(n):
                sums[t, row] = log_prior[t]
        for j in range(d):
            if candidates[c, j]:
                for t in range(k):
                    for row in range(n):
                        sums[t, row] += evidence[j, t, row]
        for row in range(n):
            best = 0
            for t in range(1, k):
                if sums[t, row] > sums[best, row]:
                    best = t
            if best == target[row]:
                hits[c] += weight[row]
    return hits


@njit(cache=True, nogil=True)
def hits_in_folds(codes, first, target, fold, n_folds, n_classes):
    """Return the number of rows that naive Bayes with Laplace's correction gets right in its folds.

    The levels of feature j are the codes from 0 to ``first[j + 1] - first[j]``; -1 is unknown. The
    prior is added to the sum over the features, and of equal sums the first class wins.
    """
    n, d = codes.shape
    counts = np.zeros((n_folds + 1, first[-1], n_classes))
    prior = np.zeros((n_folds + 1, n_classes))
    for i in range(n):
        for f in (fold[i], n_folds):
            prior[f, target[i]] += 1.0
            for j in range(d):
                if codes[i, j] >= 0:
                    counts[f, first[j] + codes[i, j], target[i]] += 1.0
    logs, log_prior = np.empty((first[-1], n_classes)), np.full(n_classes, -np.inf)
    sums, hits = np.empty(n_classes), 0
    for f in range(n_folds):
        rest = prior[n_folds] - prior[f]
        for c in range(n_classes):
            log_prior[c] = np.log(rest[c] / max(rest.sum(), 1.0)) if rest[c] > 0.0 else -np.inf
            for j in range(d):
                total = float(first[j + 1] - first[j])
                for v in range(first[j], first[j + 1]):
                    logs[v, c] = counts[n_folds, v, c] - counts[f, v, c]
                    total += logs[v, c]
                for v in range(first[j], first[j + 1]):
                    logs[v, c] = np.log((logs[v, c] + 1.0) / total)
        for i in range(n):
            if fold[i] == f:
                sums[:] = 0.0
                for j in range(d):
                    if codes[i, j] >= 0:
                        for c in range(n_classes):
                            sums[c] += logs[first[j] + codes[i, j], c]
                hits += (log_prior + sums).argmax() == target[i]
    return hits


@njit(cache=True, nogil=True)
def row_hashes(values, target):
    """Return a fixed 64-bit hash of the content of every row: its values and its target.

    Unknown values are all the same; a negative zero is a zero.
    """
    n, d = values.shape
    hashes = np.zeros(n, dtype=np.uint64)
    one = np.uint64(0x9E3779B97F4A7C15)
    for j in range(d + 1):
        column = np.empty(n)
        for row in range(n):
            value = target[row] if j == d else values[row, j]
            column[row] = value + 0.0 if value == value else 1e300
        bits = column.view(np.uint64)
        for row in range(n):
            mixed = (hashes[row] ^ bits[row]) + one
            mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            hashes[row] = mixed ^ (mixed >> np.uint64(31))
    return hashes
