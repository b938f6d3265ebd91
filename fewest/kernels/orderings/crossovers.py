"""Crossovers of permutations. Rows of ``first`` and ``second`` are permutations of 0 ... d - 1."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def order_crossover(first, second, begins, ends, children):
    """OX: the segment of the second parent, filled up with the first parent's other values.

    The segment is ``begins[t]`` to ``ends[t]``; both the filling and the values start behind it
    and go round (Hsu, 2004, section 4.2).
    """
    n, d = first.shape
    used = np.empty(d, np.bool_)
    for t in range(n):
        used[:] = False
        for k in range(begins[t], ends[t]):
            children[t, k] = second[t, k]
            used[second[t, k]] = True
        to = ends[t] % d
        for step in range(d):
            value = first[t, (ends[t] + step) % d]
            if not used[value]:
                children[t, to] = value
                to = (to + 1) % d


@njit(cache=True, nogil=True)
def partially_matched_crossover(first, second, begins, ends, children):
    """PMX: the segment of the second parent; what it displaces goes where its partner stood.

    Goldberg and Lingle (1985): outside the segment a value of the first parent that the segment
    holds already is replaced by its partner in the segment, until it is a new one.
    """
    n, d = first.shape
    partner = np.empty(d, np.int64)
    for t in range(n):
        partner[:] = -1
        for k in range(begins[t], ends[t]):
            children[t, k] = second[t, k]
            partner[second[t, k]] = first[t, k]
        for k in range(d):
            if begins[t] <= k < ends[t]:
                continue
            value = np.int64(first[t, k])
            while partner[value] >= 0:
                value = partner[value]
            children[t, k] = value


@njit(cache=True, nogil=True)
def cycle_crossover(first, second, begins, children):
    """CX: the cycle through place ``begins[t]`` from the first parent, the rest from the second.

    Oliver, Smith and Holland (1987): every value keeps a place that it had in one of the parents.
    """
    n, d = first.shape
    place = np.empty(d, np.int64)
    for t in range(n):
        for k in range(d):
            place[first[t, k]] = k
            children[t, k] = second[t, k]
        at = begins[t]
        while True:
            children[t, at] = first[t, at]
            at = place[second[t, at]]
            if at == begins[t]:
                break
