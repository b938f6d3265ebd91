"""Margins of additive classifiers: how far the true class of a row is ahead of each other one.

The sum of a row's margins over the features of a subset says whether an additive classifier
(naive Bayes) is right there: it is if the true class is ahead of every other one. Rows are
sorted by their class; ``bounds[t]`` to ``bounds[t + 1]`` are those of class t, and the o-th
rival of class t is class o, or o + 1 from t on.

A margin within its tolerance of zero is doubtful: rounding could turn it. Such rows are
counted, and decided elsewhere.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ..inner import hot, inner

#: Features of a candidate that are packed into one number.
NIBBLE = 4


def nibbles(candidates):
    """The features of each candidate, four to a number below 16, shape (m, ceil(d / 4))."""
    m, d = candidates.shape
    octets = np.packbits(candidates, axis=1, bitorder="little")
    packed = np.empty((m, 2 * octets.shape[1]), dtype=np.uint8)
    packed[:, 0::2] = octets & 15
    packed[:, 1::2] = octets >> NIBBLE
    return np.ascontiguousarray(packed[:, : (d + NIBBLE - 1) // NIBBLE])


@inner
def has(packed, i, j):
    """Whether feature ``j`` is in candidate ``i``."""
    return (packed[i, j // NIBBLE] >> (j % NIBBLE)) & 1 == 1


@hot
def count_rows(total, tolerance, rivals, n, first, last, sure, lost):
    """How many rows from ``first`` to ``last`` are surely right, and how many are doubtful.

    ``total`` and ``tolerance`` have ``n`` rows for each rival.
    """
    # Numbers, not flags, no branches and no signs: so these loops compile to vector code.
    begin, end = np.uint64(first), np.uint64(last)
    for r in range(begin, end):
        sure[r] = 1.0 if total[r] > tolerance[r] else 0.0
        lost[r] = 1.0 if total[r] < -tolerance[r] else 0.0
    for o in range(1, rivals):
        other = np.uint64(o * n)
        for r in range(begin, end):
            ahead, slack = total[other + r], tolerance[other + r]
            sure[r] = sure[r] if ahead > slack else 0.0
            lost[r] = 1.0 if ahead < -slack else lost[r]
    certain, wrong = 0, 0
    for r in range(begin, end):
        certain += sure[r] > 0.0
        wrong += lost[r] > 0.0
    return certain, last - first - certain - wrong


@njit(cache=True, nogil=True, error_model="numpy")
def judge(margins, base, tolerance, rivals, bounds, packed, chosen, right, doubtful):
    """Count, for some candidates, the rows that are surely right and the doubtful ones.

    Parameters
    ----------
    margins : float64 (features, rivals * rows)
        For each rival one after the other, the margins of the rows.
    base, tolerance : float64 (rivals * rows,)
        The margin without any feature, and how close to zero is too close.
    rivals : int
    bounds : int64 (parts + 1,)
        Where the parts of the rows begin and end that are counted apart.
    packed : uint8 (candidates, ceil(features / 4))
        See :func:`nibbles`.
    chosen : int64
        The candidates to judge.
    right, doubtful : int64 (parts, candidates)
        Where the counts are added.
    """
    d, size = margins.shape
    n = size // rivals
    total, sure, lost = np.empty(size), np.empty(n), np.empty(n)
    for i in chosen:
        for r in range(size):
            total[r] = base[r]
        for j in range(d):
            if has(packed, i, j):
                for r in range(size):
                    total[r] += margins[j, r]
        for f in range(len(bounds) - 1):
            certain, open_rows = count_rows(
                total, tolerance, rivals, n, bounds[f], bounds[f + 1], sure, lost
            )
            right[f, i] += certain
            doubtful[f, i] += open_rows


@njit(cache=True, nogil=True, error_model="numpy")
def judge_steps(margins, base, tolerance, rivals, bounds, have, changed, gains, right, doubtful):
    """``judge`` for candidates that add one feature to ``have`` or remove one from it.

    Candidate i changes feature ``changed[i]``: ``gains[i]`` is 1 where it comes in and -1 where it
    goes out. The margins of ``have`` are summed once.
    """
    size = margins.shape[1]
    n = size // rivals
    start, total = base.copy(), np.empty(size)
    sure, lost = np.empty(n), np.empty(n)
    for j in have:
        for r in range(size):
            start[r] += margins[j, r]
    for i in range(len(changed)):
        gain = float(gains[i])
        for r in range(size):
            total[r] = start[r] + gain * margins[changed[i], r]
        for f in range(len(bounds) - 1):
            certain, open_rows = count_rows(
                total, tolerance, rivals, n, bounds[f], bounds[f + 1], sure, lost
            )
            right[f, i] += certain
            doubtful[f, i] += open_rows
