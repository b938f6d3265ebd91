"""Sets of columns as bits in 64-bit words: those that tell two rows apart, and the minimal ones."""

import numpy as np
from numba import njit

from .patterns import count_mixed, refine, whole


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
def pair_masks(codes, classes, starts, stride, room):
    """The columns that differ, for every ``stride``-th pair of different classes in a group.

    ``codes`` has a row for each row, here: shape (rows, columns); rows of a group lie side by
    side. At most ``room`` masks, shape (masks, words).
    """
    n_columns = codes.shape[1]
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
                    differs = np.uint64(codes[i, column] != codes[j, column])
                    out[written, column >> 6] |= differs << np.uint64(column & 63)
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
def grow(codes, sizes, classes, weights, n_classes, inside, order, allowed):
    """Add columns, in this order, while the inconsistency count stays above ``allowed``.

    ``inside`` must be above it already; the result is a largest such set that contains it.
    """
    n = codes.shape[1]
    rows, starts, n_groups = whole(classes)
    others, other_starts = np.empty(n, np.int32), np.empty(n + 2, np.int32)
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
            codes[column], classes, rows, starts, n_groups, others, other_starts, scratch
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
