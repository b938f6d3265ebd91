"""Probabilities of arcs over all orderings, one by one."""

from itertools import permutations
from math import exp


def arcs_by_orders(logs):
    """``logs[x][mask]`` is the logarithm of the weight of child x with the parents of a mask."""
    d = len(logs)
    total = 0.0
    arcs = [[0.0] * d for _ in range(d)]
    for order in permutations(range(d)):
        inside = {}
        product = 1.0
        for place, x in enumerate(order):
            earlier = sum(1 << v for v in order[:place])
            inside[x] = [m for m in range(1 << d) if m & ~earlier == 0]
            product *= sum(exp(logs[x][m]) for m in inside[x])
        total += product
        for x in range(d):
            own = sum(exp(logs[x][m]) for m in inside[x])
            for p in range(d):
                part = sum(exp(logs[x][m]) for m in inside[x] if m >> p & 1)
                arcs[p][x] += product * part / own
    return [[value / total for value in row] for row in arcs]
