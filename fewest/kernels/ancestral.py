"""Parameters of a discrete network and rows drawn from it, parents before children.

The table of variable i is a block of ``cases * cardinalities[i]`` numbers at ``starts[i]``;
the case of its parents is a mixed-radix number, the first parent counting most. The parents of
i stand in ``parents[first[i] : first[i + 1]]``.
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def count_families(rows, weights, cardinalities, first, parents, starts):
    """The weighted counts N_ijk of all families, one flat array."""
    n, d = rows.shape
    counts = np.zeros(starts[d])
    for t in range(n):
        for i in range(d):
            case = 0
            for a in range(first[i], first[i + 1]):
                case = case * cardinalities[parents[a]] + rows[t, parents[a]]
            counts[starts[i] + case * cardinalities[i] + rows[t, i]] += weights[t]
    return counts


@njit(cache=True, nogil=True)
def sample_families(uniform, order, cardinalities, first, parents, starts, cumulative):
    """One row for each row of ``uniform``; ``cumulative`` holds running sums of each case."""
    n, d = uniform.shape
    rows = np.zeros((n, d), np.uint8)
    for t in range(n):
        for i in order:
            case = 0
            for a in range(first[i], first[i + 1]):
                case = case * cardinalities[parents[a]] + rows[t, parents[a]]
            at = starts[i] + case * cardinalities[i]
            k = 0
            while k < cardinalities[i] - 1 and uniform[t, i] >= cumulative[at + k]:
                k += 1
            rows[t, i] = k
    return rows


@njit(cache=True, nogil=True)
def log_families(rows, cardinalities, first, parents, starts, logs):
    """Sum over the families of the logarithm that each row meets in the tables."""
    n, d = rows.shape
    out = np.zeros(n)
    for t in range(n):
        for i in range(d):
            case = 0
            for a in range(first[i], first[i + 1]):
                case = case * cardinalities[parents[a]] + rows[t, parents[a]]
            out[t] += logs[starts[i] + case * cardinalities[i] + rows[t, i]]
    return out
