"""Counting in discrete rows by bits: one plane of bits a level, joint counts by popcount.

Variable ``i`` with ``r`` levels has ``r - 1`` planes, for its levels 1 ... r - 1 (level 0 is
what remains); they stand at ``offsets[i]`` to ``offsets[i + 1]``. A *mask* is a set of rows, as
one more row of bits.
"""

import numpy as np
from numba import config, njit, types
from numba.extending import intrinsic

from ..inner import hot

_1 = np.uint64(1)
_NONE = np.uint64(0)
#: Planes that are packed together: their number is the bytes of work space per row.
PLANES_TOGETHER = 64


def _ones(word):
    return np.uint64(int(word).bit_count())


@intrinsic
def _instruction(typing, word):
    """Emit the processor's own instruction, which compiled Python cannot express."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


_count = _ones if config.DISABLE_JIT else _instruction


@njit(cache=True, nogil=True)
def popcount(word):
    """Count the ones in a word."""
    return _count(word)


def pack_planes(rows, cardinalities):
    """Return the planes of uint8 ``rows`` (n, d), their offsets (d + 1), and the mask of all rows.

    Not compiled: NumPy packs bits as fast, and every process that learns a model starts here.
    """
    n, d = rows.shape
    offsets = np.zeros(d + 1, np.int64)
    np.cumsum(cardinalities - 1, out=offsets[1:])
    column = np.repeat(np.arange(d), cardinalities - 1)
    level = np.arange(1, offsets[d] + 1) - offsets[column]
    planes = np.empty((offsets[d], (n + 63) // 64), np.uint64)
    across = np.ascontiguousarray(rows.T)
    for low in range(0, len(planes), PLANES_TOGETHER):
        part = slice(low, low + PLANES_TOGETHER)
        planes[part] = _pack_bits(across[column[part]] == level[part, None])
    return planes, offsets, _pack_bits(np.ones((1, n), dtype=bool))[0]


def _pack_bits(bits):
    """Pack rows of flags into rows of words, the first flag in the lowest bit."""
    octets = np.packbits(bits, axis=1, bitorder="little")
    room = np.zeros((len(bits), (bits.shape[1] + 63) // 64 * 8), np.uint8)
    room[:, : octets.shape[1]] = octets
    return room.view("<u8")


@njit(cache=True, nogil=True)
def joint_counts(masks, planes):
    """Count the rows that each mask shares with each plane, shape (masks, planes)."""
    counts = np.empty((len(masks), len(planes)), np.int64)
    fill_counts(masks, planes, counts)
    return counts


@hot
def fill_counts(masks, planes, counts):
    """Compute ``joint_counts`` in an array made beforehand."""
    for a in range(masks.shape[0]):
        for b in range(planes.shape[0]):
            total = _NONE
            for w in range(masks.shape[1]):
                total += _count(masks[a, w] & planes[b, w])
            counts[a, b] = total


@njit(cache=True, nogil=True)
def mask_sizes(masks):
    """Count the rows in each mask."""
    sizes = np.empty(len(masks), np.int64)
    fill_sizes(masks, sizes)
    return sizes


@hot
def fill_sizes(masks, sizes):
    """Compute ``mask_sizes`` in an array made beforehand."""
    for a in range(masks.shape[0]):
        total = _NONE
        for w in range(masks.shape[1]):
            total += _count(masks[a, w])
        sizes[a] = total


@njit(cache=True, nogil=True)
def split_masks(masks, planes, first, levels):
    """Cut each mask by the levels of a variable: row ``c * levels + v`` is mask c, level v."""
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
def split_kept(masks, planes, first, levels, out):
    """Write the parts of ``split_masks`` that hold at least one row, and say how many they are."""
    k = 0
    for c in range(len(masks)):
        for v in range(levels):
            union = _NONE
            for w in range(masks.shape[1]):
                part = masks[c, w]
                if v > 0:
                    part &= planes[first + v - 1, w]
                else:
                    for other in range(first, first + levels - 1):
                        part &= ~planes[other, w]
                # Written over until a part that holds something stands there.
                out[k, w] = part
                union |= part
            k += union != _NONE
    return k


@njit(cache=True, nogil=True)
def room_for_masks(n, words, largest, most):
    """Allocate room, twice, for configurations of ``most`` variables of up to ``largest`` levels.

    No more of them than ``n`` rows have rows; one more stands there until it is written over.
    """
    rows = int(min(float(largest) ** most, float(n))) + 1
    return np.empty((2, rows, words), np.uint64)


@njit(cache=True, nogil=True)
def fill_configurations(planes, offsets, cardinalities, everything, variables, room):
    """Compute ``configurations`` in room made beforehand, of which the answer is a part."""
    room[0, 0] = everything
    masks = room[0, :1]
    side = 0
    for v in variables:
        side = 1 - side
        k = split_kept(masks, planes, offsets[v], cardinalities[v], room[side])
        masks = room[side, :k]
    return masks


@njit(cache=True, nogil=True)
def drop_empty(masks):
    """Return the masks with at least one row."""
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
def configurations(planes, offsets, cardinalities, everything, variables, most=1 << 62):
    """Return the masks of the observed joint configurations of ``variables``.

    None is returned where there are more than ``most``, which saves cutting them further.
    """
    masks = everything.copy().reshape(1, -1)
    for v in variables:
        parts = np.empty((len(masks) * cardinalities[v], planes.shape[1]), np.uint64)
        k = split_kept(masks, planes, offsets[v], cardinalities[v], parts)
        if k > most:
            return parts[:0]
        masks = parts[:k]
    return masks
