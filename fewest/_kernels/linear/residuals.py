"""Residual sums of squares of least squares over subsets, from one matrix of cross products."""

from __future__ import annotations

import numpy as np
from numba import njit

#: A column of which less than this share is left depends on the columns before it.
DEPENDENT = 1e-10
#: Less than this share of the target left over is rounding: the fit is perfect.
PERFECT = 1e-12


@njit(cache=True, nogil=True, error_model="numpy")
def residual_squares(gram, right, total, candidates):
    """Residual sum of squares of every subset.

    Row by row Cholesky factors of sub-blocks. A column that depends on earlier columns of the
    subset is passed over: it explains nothing.

    gram: float64 (d, d); cross products of the columns about their means.
    right: float64 (d,); cross products with the target.
    total: sum of squares of the target about its mean.
    candidates: bool (m, d).
    """
    m, d = candidates.shape
    lower = np.empty((d, d))
    members, solved, rest = np.empty(d, dtype=np.int64), np.empty(d), np.empty(m)
    for i in range(m):
        count, left = 0, total
        for j in range(d):
            if not candidates[i, j]:
                continue
            own, value = gram[j, j], right[j]
            for b in range(count):
                entry = gram[j, members[b]]
                for t in range(b):
                    entry -= lower[count, t] * lower[b, t]
                entry /= lower[b, b]
                lower[count, b] = entry
                own -= entry * entry
                value -= entry * solved[b]
            if own > DEPENDENT * gram[j, j]:
                lower[count, count] = np.sqrt(own)
                solved[count] = value / lower[count, count]
                left -= solved[count] * solved[count]
                members[count] = j
                count += 1
        rest[i] = max(left, PERFECT * total)
    return rest


@njit(cache=True, nogil=True, error_model="numpy")
def rank(gram):
    """How many columns do not depend on earlier ones."""
    d = len(gram)
    lower = np.empty((d, d))
    members, count = np.empty(d, dtype=np.int64), 0
    for j in range(d):
        own = gram[j, j]
        for b in range(count):
            entry = gram[j, members[b]]
            for t in range(b):
                entry -= lower[count, t] * lower[b, t]
            lower[count, b] = entry / lower[b, b]
            own -= lower[count, b] * lower[count, b]
        if own > DEPENDENT * gram[j, j]:
            lower[count, count] = np.sqrt(own)
            members[count] = j
            count += 1
    return count
