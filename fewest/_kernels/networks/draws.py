"""Draw rows from a network: ancestral and importance sampling."""

import numpy as np
from numba import njit

#: Rows that are drawn together.
BLOCK_ROWS = 64


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
    """Draw one row per row of ``uniform``, whose columns are used in the order of variables."""
    rows = np.empty(uniform.shape, np.uint8)
    drawn, cases = (
        np.empty((uniform.shape[1], BLOCK_ROWS), np.uint8),
        np.empty(BLOCK_ROWS, np.int64),
    )
    layout = order, cardinalities, first, parents, starts, probabilities
    _draw_rows(uniform, *layout, rows, drawn, cases)
    return rows


@njit(cache=True, nogil=True)
def _draw_rows(
    uniform, order, cardinalities, first, parents, starts, probabilities, rows, drawn, cases
):
    """Draw a block of rows at a time, variable after variable, so that the loops are over rows."""
    n, d = uniform.shape
    for start in range(0, n, BLOCK_ROWS):
        size = min(BLOCK_ROWS, n - start)
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


#: What a step of backward sampling does with its variable.
FORWARD, BACKWARD, WEIGHT = 0, 1, 2


@njit(cache=True, nogil=True)
def table_row(i, values, cardinalities, first, parents, starts):
    """Return the start of the probabilities of variable i for the values of its parents."""
    case = 0
    for a in range(first[i], first[i + 1]):
        case = case * cardinalities[parents[a]] + values[parents[a]]
    return starts[i] + case * cardinalities[i]


@njit(cache=True, nogil=True)
def draw(table, at, levels, u):
    """Return the level that a uniform number falls on, never one of probability 0."""
    total = 0.0
    last = 0
    for k in range(levels):
        if table[at + k] > 0.0:
            last = k
            total += table[at + k]
            if u < total:
                return k
    return last


@njit(cache=True, nogil=True)
def add_up(weight, values, rows, places, marginals, families, totals):
    """Enter one weighted sample; ``rows`` are the cells of each table that it met."""
    totals[0] += weight
    totals[1] += weight * weight
    totals[2] += weight > 0.0
    if weight == 0.0:
        return
    for i in range(len(values)):
        marginals[0, places[i] + values[i]] += weight
        marginals[1, places[i] + values[i]] += weight * weight
    if len(families) > 0:
        for i in range(len(values)):
            families[rows[i] + values[i]] += weight


@njit(cache=True, nogil=True)
def importance_samples(
    uniform, order, cardinalities, first, parents, starts, true, proposal, evidence, places,
    marginals, families, totals,
):  # fmt: skip
    """Draw one sample per row of ``uniform`` from the tables ``proposal``, evidence held fixed.

    The weight is the probability by the tables ``true`` over that by which it was drawn.
    """
    n, d = uniform.shape
    values = np.zeros(d, np.int64)
    rows = np.zeros(d, np.int64)
    for t in range(n):
        weight = 1.0
        for i in order:
            at = table_row(i, values, cardinalities, first, parents, starts)
            rows[i] = at
            if evidence[i] >= 0:
                values[i] = evidence[i]
                weight *= true[at + evidence[i]]
            else:
                k = draw(proposal, at, cardinalities[i], uniform[t, i])
                values[i] = k
                weight *= true[at + k] / proposal[at + k]
        add_up(weight, values, rows, places, marginals, families, totals)


@njit(cache=True, nogil=True)
def logic_samples(
    uniform, order, cardinalities, first, parents, starts, true, evidence, places, marginals, totals
):
    """Draw without looking at the evidence; samples that contradict it get the weight 0."""
    n, d = uniform.shape
    values = np.zeros(d, np.int64)
    none = np.zeros(0)
    for t in range(n):
        weight = 1.0
        for i in order:
            at = table_row(i, values, cardinalities, first, parents, starts)
            values[i] = draw(true, at, cardinalities[i], uniform[t, i])
            if evidence[i] >= 0 and values[i] != evidence[i]:
                weight = 0.0
                break
        add_up(weight, values, values, places, marginals, none, totals)


@njit(cache=True, nogil=True)
def fits_known(case, i, values, cardinalities, first, parents):
    """Decide if a case of the parents of i agrees with those whose value is known."""
    for a in range(first[i + 1] - 1, first[i] - 1, -1):
        levels = cardinalities[parents[a]]
        if values[parents[a]] >= 0 and values[parents[a]] != case % levels:
            return False
        case //= levels
    return True


@njit(cache=True, nogil=True)
def draw_parents(i, u, values, cardinalities, first, parents, starts, true):
    """Draw the unknown parents of i from its table at its value; returns the sum of the column."""
    levels = cardinalities[i]
    cases = (starts[i + 1] - starts[i]) // levels
    total = 0.0
    for case in range(cases):
        if fits_known(case, i, values, cardinalities, first, parents):
            total += true[starts[i] + case * levels + values[i]]
    if total == 0.0:
        return 0.0
    running = 0.0
    chosen = -1
    for case in range(cases):
        p = true[starts[i] + case * levels + values[i]]
        if p > 0.0 and fits_known(case, i, values, cardinalities, first, parents):
            running += p
            chosen = case
            if u * total < running:
                break
    for a in range(first[i + 1] - 1, first[i] - 1, -1):
        values[parents[a]] = chosen % cardinalities[parents[a]]
        chosen //= cardinalities[parents[a]]
    return total


@njit(cache=True, nogil=True)
def backward_samples(
    uniform, steps, cardinalities, first, parents, starts, true, evidence, places, marginals, totals
):
    """Draw parents from the tables of known children first, the rest forward.

    ``steps`` (number, 2) are what to do with which variable, in this order. Fung and Del Favero
    (1994): a variable whose parents were drawn from its table weighs the sum of its column, one
    that was known when its turn came weighs its probability.
    """
    n, d = uniform.shape
    values = np.zeros(d, np.int64)
    none = np.zeros(0)
    for t in range(n):
        weight = 1.0
        for i in range(d):
            values[i] = evidence[i]
        for s in range(len(steps)):
            what, i = steps[s, 0], steps[s, 1]
            if what == BACKWARD:
                weight *= draw_parents(
                    i, uniform[t, i], values, cardinalities, first, parents, starts, true
                )
            else:
                at = table_row(i, values, cardinalities, first, parents, starts)
                if what == FORWARD:
                    values[i] = draw(true, at, cardinalities[i], uniform[t, i])
                else:
                    weight *= true[at + values[i]]
            if weight == 0.0:
                break
        add_up(weight, values, values, places, marginals, none, totals)
