"""Simulated annealing over graphs, on a cache of families."""

import math

import numpy as np
from numba import njit

from .algorithm_b import LEAST
from .climb import can_turn, has_room, refresh, renew_ancestors
from .family_cache import flip, has


@njit(cache=True, nogil=True)
def anneal_graph(cache, climb, most, uniform, temperatures, first, best):
    """One random change per row of ``uniform`` (steps, 4), kept if it helps or by chance.

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
        if climb.scores[0] > climb.scores[1] + LEAST:
            climb.scores[1] = climb.scores[0]
            best[:] = climb.parents
    return len(uniform)
