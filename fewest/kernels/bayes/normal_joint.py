"""Joint logarithms of normal densities with the sums of numpy, to the last bit."""

from __future__ import annotations

import numpy as np
from numba import njit

#: numpy adds up to so many numbers in eight columns, and more of them by halves.
EIGHT, BLOCK = 8, 128
#: Parts of parts that are waiting: enough for any number of columns.
DEEP = 200


@njit(cache=True, nogil=True)
def normal_joint(x, log_prior, mean, variance, more, logs, candidates):
    """Joint logarithms of each class, as numpy computes them from slices of the columns.

    Parameters
    ----------
    x : float64 (d, rows)
    log_prior : float64 (classes,)
    mean, variance : float64 (classes, d)
    more : float64 (m,)
        What each subset adds to all variances.
    logs : float64 (m, classes, d)
        Logarithms of 2 pi times these sums.
    candidates : bool (m, d)

    Returns
    -------
    float64 (m, rows, classes)
    """
    (m, d), n = candidates.shape, x.shape[1]
    values = np.empty((m, n, len(log_prior)))
    terms, members = np.empty(d), np.empty(d, dtype=np.int64)
    for i in range(m):
        count = 0
        for j in range(d):
            if candidates[i, j]:
                members[count] = j
                count += 1
        for c in range(len(log_prior)):
            for a in range(count):
                terms[a] = logs[i, c, members[a]]
            start = -0.5 * pairwise_sum(terms, 0, count)
            for r in range(n):
                for a in range(count):
                    j = members[a]
                    away = x[j, r] - mean[c, j]
                    terms[a] = away * away / (variance[c, j] + more[i])
                values[i, r, c] = log_prior[c] + (start - 0.5 * pairwise_sum(terms, 0, count))
    return values


@njit(cache=True, nogil=True)
def pairwise_sum(values, start, count):
    """The sum of ``count`` numbers from ``start`` on in the order of ``numpy.sum``."""
    if count <= BLOCK:
        return _block_sum(values, start, count)
    # Parts to sum, the next one last; a count of 0 stands for adding the two last sums.
    starts, counts, sums = np.empty(DEEP, np.int64), np.empty(DEEP, np.int64), np.empty(DEEP)
    starts[0], counts[0], parts, known = start, count, 1, 0
    while parts > 0:
        parts -= 1
        first, size = starts[parts], counts[parts]
        if size == 0:
            known -= 1
            sums[known - 1] += sums[known]
        elif size <= BLOCK:
            sums[known] = _block_sum(values, first, size)
            known += 1
        else:
            half = size // 2
            half -= half % EIGHT
            counts[parts] = 0
            starts[parts + 1], counts[parts + 1] = first + half, size - half
            starts[parts + 2], counts[parts + 2] = first, half
            parts += 3
    return sums[0]


@njit(cache=True, nogil=True)
def _block_sum(values, start, count):
    total = 0.0
    if count < EIGHT:
        for i in range(start, start + count):
            total += values[i]
        return total
    whole = start + count - count % EIGHT
    a, b, c, d = values[start], values[start + 1], values[start + 2], values[start + 3]
    e, f, g, h = values[start + 4], values[start + 5], values[start + 6], values[start + 7]
    for i in range(start + EIGHT, whole, EIGHT):
        a, b, c, d = a + values[i], b + values[i + 1], c + values[i + 2], d + values[i + 3]
        e, f, g, h = e + values[i + 4], f + values[i + 5], g + values[i + 6], h + values[i + 7]
    total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for i in range(whole, start + count):
        total += values[i]
    return total
