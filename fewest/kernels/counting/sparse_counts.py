"""Entropies of sparse coded columns: what is not stored is counted by subtraction."""

from __future__ import annotations

import numpy as np
from numba import njit

from .counts import dense_entropies


@njit(cache=True, nogil=True)
def sparse_entropies(
    indptr, indices, codes, zero, cardinalities, other, n_other, target, n_classes
):
    """H(A_i, B) and H(A_i, B, C) of every sparse column A_i, one dense column B and the class C.

    Parameters
    ----------
    indptr, indices : int64 arrays, as in scipy's CSC format
    codes : int64 array, one per stored value
    zero : int64 array of shape (d,)
        The code of the values that are not stored.
    cardinalities : int64 array of shape (d,)
    other : int64 array of shape (n,)
        Codes of B, below ``n_other``; all 0 for H(A_i) and H(A_i, C).
    n_other : int
    target : int64 array of shape (n,)
    n_classes : int

    Returns
    -------
    float64 array of shape (2, d)
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
