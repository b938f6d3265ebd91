"""Simulated annealing over graphs, on a cache of families."""

import math

import numpy as np
from numba import njit

from .algorithm_b import LEAST
from .climb import can_turn, find_ancestors, refresh
from .family_cache import flip, has


@njit(cache=True, nogil=True)
def anneal_graph(cache, climb, most, uniform, temperatures, best):
    """One random change per row of ``uniform`` (steps, 4), kept if it helps or by chance.

    A change that costs is kept with probability exp(gain / temperature) (Kirkpatrick et al.,
    1983). ``best`` receives the parents of the best graph. Returns its score and True, or False
    where the cache is full (start again).
    """
    d = len(climb.nodes)
    find_ancestors(climb.parents, climb.above)
    score = 0.0
    for i in range(d):
        if not refresh(cache, climb, i):
            return -np.inf, False
        score += cache.scores[climb.nodes[i]]
    top = score
    best[:] = climb.parents
    for step in range(len(uniform)):
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
            if not refresh(cache, climb, p):
                return -np.inf, False
        if not refresh(cache, climb, i):
            return -np.inf, False
        find_ancestors(climb.parents, climb.above)
        score += gain
        if score > top + LEAST:
            top = score
            best[:] = climb.parents
    return top, True
