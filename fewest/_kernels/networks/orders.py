"""Orderings of variables: sums over them, and crossovers."""

import math

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def log_add(a, b):
    """Return log(exp(a) + exp(b))."""
    if a < b:
        a, b = b, a
    return a if b == -np.inf else a + math.log1p(math.exp(b - a))


@njit(cache=True, nogil=True)
def sum_subsets(table):
    """Replace the weight of each mask by the sum over all masks inside it."""
    bit = 1
    while bit < len(table):
        for mask in range(len(table)):
            if mask & bit:
                table[mask] = log_add(table[mask], table[mask ^ bit])
        bit <<= 1


#: Masks that one compiled call looks at: between calls an interrupt is heard.
MASKS_PER_CALL = 1 << 16


def arcs_over_orders(sums, arcs):
    """Fill ``arcs`` [parent, child] with their probabilities over all orderings.

    ``sums`` (d, 2^d) holds for each child the sum over the parent sets inside each mask; Koivisto
    and Sood (2004): forward sums over what stands first, backward sums over what stands last.
    """
    size = sums.shape[1]
    before, after = np.full(size, -np.inf), np.full(size, -np.inf)
    before[0] = after[size - 1] = 0.0
    arcs[:] = 0.0
    parts = [(first, min(first + MASKS_PER_CALL, size)) for first in range(0, size, MASKS_PER_CALL)]
    for first, last in parts:
        sum_first(sums, before, first, last)
    for first, last in parts[::-1]:
        sum_last(sums, after, first, last)
    for first, last in parts:
        add_shares(sums, before, after, first, last, arcs)


@njit(cache=True, nogil=True)
def sum_first(sums, before, first, last):
    """Sum over the orderings of what stands first, for some masks, the smaller ones known."""
    for mask in range(max(first, 1), last):
        for x in range(len(sums)):
            if (mask >> x) & 1:
                rest = mask ^ (1 << x)
                before[mask] = log_add(before[mask], before[rest] + sums[x, rest])


@njit(cache=True, nogil=True)
def sum_last(sums, after, first, last):
    """Sum over the orderings of what stands last, for some masks, the larger ones known."""
    for mask in range(last - 1, first - 1, -1):
        for x in range(len(sums)):
            if not (mask >> x) & 1:
                after[mask] = log_add(after[mask], after[mask | (1 << x)] + sums[x, mask])


@njit(cache=True, nogil=True)
def add_shares(sums, before, after, first, last, arcs):
    """Add to the arcs what the orderings give them in which some masks stand first."""
    d, whole = len(sums), before[-1]
    for mask in range(first, last):
        for x in range(d):
            if (mask >> x) & 1:
                continue
            share = math.exp(before[mask] + sums[x, mask] + after[mask | (1 << x)] - whole)
            if share < 1e-18:
                continue
            for p in range(d):
                if (mask >> p) & 1:
                    without = math.exp(sums[x, mask ^ (1 << p)] - sums[x, mask])
                    arcs[p, x] += share * (1.0 - without)


@njit(cache=True, nogil=True)
def allowed_sets(x, places, candidates):
    """Return the candidate parents of x that stand before it, as a mask over its candidates."""
    allowed = np.int64(0)
    for c in range(candidates.shape[1]):
        p = candidates[x, c]
        if p >= 0 and places[p] < places[x]:
            allowed |= np.int64(1) << c
    return allowed


@njit(cache=True, nogil=True)
def sum_inside(allowed, sets, weights, first, last):
    """Sum over the parent sets inside ``allowed``; the largest ones come first."""
    total = -np.inf
    for k in range(first, last):
        if weights[k] < total - 40.0:
            break
        if sets[k] & ~allowed == 0:
            total = log_add(total, weights[k])
    return total


@njit(cache=True, nogil=True)
def add_arcs(places, own, candidates, sets, weights, starts, arcs):
    """Add the probabilities of the arcs given an ordering; ``own`` has the sums by variable."""
    for x in range(len(places)):
        allowed = allowed_sets(x, places, candidates)
        for k in range(starts[x], starts[x + 1]):
            if weights[k] < own[x] - 40.0:
                break
            if sets[k] & ~allowed == 0:
                share = math.exp(weights[k] - own[x])
                for c in range(candidates.shape[1]):
                    if (sets[k] >> c) & 1:
                        arcs[candidates[x, c], x] += share


@njit(cache=True, nogil=True)
def walk_orders(order, candidates, sets, weights, starts, uniform, thin, logs, arcs):
    """Walk over orderings by Metropolis (Friedman and Koller, 2003): one proposal per uniform row.

    A proposal moves one variable to another place, near or anywhere. After every ``thin`` rows the
    logarithm of the weight goes into ``logs`` and the probabilities of the arcs are added to
    ``arcs``. ``order`` is changed.
    """
    d = len(order)
    places = np.empty(d, np.int64)
    own = np.empty(d)
    new = np.empty(d)
    for k in range(d):
        places[order[k]] = k
    for x in range(d):
        allowed = allowed_sets(x, places, candidates)
        own[x] = sum_inside(allowed, sets, weights, starts[x], starts[x + 1])
    for t in range(len(uniform)):
        i = int(uniform[t, 0] * d)
        if uniform[t, 1] < 0.5:
            j = int(2.0 * uniform[t, 1] * d)
        else:
            step = 1 + int(6.0 * (uniform[t, 1] - 0.5))
            j = i + step if uniform[t, 2] < 0.5 else i - step
        if j != i and 0 <= j < d:
            low, high = min(i, j), max(i, j)
            move(order, places, i, j)
            gain = 0.0
            for k in range(low, high + 1):
                x = order[k]
                allowed = allowed_sets(x, places, candidates)
                new[x] = sum_inside(allowed, sets, weights, starts[x], starts[x + 1])
                gain += new[x] - own[x]
            if gain >= 0 or uniform[t, 3] < math.exp(gain):
                for k in range(low, high + 1):
                    own[order[k]] = new[order[k]]
            else:
                move(order, places, j, i)
        if (t + 1) % thin == 0:
            logs[t // thin] = np.sum(own)
            add_arcs(places, own, candidates, sets, weights, starts, arcs)


@njit(cache=True, nogil=True)
def move(order, places, i, j):
    """Move the variable at place i to place j; those between move by one."""
    x = order[i]
    step = 1 if j > i else -1
    for k in range(i, j, step):
        order[k] = order[k + step]
        places[order[k]] = k
    order[j] = x
    places[x] = j


@njit(cache=True, nogil=True)
def order_crossover(first, second, begins, ends, children):
    """Cross by OX: the segment of the second parent, then the first parent's other values.

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
    """Cross by PMX: the second parent's segment; what it displaces goes where its partner stood.

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
    """Cross by CX: the first parent's cycle through ``begins[t]``, the rest from the second.

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
