"""Simulated annealing over graphs, every graph scored anew."""

from math import exp

from tests.naive.discrete_models import acyclic


def anneal(d, most, uniform, temperatures, score):
    """The best score and graph, from the empty graph; ``score(graph)`` of parent sets."""
    now = [set() for _ in range(d)]
    value = score(now)
    top, best = value, now
    for (u, v, turn, chance), temperature in zip(uniform, temperatures, strict=True):
        child, parent = int(u * d), int(v * d)
        if child == parent:
            continue
        new = [set(p) for p in now]
        if parent in new[child]:
            new[child].discard(parent)
            if turn < 0.5:
                new[parent].add(child)
        else:
            new[child].add(parent)
        if not acyclic(new) or max(map(len, new)) > most:
            continue
        gain = score(new) - value
        if gain < 0 and chance >= exp(gain / temperature):
            continue
        now, value = new, value + gain
        if value > top + 1e-9:
            top, best = value, now
    return top, best
