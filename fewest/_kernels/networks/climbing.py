"""Change arcs of a graph while its score rises."""

import math
from collections import namedtuple

import numpy as np
from numba import njit

from ..counting.bitplanes import popcount
from .families import LEAST_GAIN
from .family_cache import find_family, flip, has, members

#: Where a climb stands: parents and ancestors as words of bits, the node of each family, what
#: deleting each arc would bring [child, parent], when each arc was last changed, how many steps
#: were made and how many since the best graph, and the score of this graph and of the best.
Climb = namedtuple("Climb", "parents above nodes number delete changed steps scores")
ADD, DELETE, REVERSE = 0, 1, 2
_1 = np.uint64(1)


@njit(cache=True, nogil=True)
def new_climb(parents):
    """Make a climb from a graph, its parents as words of bits; ``start_climb`` fills the rest."""
    d = len(parents)
    return Climb(
        parents.copy(), np.zeros_like(parents), np.zeros(d, np.int64), np.zeros(d, np.int64),
        np.zeros((d, d)), np.full((d, d), -1), np.zeros(2, np.int64), np.zeros(2),
    )  # fmt: skip


@njit(cache=True, nogil=True)
def find_ancestors(parents, above):
    """Fill the ancestor sets of all variables; False where the arcs make a cycle."""
    return fill_ancestors(parents, above, np.zeros(len(parents), np.bool_))


@njit(cache=True, nogil=True)
def fill_ancestors(parents, above, done):
    """Fill the ancestor sets of the variables that are not done; False where arcs make a cycle."""
    d, words = parents.shape
    left = d - np.sum(done)
    while left > 0:
        before = left
        for i in range(d):
            if not done[i] and parents_done(parents[i], done):
                for w in range(words):
                    above[i, w] = parents[i, w]
                for w in range(words):
                    bits = parents[i, w]
                    while bits:
                        p = 64 * w + lowest(bits)
                        bits &= bits - _1
                        for v in range(words):
                            above[i, v] |= above[p, v]
                done[i] = True
                left -= 1
        if left == before:
            return False
    return True


@njit(cache=True, nogil=True)
def lowest(bits):
    """Return the position of the lowest bit of a word that is not 0."""
    return np.int64(popcount((bits & (~bits + _1)) - _1))


@njit(cache=True, nogil=True)
def parents_done(bits, done):
    """Decide if all members of a set are done."""
    for w in range(len(bits)):
        word = bits[w]
        while word:
            if not done[64 * w + lowest(word)]:
                return False
            word &= word - _1
    return True


@njit(cache=True, nogil=True)
def renew_ancestors(climb, child, other):
    """Fill the ancestor sets of two variables, whose parents have changed, and of those below."""
    d = len(climb.nodes)
    done = np.ones(d, np.bool_)
    for x in range(d):
        if x == child or x == other or has(climb.above[x], child) or has(climb.above[x], other):
            done[x] = False
    fill_ancestors(climb.parents, climb.above, done)


@njit(cache=True, nogil=True)
def has_room(cache):
    """Decide if the cache has room for all families that one change of a graph can need."""
    return cache.count[0] + 2 * len(cache.cardinalities) <= len(cache.scores)


@njit(cache=True, nogil=True)
def refresh(cache, climb, child):
    """Look a changed family up, and what deleting each of its parents brings."""
    bits = climb.parents[child]
    node = find_family(cache, child, bits)
    climb.nodes[child] = node
    own = members(bits, len(climb.nodes))
    climb.number[child] = len(own)
    for p in own:
        flip(bits, p)
        fewer = find_family(cache, child, bits)
        flip(bits, p)
        climb.delete[child, p] = cache.scores[fewer] - cache.scores[node]


@njit(cache=True, nogil=True)
def can_turn(climb, child, parent):
    """Decide if the arc can be reversed: no other way leads from the parent to the child."""
    d = len(climb.nodes)
    for q in range(d):
        if q != parent and has(climb.parents[child], q) and has(climb.above[q], parent):
            return False
    return True


@njit(cache=True, nogil=True)
def best_change(cache, climb, most, oldest, needed):
    """Return the legal change with the largest gain: what, child, parent, and the gain.

    Arcs changed at step ``oldest`` or later are left alone unless the change brings more than
    ``needed``.
    """
    d, words = climb.parents.shape
    what, to, of, top = -1, -1, -1, -np.inf
    for i in range(d):
        gains = cache.gains[climb.nodes[i]]
        if climb.number[i] < most:
            for p in range(d):
                if (
                    gains[p] > top + LEAST_GAIN
                    and not has(climb.above[p], i)
                    and (climb.changed[i, p] < oldest or gains[p] > needed)
                ):
                    what, to, of, top = ADD, i, p, gains[p]
        for w in range(words):
            bits = climb.parents[i, w]
            while bits:
                p = 64 * w + lowest(bits)
                bits &= bits - _1
                gain = climb.delete[i, p]
                turned = gain + cache.gains[climb.nodes[p], i]
                if (
                    turned > gain + LEAST_GAIN
                    and turned > top + LEAST_GAIN
                    and climb.number[p] < most
                    and (climb.changed[i, p] < oldest or turned > needed)
                    and can_turn(climb, i, p)
                ):
                    what, to, of, top = REVERSE, i, p, turned
                if gain > top + LEAST_GAIN and (climb.changed[i, p] < oldest or gain > needed):
                    what, to, of, top = DELETE, i, p, gain
    return what, to, of, top


