"""Distances as sums of terms, for many candidates at once.

The distance of a query to the rows is the sum over the features of weight times difference.
Rows stand in blocks of ``WIDTH``. For one query the differences of all rows are worked out once;
a *term* is a sum over a few features with fixed weights, and every candidate is a short list of
terms with a factor each: subsets look up the 15 sums of every four features, weights of three
levels the sums of every three features, and free weights multiply the differences themselves.

Distances are sums of numbers that are not negative, so in single precision they are off by a few
units in the last place, relative to the sum: enough to find who can be among the nearest. Where
more rows are within that error than are asked for, double precision decides.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ..inner import _ONLY

#: Rows in a block.
WIDTH = 64

hot = njit(**_ONLY, _nrt=False, error_model="numpy")


@njit(cache=True, nogil=True, error_model="numpy")
def difference(a, b, scale, overlap, squared):
    """The difference of two values: 0 or 1 for labels, scaled for numbers, 1 if one is unknown.

    >>> float(difference(1.0, 3.0, 0.5, False, True))
    1.0
    """
    if overlap:
        return 0.0 if a == b else 1.0
    scaled = abs((a - b) * scale)
    if scaled != scaled:
        return 1.0
    return scaled * scaled if squared else scaled


@hot
def differences(blocks, overlap, squared, x, scale, out):
    """Differences of a query to all rows, shape (blocks, features, WIDTH), single precision."""
    width = np.uint64(blocks.shape[2])
    for b in range(blocks.shape[0]):
        for j in range(blocks.shape[1]):
            column, to, a, s = blocks[b, j], out[b, j], x[j], scale[j]
            if overlap[j]:
                for r in range(width):
                    to[r] = np.float32(0.0) if column[r] == a else np.float32(1.0)
            elif squared:
                for r in range(width):
                    v = (column[r] - a) * s
                    to[r] = np.float32(v * v) if v == v else np.float32(1.0)
            else:
                for r in range(width):
                    v = abs((column[r] - a) * s)
                    to[r] = np.float32(v) if v == v else np.float32(1.0)


@hot
def box_differences(low, high, overlap, squared, x, scale, out):
    """The smallest difference of a query to any row of each block, shape (features, blocks)."""
    for j in range(low.shape[0]):
        a, s = x[j], scale[j]
        for b in range(low.shape[1]):
            least = 0.0
            if overlap[j]:
                if low[j, b] == high[j, b] and a != low[j, b]:
                    least = 1.0
            elif a < low[j, b]:
                least = (low[j, b] - a) * s
            elif a > high[j, b]:
                least = (a - high[j, b]) * s
            out[j, b] = np.float32(least * least if squared else least)


@hot
def terms_of(differences, parent, feature, step, out):
    """Sums of the terms, shape (terms, size): a parent's sum and one more weighted difference."""
    size = np.uint64(differences.shape[1])
    for t in range(len(parent)):
        more, to, s = differences[feature[t]], out[t], step[t]
        if parent[t] < 0:
            for r in range(size):
                to[r] = s * more[r]
        else:
            known = out[parent[t]]
            for r in range(size):
                to[r] = known[r] + s * more[r]


@hot
def add_up(terms, chosen, factor, count, base, out):
    """The sum of the chosen terms, each times its factor, on top of ``base``."""
    size = np.uint64(len(base))
    for r in range(size):
        out[r] = base[r]
    t = 0
    while t + 2 <= count:
        one, other = terms[chosen[t]], terms[chosen[t + 1]]
        f, g = factor[t], factor[t + 1]
        for r in range(size):
            out[r] = out[r] + f * one[r] + g * other[r]
        t += 2
    if t < count:
        one, f = terms[chosen[t]], factor[t]
        for r in range(size):
            out[r] = out[r] + f * one[r]
