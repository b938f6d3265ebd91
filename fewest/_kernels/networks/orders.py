"""Orderings of variables: sums over them, crossovers, climbs over families that are known."""

import math
from collections import namedtuple

import numpy as np
from numba import njit

from ..counting.bitplanes import popcount
from ..inner import inner
from .families import LEAST_GAIN
from .family_cache import flip, has


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


#: Parent sets of known families, best first for each child, those of x from ``starts[x]`` to
#: ``starts[x + 1]``, and the union of the sets of each child; sets are words of bits.
KnownFamilies = namedtuple("KnownFamilies", "sets scores starts unions")


@inner
def best_known(known, first, last, allowed):
    """Return the first family from one position to another with allowed parents, or ``last``."""
    for k in range(first, last):
        inside = True
        for w in range(len(allowed)):
            inside = inside and known.sets[k, w] & ~allowed[w] == 0
        if inside:
            return k
    return last


@njit(cache=True, nogil=True)
def known_families(cache, most):
    """Collect the families of a cache that score more than with fewer of their parents.

    They are its nodes and what a further parent adds to them, with at most ``most`` parents. The
    empty set is always there, with a score of -infinity where it is not known.
    """
    d, words = len(cache.cardinalities), cache.parents.shape[1]
    numbers = np.ones(d, np.int64)
    for node in range(cache.count[0]):
        numbers[cache.children[node]] += 1 + number_of_gains(cache, node, most)
    firsts = np.append(0, np.cumsum(numbers))
    sets = np.zeros((firsts[d], words), np.uint64)
    scores = np.full(firsts[d], -np.inf)
    ends = firsts[:d] + 1
    for node in range(cache.count[0]):
        x = cache.children[node]
        if size_of(cache.parents[node]) <= most:
            sets[ends[x]], scores[ends[x]] = cache.parents[node], cache.scores[node]
            ends[x] += 1
        for k in range(number_of_gains(cache, node, most)):
            p = cache.ranks[node, k]
            sets[ends[x]] = cache.parents[node]
            flip(sets[ends[x]], p)
            scores[ends[x]] = cache.scores[node] + cache.gains[node, p]
            ends[x] += 1
    return without_beaten(sets, scores, firsts, ends)


@inner
def size_of(bits):
    """Count the members of a set of bits."""
    total = 0
    for w in range(len(bits)):
        total += popcount(bits[w])
    return total


@njit(cache=True, nogil=True)
def number_of_gains(cache, node, most):
    """Count the further parents that would help a node."""
    d = len(cache.cardinalities)
    if not cache.judged[node] or size_of(cache.parents[node]) >= most:
        return 0
    k = 0
    while k < d and cache.gains[node, cache.ranks[node, k]] > LEAST_GAIN:
        k += 1
    return k


@njit(cache=True, nogil=True)
def without_beaten(sets, scores, firsts, ends):
    """Sort the sets of each child; leave out those that score no more than one of their subsets."""
    starts = np.zeros(len(firsts), np.int64)
    unions = np.zeros((len(ends), sets.shape[1]), np.uint64)
    known = KnownFamilies(np.empty_like(sets), np.empty_like(scores), starts, unions)
    n = 0
    for x in range(len(ends)):
        starts[x] = n
        for k in np.argsort(-scores[firsts[x] : ends[x]], kind="mergesort"):
            row = firsts[x] + k
            if best_known(known, starts[x], n, sets[row]) == n:
                known.sets[n], known.scores[n] = sets[row], scores[row]
                unions[x] |= sets[row]
                n += 1
    starts[len(ends)] = n
    return KnownFamilies(known.sets[:n], known.scores[:n], starts, unions)


@njit(cache=True, nogil=True)
def settle(known, order, own):
    """Fill ``own`` with the best family of each variable in an ordering; return their sum."""
    before = np.zeros(known.sets.shape[1], np.uint64)
    total = 0.0
    for x in order:
        own[x] = best_known(known, known.starts[x], known.starts[x + 1], before)
        total += known.scores[own[x]]
        flip(before, x)
    return total


@njit(cache=True, nogil=True)
def best_place(known, order, own, i):
    """Return the place to which the variable at place ``i`` is best moved, and the gain."""
    x, d = order[i], len(order)
    before = np.zeros(known.sets.shape[1], np.uint64)
    for j in range(i):
        flip(before, order[j])
    place, top = i, LEAST_GAIN
    # To the left: each variable that is passed may have x as a parent, x loses it.
    allowed, mine, change = before.copy(), own[x], 0.0
    for j in range(i - 1, -1, -1):
        y = order[j]
        flip(allowed, y)
        if has(known.unions[y], x):
            flip(allowed, x)
            change += known.scores[best_known(known, known.starts[y], own[y], allowed)]
            change -= known.scores[own[y]]
            flip(allowed, x)
        if has(known.sets[mine], y):
            mine = best_known(known, mine, known.starts[x + 1], allowed)
        gain = change + known.scores[mine] - known.scores[own[x]]
        if gain > top:
            place, top = j, gain
    # To the right: each variable that is passed loses x, x may have it as a parent.
    allowed, mine, change = before, own[x], 0.0
    for j in range(i + 1, d):
        y = order[j]
        if has(known.sets[own[y]], x):
            change += known.scores[best_known(known, own[y], known.starts[y + 1], allowed)]
            change -= known.scores[own[y]]
        flip(allowed, y)
        if has(known.unions[x], y):
            mine = best_known(known, known.starts[x], mine, allowed)
        gain = change + known.scores[mine] - known.scores[own[x]]
        if gain > top:
            place, top = j, gain
    return place, top


@njit(cache=True, nogil=True)
def climb_order(known, order, own):
    """Move variables to better places of an ordering while one helps; return the score."""
    d = len(order)
    places = np.argsort(order)
    total = settle(known, order, own)
    x, since = 0, 0
    while since < d:
        place, _ = best_place(known, order, own, places[x])
        since += 1
        if place != places[x]:
            move(order, places, places[x], place)
            total = settle(known, order, own)
            since = 0
        x = (x + 1) % d
    return total


@njit(cache=True, nogil=True)
def random_order(known, own, uniform, order):
    """Fill ``order`` with a random ordering that agrees with the families, by d random numbers."""
    d = len(order)
    left = np.arange(d)
    before = np.zeros(known.sets.shape[1], np.uint64)
    for k in range(d):
        at = int(uniform[k] * (d - k))
        while best_known(known, own[left[at]], own[left[at]] + 1, before) != own[left[at]]:
            at = (at + 1) % (d - k)
        order[k] = left[at]
        flip(before, left[at])
        left[at] = left[d - k - 1]


@njit(cache=True, nogil=True)
def climb_orders(known, own, uniform):
    """Climb from random orderings of the best families so far; return their score.

    Each row of ``uniform`` (climbs, d + 6) is an ordering that agrees with the families of
    ``own``, and up to three moves of a variable to another place. Of equally good families the
    new ones go on: an ordering of another graph with the same independences.
    """
    d = len(own)
    order, new = np.empty(d, np.int64), own.copy()
    total = known.scores[own].sum()
    for row in range(len(uniform)):
        random_order(known, own, uniform[row], order)
        places = np.argsort(order)
        for k in range(row % 4):
            i, j = d + 2 * k, d + 2 * k + 1
            move(order, places, int(uniform[row, i] * d), int(uniform[row, j] * d))
        score = climb_order(known, order, new)
        if score > total - LEAST_GAIN:
            own[:], total = new, score
    return total
