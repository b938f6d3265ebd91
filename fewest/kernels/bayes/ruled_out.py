"""Rows for which every class is ruled out by some feature of a subset."""

from __future__ import annotations

from numba import njit


@njit(cache=True, nogil=True)
def count_ruled_out(ruled, packed, counts):
    """Add, for each candidate, the rows in which all classes are ruled out.

    Parameters
    ----------
    ruled : uint8 (rows, classes, ceil(features / 4))
        The features that rule a class out, packed as by :func:`~.margins.nibbles`.
    packed : uint8 (candidates, ceil(features / 4))
    counts : int64 (candidates,)
        Where the numbers of rows are added.
    """
    n, n_classes, fours = ruled.shape
    for i in range(len(packed)):
        for r in range(n):
            possible = 0
            for c in range(n_classes):
                k = 0
                while k < fours and ruled[r, c, k] & packed[i, k] == 0:
                    k += 1
                possible += k == fours
                if possible > 0:
                    break
            counts[i] += possible == 0
