"""Subsets as masks of bits: buckets, cuts and sums over pairs."""

from __future__ import annotations

import numpy as np
from numba import njit

from ..counting.row_patterns import count_mixed, refine, whole
from .lattice_walks import hash_keys

#: Rows hashed at a time.
_CHUNK_ROWS = 2048


@njit(cache=True, nogil=True)
def masked(words, active, mask, start, n, keys):
    """Copy the active words of ``n`` rows, only the bits that count."""
    for a in range(len(active)):
        word, bits = active[a], mask[active[a]]
        for i in range(n):
            keys[i, a] = words[start + i, word] & bits


@njit(cache=True, nogil=True)
def bucket_sizes(words, active, mask, bits):
    """Count the rows that fall into each of ``2 ** bits`` buckets."""
    keys = np.empty((_CHUNK_ROWS, len(active)), np.uint64)
    hashes = np.empty(_CHUNK_ROWS, np.uint64)
    sizes = np.zeros(1 << bits, np.int64)
    for start in range(0, len(words), _CHUNK_ROWS):
        n = min(_CHUNK_ROWS, len(words) - start)
        masked(words, active, mask, start, n, keys)
        hash_keys(keys, n, hashes)
        for i in range(n):
            # In two steps: a shift by all 64 bits is not defined.
            sizes[np.int64((hashes[i] >> np.uint64(1)) >> np.uint64(63 - bits))] += 1
    return sizes


@njit(cache=True, nogil=True)
def spread(words, active, mask, classes, weights, bits, low, place, out):
    """Copy the rows of the buckets from ``low`` on, as many as have a ``place``, to ``out``.

    ``place`` is moved on.
    """
    all_keys, ids, all_classes, all_weights = out
    keys = np.empty((_CHUNK_ROWS, len(active)), np.uint64)
    hashes = np.empty(_CHUNK_ROWS, np.uint64)
    for start in range(0, len(words), _CHUNK_ROWS):
        n = min(_CHUNK_ROWS, len(words) - start)
        masked(words, active, mask, start, n, keys)
        hash_keys(keys, n, hashes)
        for i in range(n):
            b = np.int64((hashes[i] >> np.uint64(1)) >> np.uint64(63 - bits)) - low
            if b < 0 or b >= len(place):
                continue
            to, row = place[b], start + i
            place[b] += 1
            for word in range(len(active)):
                all_keys[to, word] = keys[i, word]
            ids[to] = row
            if len(classes):
                all_classes[to] = classes[row]
            if len(weights):
                all_weights[to] = weights[row]


@njit(cache=True, nogil=True)
def emit_mixed(ids, classes, n_chains, work, rows, starts):
    """Write the rows of each chain of several classes side by side; return how many chains."""
    _, _, _, left, last, before, _ = work
    n_groups = 0
    for c in range(n_chains):
        k, size, single = last[c], 0, True
        while k >= 0:
            single &= classes[left[k]] == classes[left[last[c]]]
            size += 1
            k = before[k]
        if single:
            continue
        end = starts[n_groups] + size
        n_groups += 1
        starts[n_groups] = end
        k = last[c]
        while k >= 0:
            end -= 1
            rows[end] = ids[left[k]]
            k = before[k]
    return n_groups


@njit(cache=True, nogil=True)
def weigh_first(ids, n_chains, work, weights):
    """Give the first row of each chain the weight of the others, which get 0."""
    _, _, _, left, last, before, _ = work
    for c in range(n_chains):
        k, size = last[c], np.int32(0)
        while k >= 0:
            size += weights[ids[left[k]]]
            weights[ids[left[k]]] = 0
            if before[k] < 0:
                weights[ids[left[k]]] = size
            k = before[k]


@njit(cache=True, nogil=True)
def count_pairs(classes, starts):
    """Count the pairs of rows of different classes in the same group."""
    total = 0
    for group in range(len(starts) - 1):
        for i in range(starts[group], starts[group + 1]):
            for j in range(i + 1, starts[group + 1]):
                if classes[i] != classes[j]:
                    total += 1
    return total


