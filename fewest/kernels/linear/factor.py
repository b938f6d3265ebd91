"""Cholesky factors of sub-blocks of a matrix of cross products."""

from __future__ import annotations

import numpy as np

from ..inner import hot

#: A column whose rest is this small a share of it depends on the others: rounding is left.
DEPENDENT = 1e-13


@hot
def factor(gram, ridge, members, count, lower):
    """Factor the block of some columns, row by row.

    Parameters
    ----------
    gram : float64 (d, d)
    ridge : float64 (d,)
        Added to the diagonal.
    members : int64
        The first ``count`` are the columns of the block.
    lower : float64 (d, d)
        Where the factor goes; its diagonal holds inverses.

    Returns
    -------
    float
        The smallest share of a column that the columns before it do not explain; 0 where a
        column depends on them, and the factor is not complete.
    """
    smallest = 1.0
    for a in range(count):
        j = members[a]
        row, known = lower[a], gram[j]
        for b in range(a):
            value, other = known[members[b]], lower[b]
            for t in range(b):
                value -= row[t] * other[t]
            row[b] = value * other[b]
        full = known[j] + ridge[j]
        left = full
        for t in range(a):
            left -= row[t] * row[t]
        if not left > DEPENDENT * full:
            return 0.0
        smallest = min(smallest, left / full)
        row[a] = 1.0 / np.sqrt(left)
    return smallest


@hot
def forward(lower, count, values):
    """Solve L z = values in place."""
    for i in range(count):
        value, row = values[i], lower[i]
        for t in range(i):
            value -= row[t] * values[t]
        values[i] = value * row[i]


@hot
def backward(lower, count, values):
    """Solve L' w = values in place."""
    for i in range(count - 1, -1, -1):
        row = lower[i]
        values[i] *= row[i]
        value = values[i]
        for t in range(i):
            values[t] -= row[t] * value


@hot
def smallest_eigenvalues(lower, count, members, unit, column):
    """Lower bounds of the smallest eigenvalue of the block, at most ``count`` times less.

    One over the trace of the inverse: the first in units of which one of each column is
    ``unit``, the second in those of the block. ``column`` is room for d numbers.
    """
    trace, plain = 0.0, 0.0
    for c in range(count):
        column[c] = lower[c, c]
        square = column[c] * column[c]
        for i in range(c + 1, count):
            value, row = 0.0, lower[i]
            for t in range(c, i):
                value -= row[t] * column[t]
            column[i] = value * row[i]
            square += column[i] * column[i]
        trace += square / (unit[members[c]] * unit[members[c]])
        plain += square
    return (1.0 / trace if trace > 0.0 else np.inf), (1.0 / plain if plain > 0.0 else np.inf)