@njit(cache=True, nogil=True)
def start_climb(cache, climb, tenure):
    """Look up all families of the first graph, where no arc rests; False if the cache is full."""
    climb.changed[:] = -1 - tenure
    find_ancestors(climb.parents, climb.above)
    score = 0.0
    for i in range(len(climb.nodes)):
        if not has_room(cache):
            return False
        refresh(cache, climb, i)
        score += cache.scores[climb.nodes[i]]
    climb.steps[:] = 0
    climb.scores[:] = score
    return True


@njit(cache=True, nogil=True)
def kick_graph(parents, above, most, uniform):
    """Change one random arc per row of ``uniform`` (changes, 3).

    The first number chooses the child. Where the third is below one third, an arc from the
    variable that the second chooses is added, if it is legal: a pair of parents of which each
    alone is of no use is found from one of them. Otherwise the second number chooses a parent,
    whose arc is deleted, and reversed where the third is below two thirds and that is legal.
    ``above`` receives the ancestors.
    """
    d = len(parents)
    find_ancestors(parents, above)
    for t in range(len(uniform)):
        i = int(uniform[t, 0] * d)
        own = members(parents[i], d)
        if 3 * uniform[t, 2] < 1:
            p = int(uniform[t, 1] * d)
            if p == i or has(parents[i], p) or has(above[p], i) or len(own) >= most:
                continue
            flip(parents[i], p)
        elif len(own) > 0:
            p = own[int(uniform[t, 1] * len(own))]
            flip(parents[i], p)
            find_ancestors(parents, above)
            turns = 3 * uniform[t, 2] < 2 and len(members(parents[p], d)) < most
            if turns and not has(above[i], p):
                flip(parents[p], i)
        find_ancestors(parents, above)


@njit(cache=True, nogil=True)
def climb_graph(cache, climb, most, tenure, patience, loss, steps, best):
    """Go on for some steps, until nothing helps, or ``patience`` steps brought no new best.

    A step makes the best change, which may cost ``loss``. With a ``patience`` of 0 this is plain
    hill climbing. With a loss of 0 it also goes sideways, along changes that cost nothing; with
    an infinite one it is tabu search (Glover, 1989). An arc that was changed rests for ``tenure``
    steps unless changing it leads to a new best. ``best`` receives the parents of each new best
    graph. Returns whether the cache had room, and whether the climb has ended; the caller makes
    room and lets the climb go on.
    """
    for _ in range(steps):
        if not has_room(cache):
            return False, False
        step = climb.steps[0]
        needed = climb.scores[1] - climb.scores[0] + LEAST_GAIN
        what, i, p, gain = best_change(cache, climb, most, step - tenure, needed)
        if what < 0 or (patience == 0 and gain <= LEAST_GAIN) or gain < -loss - LEAST_GAIN:
            return True, True
        flip(climb.parents[i], p)
        if what == REVERSE:
            flip(climb.parents[p], i)
            climb.changed[p, i] = step
            refresh(cache, climb, p)
        climb.changed[i, p] = step
        refresh(cache, climb, i)
        renew_ancestors(climb, i, p if what == REVERSE else i)
        climb.scores[0] += gain
        climb.steps[:] += 1
        if climb.scores[0] > climb.scores[1] + LEAST_GAIN:
            climb.scores[1] = climb.scores[0]
            climb.steps[1] = 0
            best[:] = climb.parents
        if patience > 0 and climb.steps[1] >= patience:
            return True, True
    return True, False


@njit(cache=True, nogil=True)
def anneal_graph(cache, climb, most, uniform, temperatures, first, best):
    """Try one random change per row of ``uniform`` (steps, 4); keep it if it helps or by chance.

    A change that costs is kept with probability exp(gain / temperature) (Kirkpatrick et al.,
    1983). ``climb`` has been started (``start_climb``); ``best`` receives the parents of each new
    best graph. Returns how many rows are done; where the cache is full, the caller makes room
    and goes on from there.
    """
    d = len(climb.nodes)
    for step in range(first, len(uniform)):
        if not has_room(cache):
            return step
        i = int(uniform[step, 0] * d)
        p = int(uniform[step, 1] * d)
        if i == p:
            continue
        turns = False
        if has(climb.parents[i], p):
            gain = climb.delete[i, p]
            turns = uniform[step, 2] < 0.5
            if turns:
                if climb.number[p] >= most or not can_turn(climb, i, p):
                    continue
                gain += cache.gains[climb.nodes[p], i]
        else:
            if climb.number[i] >= most or has(climb.above[p], i):
                continue
            gain = cache.gains[climb.nodes[i], p]
        if gain < 0 and uniform[step, 3] >= math.exp(max(gain / temperatures[step], -700.0)):
            continue
        if gain == -np.inf:
            continue
        flip(climb.parents[i], p)
        if turns:
            flip(climb.parents[p], i)
            refresh(cache, climb, p)
        refresh(cache, climb, i)
        renew_ancestors(climb, i, p if turns else i)
        climb.scores[0] += gain
        if climb.scores[0] > climb.scores[1] + LEAST_GAIN:
            climb.scores[1] = climb.scores[0]
            best[:] = climb.parents
    return len(uniform)
