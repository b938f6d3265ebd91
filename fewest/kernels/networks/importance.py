"""Weighted samples of a network given evidence.

Networks are laid out as in ``ancestral``. ``evidence`` holds codes, -1 where nothing is observed.
``marginals`` (2, levels) adds up weights and their squares by variable and level (variable i from
``places[i]`` on), ``families`` weights by table cell; ``totals`` holds the sum of the weights, of
their squares, and how many are not 0.
"""

import numpy as np
from numba import njit

#: What a step of backward sampling does with its variable.
FORWARD, BACKWARD, WEIGHT = 0, 1, 2


@njit(cache=True, nogil=True)
def table_row(i, values, cardinalities, first, parents, starts):
    """Where the probabilities of variable i begin for the values of its parents."""
    case = 0
    for a in range(first[i], first[i + 1]):
        case = case * cardinalities[parents[a]] + values[parents[a]]
    return starts[i] + case * cardinalities[i]


@njit(cache=True, nogil=True)
def draw(table, at, levels, u):
    """The level that a uniform number falls on; one of probability 0 never."""
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
    """Enter one weighted sample; ``rows`` says which cell of each table it met."""
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
    """Whether a case of the parents of i agrees with those whose value is known."""
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

    ``steps`` (number, 2) says what to do with which variable, in this order. Fung and Del Favero
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
