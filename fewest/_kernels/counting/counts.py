"""Counts of levels and of pairs of levels, weighted or not, dense or sparse."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def triple_counts(a, b, c, shape_a, shape_b, shape_c):
    """Count each combination of three coded columns, shape (a, b, c)."""
    counts = np.zeros((shape_a, shape_b, shape_c), dtype=np.int64)
    for row in range(len(a)):
        counts[a[row], b[row], c[row]] += 1
    return counts


@njit(cache=True, nogil=True)
def _entropy(total, n):
    """Return the entropy from Σ k·log k over the counts of n rows."""
    return max(0.0, np.log2(n) - total / n) if n > 0 else 0.0


@njit(cache=True, nogil=True)
def dense_entropies(counts, n):
    """Return H(A, B) and H(A, B, C) from a table of counts of n rows, shape (a, b, c)."""
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
    """Return the entropy of a column of integer keys, by sorting."""
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


def pair_entropies(codes, cardinalities, target, n_classes):
    """Return H(A_i, A_j) and H(A_i, A_j, C) for every pair of nominal columns.

    codes (d, n): C order; one row a *column* of the table; codes from 0 to its cardinality - 1.
    cardinalities (d,)
    target (n,)

    Returns pairs, triples, float64 arrays of shape (d, d): in bits; on the diagonal H(A_i) and
        H(A_i, C).

    One pass over the rows for every pair. Where a table of all combinations would be much
    larger than the rows (names, identifiers), the combinations are sorted instead.
    """
    d = len(codes)
    both = np.zeros((2, d, d))
    for i in range(d):
        # A compiled call for each column: between calls an interrupt is heard.
        own = column_entropies(codes[i:], cardinalities[i:], target, n_classes, 0)
        both[:, i, i:] = both[:, i:, i] = own
    return both[0], both[1]


@njit(cache=True, nogil=True)
def one_pair(codes, cardinalities, target, n_classes, i, j):
    """Return H(A_i, A_j) and H(A_i, A_j, C) of columns i <= j."""
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
    """Return the entropies of every column with one other, or with itself (-1), shape (2, d).

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
    """Return H(S) and H(S, C) for each subset S of nominal columns, shape (m, 2).

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
    """Count each combination of some columns among the rows where all are known.

    ``codes`` has shape (columns, rows), -1 where unknown; ``members`` are the columns, the
    last of which varies fastest in the flat array of counts, and ``sizes`` their numbers of
    values; ``weight``, a float64 array of shape (rows,), is how often each row counts.
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


@njit(cache=True, nogil=True)
def _numbered(keys):
    """Return the keys as numbers from 0 on, and how many there are."""
    order = np.argsort(keys)
    numbers = np.empty(len(keys), dtype=np.int64)
    found = 0
    for i in range(len(order)):
        if i > 0 and keys[order[i]] != keys[order[i - 1]]:
            found += 1
        numbers[order[i]] = found
    return numbers, found + 1


@njit(cache=True, nogil=True)
def _weighted_entropy(masses, total):
    sums = 0.0
    for mass in masses:
        if mass > 0.0:
            sums += mass * np.log2(mass)
    return max(0.0, np.log2(total) - sums / total)


@njit(cache=True, nogil=True)
def dense_weighted_entropies(masses, total):
    """Return H(A, B) and H(A, B, C) from a table of weights, shape (a, b, c)."""
    both = masses.reshape(-1, masses.shape[2])
    return _weighted_entropy(both.sum(axis=1), total), _weighted_entropy(masses.ravel(), total)


def weighted_pair_entropies(codes, cardinalities, target, n_classes, weight):
    """Return H(A_i, A_j) and H(A_i, A_j, C) for every pair of columns, as in ``pair_entropies``.

    ``weight``, a float64 array of shape (n,), is how many rows each row stands for.
    """
    d = len(codes)
    both = np.zeros((2, d, d))
    for i in range(d):
        own = weighted_column_entropies(codes[i:], cardinalities[i:], target, n_classes, weight, 0)
        both[:, i, i:] = both[:, i:, i] = own
    return both[0], both[1]


