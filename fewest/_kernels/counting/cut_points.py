"""Cut points by the minimum description length criterion of Fayyad and Irani (1993)."""

from __future__ import annotations

import numpy as np
from numba import njit

#: Two splits whose entropies differ by less are the same split quality: the first one is taken.
_SAME_ENTROPY_TOLERANCE = 1e-12


@njit(cache=True, nogil=True)
def _class_entropy(prefix, lo, hi):
    """Return class entropy (base 2), number of rows and of classes of the blocks lo to hi - 1."""
    n = 0
    classes = 0
    total = 0.0
    for c in range(prefix.shape[1]):
        count = prefix[hi, c] - prefix[lo, c]
        n += count
        if count > 0:
            classes += 1
            total += count * np.log2(count)
    return np.log2(n) - total / n, n, classes


@njit(cache=True, nogil=True)
def _is_boundary(prefix, cut):
    """Decide if the class mix changes at the cut: not if both neighbours hold one same class."""
    both = 0
    for c in range(prefix.shape[1]):
        if prefix[cut + 1, c] > prefix[cut - 1, c]:
            both += 1
    return both > 1


@njit(cache=True, nogil=True)
def _best_cut(prefix, lo, hi):
    """Return the boundary with the least class entropy, and that entropy; -1 if there is none."""
    n = 0
    for c in range(prefix.shape[1]):
        n += prefix[hi, c] - prefix[lo, c]
    best = -1
    least = np.inf
    for cut in range(lo + 1, hi):
        if _is_boundary(prefix, cut):
            left, n_left, _ = _class_entropy(prefix, lo, cut)
            right, n_right, _ = _class_entropy(prefix, cut, hi)
            entropy = (n_left * left + n_right * right) / n
            if entropy < least - _SAME_ENTROPY_TOLERANCE:
                least = entropy
                best = cut
    return best, least


@njit(cache=True, nogil=True)
def mdl_cuts_of_columns(values, target, n_classes, at):
    """Apply ``mdl_cuts`` to several columns: mark the first row of each part but the first.

    values: float64 (columns, rows), each column ascending.
    target: int64 (columns, rows), the classes in the same order.
    at: bool (columns, rows); where the marks go.
    """
    n = values.shape[1]
    prefix = np.empty((n + 1, n_classes), dtype=np.int64)
    first = np.empty(n + 1, dtype=np.int64)
    for j in range(values.shape[0]):
        blocks = 0
        for c in range(n_classes):
            prefix[0, c] = 0
        for i in range(n):
            if i == 0 or values[j, i] != values[j, i - 1]:
                first[blocks] = i
                blocks += 1
                for c in range(n_classes):
                    prefix[blocks, c] = prefix[blocks - 1, c]
            prefix[blocks, target[j, i]] += 1
        cuts = mdl_cuts(prefix[: blocks + 1])
        for b in range(1, blocks):
            if cuts[b]:
                at[j, first[b]] = True


@njit(cache=True, nogil=True)
def mdl_cuts(prefix):
    """Mark the boundaries between blocks of equal values that are cut points.

    prefix (blocks + 1, classes): rows of each class in the blocks before; blocks are the distinct
        values, ascending.

    Returns bool array of shape (blocks + 1,): true at ``i`` for a cut between block ``i - 1`` and
        block ``i``.
    """
    blocks = prefix.shape[0] - 1
    cuts = np.zeros(blocks + 1, dtype=np.bool_)
    stack = np.empty((blocks + 1, 2), dtype=np.int64)
    stack[0, 0] = 0
    stack[0, 1] = blocks
    depth = 1
    while depth > 0:
        depth -= 1
        lo = stack[depth, 0]
        hi = stack[depth, 1]
        if hi - lo < 2:
            continue
        cut, least = _best_cut(prefix, lo, hi)
        if cut < 0:
            continue
        entropy, n, k = _class_entropy(prefix, lo, hi)
        left, _, k_left = _class_entropy(prefix, lo, cut)
        right, _, k_right = _class_entropy(prefix, cut, hi)
        # log2(3^k - 2) without overflow for many classes.
        code = k * np.log2(3.0) + np.log2(1.0 - 2.0 * 3.0 ** (-float(k)))
        delta = code - (k * entropy - k_left * left - k_right * right)
        if entropy - least > (np.log2(n - 1.0) + delta) / n:
            cuts[cut] = True
            stack[depth, 0] = lo
            stack[depth, 1] = cut
            stack[depth + 1, 0] = cut
            stack[depth + 1, 1] = hi
            depth += 2
    return cuts