@njit(cache=True, nogil=True)
def pair_masks(packed, fields, classes, starts, stride, room):
    """Return the columns that differ, for every ``stride``-th pair of different classes in a group.

    ``packed`` are the rows as in ``patterns``, those of a group side by side. At most ``room``
    masks, shape (masks, words).
    """
    n_columns = len(fields)
    out = np.zeros((room, (n_columns + 63) // 64), np.uint64)
    written = 0
    skip = 0
    for group in range(len(starts) - 1):
        for i in range(starts[group], starts[group + 1]):
            for j in range(i + 1, starts[group + 1]):
                if classes[i] == classes[j]:
                    continue
                if skip > 0:
                    skip -= 1
                    continue
                if written == room:
                    return out
                skip = stride - 1
                for column in range(n_columns):
                    word, shift = fields[column, 0], np.uint64(fields[column, 1])
                    low = (np.uint64(1) << np.uint64(fields[column, 2])) - np.uint64(1)
                    differs = (packed[i, word] ^ packed[j, word]) >> shift & low
                    if differs != 0:
                        out[written, column >> 6] |= np.uint64(1) << np.uint64(column & 63)
                written += 1
    return out[:written]


@njit(cache=True, nogil=True)
def minimal(masks, window):
    """Mark the masks (smallest first) that contain none of the first ``window`` kept ones.

    With a window as long as the masks these are exactly the minimal ones (and one of equals);
    a short window already removes nearly all of the others.
    """
    n, words = masks.shape
    keep = np.zeros(n, np.bool_)
    kept = np.empty((min(n, window), words), np.uint64)
    n_kept = 0
    for i in range(n):
        covered = False
        for k in range(n_kept):
            inside = True
            for w in range(words):
                if kept[k, w] & ~masks[i, w]:
                    inside = False
                    break
            if inside:
                covered = True
                break
        if covered:
            continue
        keep[i] = True
        if n_kept < len(kept):
            kept[n_kept] = masks[i]
            n_kept += 1
    return keep


@njit(cache=True, nogil=True)
def grow(words, fields, sizes, classes, weights, n_classes, inside, order, allowed):
    """Add columns, in this order, while the inconsistency count stays above ``allowed``.

    ``inside`` must be above it already; the result is a largest such set that contains it.
    """
    n = len(words)
    rows, starts = np.empty(n, np.int32), np.empty(n + 2, np.int32)
    others, other_starts = np.empty(n, np.int32), np.empty(n + 2, np.int32)
    n_groups = whole(classes, rows, starts)
    scratch = np.zeros((3, max(1, sizes.max())), np.int32)
    weight = np.zeros(n_classes, np.int64)
    grown = inside.copy()
    for step in range(2 * len(order)):
        column = order[step % len(order)]
        given = inside[column]
        # First the columns that are in anyway, then the others one at a time.
        if given != (step < len(order)):
            continue
        n_new = refine(
            words, fields[column], classes, rows, starts, n_groups, others, other_starts, scratch
        )
        if not given and count_mixed(classes, weights, others, other_starts, n_new, weight) <= (
            allowed
        ):
            continue
        grown[column] = True
        rows, others = others, rows
        starts, other_starts = other_starts, starts
        n_groups = n_new
    return grown


@njit(cache=True, nogil=True)
def member_sums(worth, candidates):
    """Sum ``worth[i]`` over the members of each subset, shape (m,)."""
    sums = np.zeros(len(candidates))
    for row in range(len(candidates)):
        for i in range(candidates.shape[1]):
            if candidates[row, i]:
                sums[row] += worth[i]
    return sums


@njit(cache=True, nogil=True)
def pair_sums(matrix, candidates):
    """Sum ``matrix[i, j]`` over the pairs i < j of each subset, shape (m,)."""
    sums = np.zeros(len(candidates))
    for row in range(len(candidates)):
        members = np.flatnonzero(candidates[row])
        for p in range(len(members)):
            for q in range(p + 1, len(members)):
                sums[row] += matrix[members[p], members[q]]
    return sums


@njit(cache=True, nogil=True)
def member_sums_with(worth, members, added):
    """Return the sums of ``members`` (rising) and one more, for each feature of ``added``."""
    sums = np.zeros(len(added))
    for row in range(len(added)):
        unit = added[row]
        place = np.searchsorted(members, unit)
        for p in range(place):
            sums[row] += worth[members[p]]
        sums[row] += worth[unit]
        for p in range(place, len(members)):
            sums[row] += worth[members[p]]
    return sums


@njit(cache=True, nogil=True)
def pair_sums_with(columns, members, added):
    """Return the sums over the pairs of ``members`` (rising) and one more, for each of ``added``.

    ``columns[p]`` holds the values of member p with every feature.
    """
    sums = np.zeros(len(added))
    for row in range(len(added)):
        unit = added[row]
        place = np.searchsorted(members, unit)
        for p in range(place):
            for q in range(p + 1, place):
                sums[row] += columns[p, members[q]]
            sums[row] += columns[p, unit]
            for q in range(place, len(members)):
                sums[row] += columns[p, members[q]]
        for q in range(place, len(members)):
            sums[row] += columns[q, unit]
        for p in range(place, len(members)):
            for q in range(p + 1, len(members)):
                sums[row] += columns[p, members[q]]
    return sums