@njit(cache=True, nogil=True)
def one_weighted_pair(codes, cardinalities, target, n_classes, weight, i, j):
    """Return H(A_i, A_j) and H(A_i, A_j, C) of columns i <= j."""
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
    return _weighted_entropy(masses.sum(axis=1), total), _weighted_entropy(masses.ravel(), total)


@njit(cache=True, nogil=True)
def weighted_column_entropies(codes, cardinalities, target, n_classes, weight, with_column):
    """Return one column, or for -1 the diagonal, of ``weighted_pair_entropies``."""
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
    return _weighted_entropy(masses, total)


@njit(cache=True, nogil=True)
def weighted_subset_entropies(codes, cardinalities, target, n_classes, weight, candidates):
    """Return H(S) and H(S, C) as in ``subset_entropies``, for rows with weights."""
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
    """Sum the weights of each combination of three coded columns, shape (a, b, c)."""
    counts = np.zeros((shape_a, shape_b, shape_c))
    for row in range(len(a)):
        counts[a[row], b[row], c[row]] += weight[row]
    return counts


@njit(cache=True, nogil=True)
def join_columns(codes, sizes, starts):
    """Return one code for each group of consecutive columns, the last varying fastest.

    ``codes`` is uint16 of shape (d, n), ``sizes`` int64 of shape (d,); group g has the columns
    from ``starts[g]`` up to ``starts[g + 1]``. Returns uint16 of shape (groups + 1, n); the last
    row is 0, for tables of one group only.
    """
    n = codes.shape[1]
    joined = np.zeros((len(starts), n), dtype=np.uint16)
    for g in range(len(starts) - 1):
        for j in range(starts[g], starts[g + 1]):
            size = np.uint16(sizes[j])
            for row in range(n):
                joined[g, row] = joined[g, row] * size + codes[j, row]
    return joined


@njit(cache=True, nogil=True)
def add_tables(joined, strides, first, second, offsets, target, n_classes, counts):
    """Add the rows of a batch to the tables of counts, all in one flat int64 array.

    Table t counts ``(joined[first[t]] * strides[t] + joined[second[t]]) * n_classes + target``
    from ``offsets[t]`` on. All rows of a table are added before the next one is touched: a small
    table then stays in the first cache.
    """
    for t in range(len(first)):
        one = joined[first[t]]
        other = joined[second[t]]
        width = strides[t] * n_classes
        for row in range(len(target)):
            cell = offsets[t] + one[row] * width + other[row] * n_classes + target[row]
            counts[cell] += 1


@njit(cache=True, nogil=True)
def add_weighted_tables(joined, strides, first, second, offsets, target, n_classes, weight, counts):
    """Add tables as in ``add_tables``, but every row counts ``weight``, into a float64 array."""
    for t in range(len(first)):
        one = joined[first[t]]
        other = joined[second[t]]
        width = strides[t] * n_classes
        for row in range(len(target)):
            cell = offsets[t] + one[row] * width + other[row] * n_classes + target[row]
            counts[cell] += weight[row]


@njit(cache=True, nogil=True)
def sparse_entropies(
    indptr, indices, codes, zero, cardinalities, other, n_other, target, n_classes
):
    """Return H(A_i, B) and H(A_i, B, C) of each sparse column A_i, a dense column B and class C.

    indptr, indices: int64 arrays, as in scipy's CSC format.
    codes: int64 array, one per stored value.
    zero (d,): the code of the values that are not stored.
    cardinalities (d,)
    other (n,): codes of B, below ``n_other``; all 0 for H(A_i) and H(A_i, C).
    target (n,)

    Returns float64 array of shape (2, d).
    """
    d, n = len(zero), len(target)
    whole = np.zeros((n_other, n_classes), dtype=np.int64)
    for row in range(n):
        whole[other[row], target[row]] += 1
    out = np.empty((2, d))
    for i in range(d):
        counts = np.zeros((cardinalities[i], n_other, n_classes), dtype=np.int64)
        for b in range(n_other):
            for c in range(n_classes):
                counts[zero[i], b, c] = whole[b, c]
        for place in range(indptr[i], indptr[i + 1]):
            row = indices[place]
            counts[zero[i], other[row], target[row]] -= 1
            counts[codes[place], other[row], target[row]] += 1
        out[0, i], out[1, i] = dense_entropies(counts, n)
    return out
