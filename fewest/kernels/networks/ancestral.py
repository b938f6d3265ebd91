"""Parameters of a discrete network and rows drawn from it, parents before children.

The table of variable i is a block of ``cases * cardinalities[i]`` numbers at ``starts[i]``;
the case of its parents is a mixed-radix number, the first parent counting most. The parents of
i stand in ``parents[first[i] : first[i + 1]]``.
"""

import numpy as np
from numba import njit

#: Rows that are drawn together.
BLOCK = 64


@njit(cache=True, nogil=True)
def count_families(rows, weights, cardinalities, first, parents, starts, counts):
    """Add the weights of the rows to the counts N_ijk of all families, one flat array."""
    for t in range(rows.shape[0]):
        for i in range(rows.shape[1]):
            case = 0
            for a in range(first[i], first[i + 1]):
                case = case * cardinalities[parents[a]] + rows[t, parents[a]]
            counts[starts[i] + case * cardinalities[i] + rows[t, i]] += weights[t]


@njit(cache=True, nogil=True)
def smooth_families(counts, cardinalities, starts, prior):
    """Turn counts into (N_ijk + prior) / (N_ij + r_i prior); even where that is 0 / 0."""
    for i in range(len(cardinalities)):
        r = cardinalities[i]
        for at in range(starts[i], starts[i + 1], r):
            total = 0.0
            for k in range(at, at + r):
                total += counts[k] + prior
            for k in range(at, at + r):
                counts[k] = (counts[k] + prior) / total if total > 0 else 1.0 / r


def sample_families(uniform, order, cardinalities, first, parents, starts, probabilities):
    """One row for each row of ``uniform``, whose columns are spent in the order of variables."""
    rows = np.empty(uniform.shape, np.uint8)
    drawn, cases = np.empty((uniform.shape[1], BLOCK), np.uint8), np.empty(BLOCK, np.int64)
    layout = order, cardinalities, first, parents, starts, probabilities
    _draw_rows(uniform, *layout, rows, drawn, cases)
    return rows


@njit(cache=True, nogil=True)
def _draw_rows(
    uniform, order, cardinalities, first, parents, starts, probabilities, rows, drawn, cases
):
    """A block of rows at a time, variable after variable, so that the loops are over rows."""
    n, d = uniform.shape
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        for i in order:
            for t in range(size):
                cases[t] = starts[i]
            weight = cardinalities[i]
            for a in range(first[i + 1] - 1, first[i] - 1, -1):
                for t in range(size):
                    cases[t] += weight * drawn[parents[a], t]
                weight *= cardinalities[parents[a]]
            for t in range(size):
                # No branch on the draw: it could not be predicted.
                k = 0
                running = 0.0
                for below in range(cases[t], cases[t] + cardinalities[i] - 1):
                    running += probabilities[below]
                    k += uniform[start + t, i] >= running
                drawn[i, t] = k
        for t in range(size):
            for i in range(d):
                rows[start + t, i] = drawn[i, t]


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
