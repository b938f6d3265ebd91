"""Sets of columns as bits in 64-bit words: those that tell two rows apart, and the minimal ones."""

import numpy as np
from numba import njit

from ..counting.patterns import count_mixed, refine, whole


@njit(cache=True, nogil=True)
def count_pairs(classes, starts):
    """How many pairs of rows of different classes lie in the same group."""
    total = 0
    for group in range(len(starts) - 1):
        for i in range(starts[group], starts[group + 1]):
            for j in range(i + 1, starts[group + 1]):
                if classes[i] != classes[j]:
                    total += 1
    return total


@njit(cache=True, nogil=True)
def pair_masks(packed, fields, classes, starts, stride, room):
    """The columns that differ, for every ``stride``-th pair of different classes in a group.

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
    """Which masks (smallest first) contain none of the first ``window`` kept ones.

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
