"""Sums over the pairs of a subset."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def pair_sums(matrix, candidates):
    """For each subset the sum of ``matrix[i, j]`` over its pairs i < j, shape (m,).

    Added up in the order of the features, so that a sum does not depend on the batch as that
    of a matrix product would.
    """
    sums = np.zeros(len(candidates))
    for row in range(len(candidates)):
        members = np.flatnonzero(candidates[row])
        for p in range(len(members)):
            for q in range(p + 1, len(members)):
                sums[row] += matrix[members[p], members[q]]
    return sums
