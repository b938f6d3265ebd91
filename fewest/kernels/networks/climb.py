"""Changes of a graph arc by arc, over a cache of families: hill climbing and tabu search."""

from collections import namedtuple

import numpy as np
from numba import njit

from .algorithm_b import LEAST
from .family_cache import find_family, flip, has, members

#: Where a climb stands: parents and ancestors as words of bits, the node of each family, what
#: deleting each arc would bring [child, parent], when each arc was last changed, how many steps
#: were made and how many since the best graph, and the score of this graph and of the best.
Climb = namedtuple("Climb", "parents above nodes number delete changed steps scores")
ADD, DELETE, REVERSE = 0, 1, 2


@njit(cache=True, nogil=True)
def new_climb(parents):
    """A climb from a graph, its parents as words of bits; ``start_climb`` fills in the rest."""
    d = len(parents)
    return Climb(
        parents.copy(), np.zeros_like(parents), np.zeros(d, np.int64), np.zeros(d, np.int64),
        np.zeros((d, d)), np.full((d, d), -1), np.zeros(2, np.int64), np.zeros(2),
    )  # fmt: skip


@njit(cache=True, nogil=True)
def find_ancestors(parents, above):
    """Fill the ancestor sets of all variables; False where the arcs make a cycle."""
    d, words = parents.shape
    done = np.zeros(d, np.bool_)
    left = d
    while left > 0:
        before = left
        for i in range(d):
            if done[i]:
                continue
            ready = True
            for w in range(words):
                above[i, w] = parents[i, w]
            for p in range(d):
                if has(parents[i], p):
                    if not done[p]:
                        ready = False
                        break
                    for w in range(words):
                        above[i, w] |= above[p, w]
            if ready:
                done[i] = True
                left -= 1
        if left == before:
            return False
    return True


@njit(cache=True, nogil=True)
def refresh(cache, climb, child):
    """Look a changed family up, and what deleting each of its parents brings; False if full."""
    bits = climb.parents[child]
    node = find_family(cache, child, bits)
    if node < 0:
        return False
    climb.nodes[child] = node
    own = members(bits, len(climb.nodes))
    climb.number[child] = len(own)
    for p in own:
        flip(bits, p)
        fewer = find_family(cache, child, bits)
        flip(bits, p)
        if fewer < 0:
            return False
        climb.delete[child, p] = cache.scores[fewer] - cache.scores[node]
    return True


@njit(cache=True, nogil=True)
def can_turn(climb, child, parent):
    """Whether the arc can be reversed: no other way leads from the parent to the child."""
    d = len(climb.nodes)
    for q in range(d):
        if q != parent and has(climb.parents[child], q) and has(climb.above[q], parent):
            return False
    return True


@njit(cache=True, nogil=True)
def best_change(cache, climb, most, oldest, needed):
    """The legal change that brings most: what, child, parent, and how much.

    Arcs changed at step ``oldest`` or later are left alone unless the change brings more than
    ``needed``.
    """
    d = len(climb.nodes)
    what, to, of, top = -1, -1, -1, -np.inf
    for i in range(d):
        gains = cache.gains[climb.nodes[i]]
        for p in range(d):
            if p == i:
                continue
            if has(climb.parents[i], p):
                gain = climb.delete[i, p]
                turned = gain + cache.gains[climb.nodes[p], i]
                if (
                    turned > gain + LEAST
                    and turned > top + LEAST
                    and climb.number[p] < most
                    and can_turn(climb, i, p)
                    and (climb.changed[i, p] < oldest or turned > needed)
                ):
                    what, to, of, top = REVERSE, i, p, turned
                if gain > top + LEAST and (climb.changed[i, p] < oldest or gain > needed):
                    what, to, of, top = DELETE, i, p, gain
            elif gains[p] > top + LEAST and climb.number[i] < most and not has(climb.above[p], i):
                if climb.changed[i, p] < oldest or gains[p] > needed:
                    what, to, of, top = ADD, i, p, gains[p]
    return what, to, of, top


@njit(cache=True, nogil=True)
def start_climb(cache, climb, tenure):
    """Look up all families of the first graph, where no arc rests; False if the cache is full."""
    climb.changed[:] = -1 - tenure
    find_ancestors(climb.parents, climb.above)
    score = 0.0
    for i in range(len(climb.nodes)):
        if not refresh(cache, climb, i):
            return False
        score += cache.scores[climb.nodes[i]]
    climb.steps[:] = 0
    climb.scores[:] = score
    return True


@njit(cache=True, nogil=True)
def climb_graph(cache, climb, most, tenure, patience, loss, steps, best):
    """Go on for some steps, until nothing helps, or ``patience`` steps brought no new best.

    A step makes the best change, which may cost ``loss``. With a ``patience`` of 0 this is plain
    hill climbing. With a loss of 0 it also goes sideways, along changes that cost nothing; with
    an infinite one it is tabu search (Glover, 1989). An arc that was changed rests for ``tenure``
    steps unless changing it leads to a new best. ``best`` receives the parents of each new best
    graph. Returns whether the cache had room, and whether the climb has ended; without room the
    climb is of no use any more, and the caller goes back to where it was.
    """
    for _ in range(steps):
        step = climb.steps[0]
        needed = climb.scores[1] - climb.scores[0] + LEAST
        what, i, p, gain = best_change(cache, climb, most, step - tenure, needed)
        if what < 0 or (patience == 0 and gain <= LEAST) or gain < -loss - LEAST:
            return True, True
        flip(climb.parents[i], p)
        if what == REVERSE:
            flip(climb.parents[p], i)
            climb.changed[p, i] = step
            if not refresh(cache, climb, p):
                return False, False
        climb.changed[i, p] = step
        if not refresh(cache, climb, i):
            return False, False
        find_ancestors(climb.parents, climb.above)
        climb.scores[0] += gain
        climb.steps[:] += 1
        if climb.scores[0] > climb.scores[1] + LEAST:
            climb.scores[1] = climb.scores[0]
            climb.steps[1] = 0
            best[:] = climb.parents
        if patience > 0 and climb.steps[1] >= patience:
            return True, True
    return True, False
