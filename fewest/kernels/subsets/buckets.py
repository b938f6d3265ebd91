"""Rows spread by hash into buckets that fit the cache, and what is done with their chains.

Rows are stored packed, a row of 64-bit words each; a ``mask`` of as many words says which bits
count.
"""

import numpy as np
from numba import njit

from .chains import hash_keys

#: Rows hashed at a time.
_CHUNK = 2048


@njit(cache=True, nogil=True)
def masked(words, active, mask, start, n, keys):
    """Copy the active words of ``n`` rows, only the bits that count."""
    for a in range(len(active)):
        word, bits = active[a], mask[active[a]]
        for i in range(n):
            keys[i, a] = words[start + i, word] & bits


@njit(cache=True, nogil=True)
def bucket_sizes(words, active, mask, bits):
    """How many rows fall into each of ``2 ** bits`` buckets."""
    keys = np.empty((_CHUNK, len(active)), np.uint64)
    hashes = np.empty(_CHUNK, np.uint64)
    sizes = np.zeros(1 << bits, np.int64)
    for start in range(0, len(words), _CHUNK):
        n = min(_CHUNK, len(words) - start)
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
    keys = np.empty((_CHUNK, len(active)), np.uint64)
    hashes = np.empty(_CHUNK, np.uint64)
    for start in range(0, len(words), _CHUNK):
        n = min(_CHUNK, len(words) - start)
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
