"""Parameters of a discrete network and rows drawn from it, parents before children.

The table of variable i is a block of ``cases * cardinalities[i]`` numbers at ``starts[i]``;
the case of its parents is a mixed-radix number, the first parent counting most. The parents of
i stand in ``parents[first[i] : first[i + 1]]``.
"""

import numpy as np
from numba import njit

from ..counting.bitplanes import mask_sizes, pack_planes, split_masks

#: Rows that are drawn together.
BLOCK = 64


@njit(cache=True, nogil=True)
def count_family(rows, weights, cardinalities, child, parents, counts):
    """Add the weights of the rows to the counts N_ijk of one family."""
    for t in range(len(rows)):
        case = 0
        for p in parents:
            case = case * cardinalities[p] + rows[t, p]
        counts[case * cardinalities[child] + rows[t, child]] += weights[t]


@njit(cache=True, nogil=True)
def count_families(rows, weights, cardinalities, first, parents, starts):
    """The weighted counts N_ijk of all families, one flat array."""
    d = rows.shape[1]
    counts = np.zeros(starts[d])
    for i in range(d):
        own = parents[first[i] : first[i + 1]]
        count_family(rows, weights, cardinalities, i, own, counts[starts[i] : starts[i + 1]])
    return counts


@njit(cache=True, nogil=True)
def count_rows(rows, cardinalities, first, parents, starts):
    """``count_families`` of rows that all weigh 1, by their bits.

    A family whose table has more cells than there are rows is counted row by row.
    """
    n, d = rows.shape
    planes, offsets, everything = pack_planes(rows, cardinalities)
    counts = np.zeros(starts[d])
    for i in range(d):
        own = parents[first[i] : first[i + 1]]
        cells = counts[starts[i] : starts[i + 1]]
        if len(cells) > n:
            count_family(rows, np.ones(n), cardinalities, i, own, cells)
            continue
        masks = everything.reshape(1, -1)
        for p in own:
            masks = split_masks(masks, planes, offsets[p], cardinalities[p])
        sizes = mask_sizes(split_masks(masks, planes, offsets[i], cardinalities[i]))
        for c in range(len(sizes)):
            cells[c] = sizes[c]
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
def draw_levels(uniform, cases, levels, probabilities, out):
    """Levels of one variable for some rows, from the case of the parents of each."""
    for t in range(len(uniform)):
        at = cases[t] * levels
        # No branch on the draw: it could not be predicted.
        k = 0
        running = 0.0
        for below in range(at, at + levels - 1):
            running += probabilities[below]
            k += uniform[t] >= running
        out[t] = k


@njit(cache=True, nogil=True)
def draw_bits(uniform, cases, probabilities, out):
    """``draw_levels`` for two levels, the same numbers without a loop."""
    for t in range(len(uniform)):
        out[t] = uniform[t] >= probabilities[2 * cases[t]]


@njit(cache=True, nogil=True)
def sample_families(uniform, order, cardinalities, first, parents, starts, probabilities):
    """One row for each row of ``uniform``, whose columns are spent in the order of variables.

    A block of rows at a time, variable after variable, so that the loops are over rows.
    """
    n, d = uniform.shape
    rows = np.empty((n, d), np.uint8)
    drawn = np.empty((d, BLOCK), np.uint8)
    cases = np.empty(BLOCK, np.int64)
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        for i in order:
            for t in range(size):
                cases[t] = 0
            for a in range(first[i], first[i + 1]):
                levels = cardinalities[parents[a]]
                for t in range(size):
                    cases[t] = cases[t] * levels + drawn[parents[a], t]
            given = uniform[start : start + size, i]
            table = probabilities[starts[i] : starts[i + 1]]
            if cardinalities[i] == 2:
                draw_bits(given, cases, table, drawn[i])
            else:
                draw_levels(given, cases, cardinalities[i], table, drawn[i])
        for t in range(size):
            for i in range(d):
                rows[start + t, i] = drawn[i, t]
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
