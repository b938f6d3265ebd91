"""Counts of value combinations, and the entropies they give (base 2)."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def triple_counts(a, b, c, shape_a, shape_b, shape_c):
    """How often each combination of three coded columns occurs, shape (a, b, c)."""
    counts = np.zeros((shape_a, shape_b, shape_c), dtype=np.int64)
    for row in range(len(a)):
        counts[a[row], b[row], c[row]] += 1
    return counts


@njit(cache=True, nogil=True)
def _entropy(total, n):
    """Entropy from Σ k·log k over the counts of n rows."""
    return max(0.0, np.log2(n) - total / n) if n > 0 else 0.0


@njit(cache=True, nogil=True)
def dense_entropies(counts, n):
    """H(A, B) and H(A, B, C) from a table of counts of n rows, shape (a, b, c)."""
    pairs = 0.0
    triples = 0.0
    for i in range(counts.shape[0]):
        for j in range(counts.shape[1]):
            both = 0
            for k in range(counts.shape[2]):
                count = counts[i, j, k]
                both += count
                if count > 1:
                    triples += count * np.log2(count)
            if both > 1:
                pairs += both * np.log2(both)
    return _entropy(pairs, n), _entropy(triples, n)


@njit(cache=True, nogil=True)
def _sorted_entropy(keys):
    """Entropy of a column of integer keys, by sorting."""
    ordered = np.sort(keys)
    total = 0.0
    start = 0
    for row in range(1, len(ordered) + 1):
        if row == len(ordered) or ordered[row] != ordered[start]:
            count = row - start
            if count > 1:
                total += count * np.log2(count)
            start = row
    return _entropy(total, len(ordered))


@njit(cache=True, nogil=True)
def pair_entropies(codes, cardinalities, target, n_classes):
    """H(A_i, A_j) and H(A_i, A_j, C) for every pair of nominal columns.

    Parameters
    ----------
    codes : int32 array of shape (d, n), C order
        One row a *column* of the table; codes from 0 to its cardinality - 1.
    cardinalities : int64 array of shape (d,)
    target : int32 or int64 array of shape (n,)
    n_classes : int

    Returns
    -------
    pairs, triples : float64 arrays of shape (d, d)
        In bits; on the diagonal H(A_i) and H(A_i, C).

    Notes
    -----
    One pass over the rows for every pair. Where a table of all combinations would be much
    larger than the rows (names, identifiers), the combinations are sorted instead.
    """
    d = len(codes)
    pairs = np.zeros((d, d))
    triples = np.zeros((d, d))
    for i in range(d):
        for j in range(i, d):
            pairs[i, j], triples[i, j] = one_pair(codes, cardinalities, target, n_classes, i, j)
            pairs[j, i] = pairs[i, j]
            triples[j, i] = triples[i, j]
    return pairs, triples


@njit(cache=True, nogil=True)
def one_pair(codes, cardinalities, target, n_classes, i, j):
    """H(A_i, A_j) and H(A_i, A_j, C) of columns i <= j."""
    n = codes.shape[1]
    other = np.zeros(n, dtype=codes.dtype) if i == j else codes[j]
    size = 1 if i == j else cardinalities[j]
    if cardinalities[i] * size * n_classes <= 4 * n + 1024:
        counts = triple_counts(codes[i], other, target, cardinalities[i], size, n_classes)
        return dense_entropies(counts, n)
    keys = codes[i].astype(np.int64) * size + other
    return _sorted_entropy(keys), _sorted_entropy(keys * n_classes + target)


@njit(cache=True, nogil=True)
def column_entropies(codes, cardinalities, target, n_classes, with_column):
    """The entropies of every column with one other, or with itself (-1), shape (2, d).

    One column of what ``pair_entropies`` gives, or its diagonal, to the last bit.
    """
    out = np.zeros((2, len(codes)))
    for k in range(len(codes)):
        other = k if with_column < 0 else with_column
        i, j = min(k, other), max(k, other)
        out[0, k], out[1, k] = one_pair(codes, cardinalities, target, n_classes, i, j)
    return out


@njit(cache=True, nogil=True)
def refine_groups(groups, n_groups, column, cardinality):
    """Split groups of rows by one more column, numbering the new groups as they appear."""
    number = np.full(n_groups * cardinality, -1, dtype=np.int64)
    found = 0
    for row in range(len(groups)):
        key = groups[row] * cardinality + column[row]
        if number[key] < 0:
            number[key] = found
            found += 1
        groups[row] = number[key]
    return found


@njit(cache=True, nogil=True)
def subset_entropies(codes, cardinalities, target, n_classes, candidates):
    """H(S) and H(S, C) for each subset S of nominal columns, shape (m, 2).

    The rows are split column by column, so that memory stays near rows x cardinality however
    many combinations there could be. Arguments as in ``pair_entropies``; ``candidates`` is a
    bool array of shape (m, d).
    """
    n = codes.shape[1]
    entropies = np.zeros((len(candidates), 2))
    for c in range(len(candidates)):
        groups = np.zeros(n, dtype=np.int64)
        found = 1
        for feature in np.flatnonzero(candidates[c]):
            found = refine_groups(groups, found, codes[feature], cardinalities[feature])
        entropies[c, 0] = _sorted_entropy(groups)
        refine_groups(groups, found, target, n_classes)
        entropies[c, 1] = _sorted_entropy(groups)
    return entropies


@njit(cache=True, nogil=True)
def family_counts(codes, members, sizes, weight):
    """How often each combination of some columns occurs among rows where all are known.

    ``codes`` has shape (columns, rows), -1 where unknown; ``members`` are the columns, the
    last of which varies fastest in the flat array of counts, and ``sizes`` their numbers of
    values; ``weight``, a float64 array of shape (rows,), says how often each row counts.
    """
    cells = 1
    for size in sizes:
        cells *= size
    counts = np.zeros(cells)
    for row in range(codes.shape[1]):
        cell = 0
        for m in range(len(members)):
            code = codes[members[m], row]
            if code < 0:
                cell = -1
                break
            cell = cell * sizes[m] + code
        if cell >= 0:
            counts[cell] += weight[row]
    return counts
