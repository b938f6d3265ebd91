"""Counting in discrete rows by bits: one plane of bits a level, joint counts by popcount.

Variable ``i`` with ``r`` levels has ``r - 1`` planes, for its levels 1 ... r - 1 (level 0 is
what remains); they stand at ``offsets[i]`` to ``offsets[i + 1]``. A *mask* is a set of rows, as
one more row of bits.
"""

import numpy as np
from numba import njit

_1, _2, _4, _8, _16, _32 = (np.uint64(1 << k) for k in range(6))
_PAIRS = np.uint64(0x5555555555555555)
_NIBBLES = np.uint64(0x3333333333333333)
_BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)
_LAST = np.uint64(127)
_NONE = np.uint64(0)


@njit(cache=True, nogil=True)
def popcount(word):
    """Number of ones in a word, without multiplication so that the loops around it vectorise."""
    word = word - ((word >> _1) & _PAIRS)
    word = (word & _NIBBLES) + ((word >> _2) & _NIBBLES)
    word = (word + (word >> _4)) & _BYTES
    word = word + (word >> _8)
    word = word + (word >> _16)
    word = word + (word >> _32)
    return word & _LAST


@njit(cache=True, nogil=True)
def pack_planes(rows, cardinalities):
    """The planes of uint8 ``rows`` (n, d), their offsets (d + 1), and the mask of all rows."""
    n, d = rows.shape
    words = (n + 63) // 64
    offsets = np.zeros(d + 1, np.int64)
    for i in range(d):
        offsets[i + 1] = offsets[i] + cardinalities[i] - 1
    planes = np.zeros((offsets[d], words), np.uint64)
    everything = np.zeros(words, np.uint64)
    for t in range(n):
        bit = _1 << np.uint64(t & 63)
        everything[t >> 6] |= bit
        for i in range(d):
            if rows[t, i] > 0:
                planes[offsets[i] + rows[t, i] - 1, t >> 6] |= bit
    return planes, offsets, everything


@njit(cache=True, nogil=True)
def joint_counts(masks, planes):
    """How many rows each mask shares with each plane, shape (masks, planes)."""
    m, words = masks.shape
    k = planes.shape[0]
    counts = np.zeros((m, k), np.int64)
    for a in range(m):
        for b in range(k):
            total = _NONE
            for w in range(words):
                total += popcount(masks[a, w] & planes[b, w])
            counts[a, b] = total
    return counts


@njit(cache=True, nogil=True)
def mask_sizes(masks):
    """Number of rows in each mask."""
    sizes = np.zeros(masks.shape[0], np.int64)
    for a in range(masks.shape[0]):
        total = _NONE
        for w in range(masks.shape[1]):
            total += popcount(masks[a, w])
        sizes[a] = total
    return sizes


@njit(cache=True, nogil=True)
def split_masks(masks, planes, first, levels):
    """Each mask cut by the levels of a variable: row ``c * levels + v`` is mask c, level v."""
    m, words = masks.shape
    parts = np.empty((m * levels, words), np.uint64)
    for c in range(m):
        for w in range(words):
            rest = masks[c, w]
            for v in range(1, levels):
                part = masks[c, w] & planes[first + v - 1, w]
                parts[c * levels + v, w] = part
                rest &= ~part
            parts[c * levels, w] = rest
    return parts


@njit(cache=True, nogil=True)
def drop_empty(masks):
    """The masks that hold at least one row."""
    m, words = masks.shape
    kept = np.empty((m, words), np.uint64)
    k = 0
    # Written over until a mask that holds something stands there.
    for c in range(m):
        union = _NONE
        for w in range(words):
            kept[k, w] = masks[c, w]
            union |= masks[c, w]
        if union != _NONE:
            k += 1
    return kept[:k]


@njit(cache=True, nogil=True)
def configurations(planes, offsets, cardinalities, everything, variables):
    """The masks of the observed joint configurations of ``variables``."""
    masks = everything.copy().reshape(1, -1)
    for v in variables:
        masks = drop_empty(split_masks(masks, planes, offsets[v], cardinalities[v]))
    return masks
