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
def smooth_families(counts, cardinalities, starts, prior):
    """Probabilities (N_ijk + prior) / (N_ij + r_i prior); even where that is 0 / 0."""
    out = np.empty_like(counts)
    for i in range(len(cardinalities)):
        r = cardinalities[i]
        for at in range(starts[i], starts[i + 1], r):
            total = 0.0
            for k in range(at, at + r):
                total += counts[k] + prior
            for k in range(at, at + r):
                out[k] = (counts[k] + prior) / total if total > 0 else 1.0 / r
    return out


@njit(cache=True, nogil=True)
def sample_families(uniform, order, cardinalities, first, parents, starts, probabilities):
    """One row for each row of ``uniform``, whose columns are spent in the order of variables."""
    n, d = uniform.shape
    rows = np.zeros((n, d), np.uint8)
    for t in range(n):
        for i in order:
            case = 0
            for a in range(first[i], first[i + 1]):
                case = case * cardinalities[parents[a]] + rows[t, parents[a]]
            at = starts[i] + case * cardinalities[i]
            # No branch on the draw: it could not be predicted.
            k = 0
            running = 0.0
            for below in range(at, at + cardinalities[i] - 1):
                running += probabilities[below]
                k += uniform[t, i] >= running
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
