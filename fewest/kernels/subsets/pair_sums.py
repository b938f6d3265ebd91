"""Sums over the members and over the pairs of a subset, always in the order of the features.

So a sum does not depend on the batch, as that of a matrix product would, and a subset has the
same sum whether it is written out or told as one step from another.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def member_sums(worth, candidates):
    """For each subset the sum of ``worth[i]`` over its members, shape (m,)."""
    sums = np.zeros(len(candidates))
    for row in range(len(candidates)):
        for i in range(candidates.shape[1]):
            if candidates[row, i]:
                sums[row] += worth[i]
    return sums


@njit(cache=True, nogil=True)
def pair_sums(matrix, candidates):
    """For each subset the sum of ``matrix[i, j]`` over its pairs i < j, shape (m,)."""
    sums = np.zeros(len(candidates))
    for row in range(len(candidates)):
        members = np.flatnonzero(candidates[row])
        for p in range(len(members)):
            for q in range(p + 1, len(members)):
                sums[row] += matrix[members[p], members[q]]
    return sums


@njit(cache=True, nogil=True)
def member_sums_with(worth, members, added):
    """The sums of ``members`` (rising) and one more, for each feature of ``added``."""
    sums = np.zeros(len(added))
    for row in range(len(added)):
        unit = added[row]
        place = np.searchsorted(members, unit)
        for p in range(place):
            sums[row] += worth[members[p]]
        sums[row] += worth[unit]
        for p in range(place, len(members)):
            sums[row] += worth[members[p]]
    return sums


@njit(cache=True, nogil=True)
def pair_sums_with(columns, members, added):
    """The sums over the pairs of ``members`` (rising) and one more, for each of ``added``.

    ``columns[p]`` holds the values of member p with every feature.
    """
    sums = np.zeros(len(added))
    for row in range(len(added)):
        unit = added[row]
        place = np.searchsorted(members, unit)
        for p in range(place):
            for q in range(p + 1, place):
                sums[row] += columns[p, members[q]]
            sums[row] += columns[p, unit]
            for q in range(place, len(members)):
                sums[row] += columns[p, members[q]]
        for q in range(place, len(members)):
            sums[row] += columns[q, unit]
        for p in range(place, len(members)):
            for q in range(p + 1, len(members)):
                sums[row] += columns[p, members[q]]
    return sums
