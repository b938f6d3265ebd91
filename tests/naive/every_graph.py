"""The best network of a few variables by scoring every graph."""

from functools import lru_cache
from itertools import combinations, permutations, product

import numpy as np


def subsets(items):
    return [s for k in range(len(items) + 1) for s in combinations(items, k)]


@lru_cache
def every_graph(d):
    """All directed acyclic graphs: for every ordering, every choice of earlier parents."""
    graphs = set()
    for order in permutations(range(d)):
        choices = [subsets(sorted(order[:place])) for place in range(d)]
        for picked in product(*choices):
            graphs.add(tuple(picked[order.index(i)] for i in range(d)))
    return sorted(graphs)


@lru_cache
def families_of(d):
    """All families, and for each graph the positions of its families in that list."""
    families = [(i, p) for i in range(d) for p in subsets([j for j in range(d) if j != i])]
    place = {family: k for k, family in enumerate(families)}
    return families, np.array([[place[i, p] for i, p in enumerate(g)] for g in every_graph(d)])


def best_score(d, score):
    """The highest sum of ``score(child, parents)`` over all graphs."""
    families, graphs = families_of(d)
    scores = np.array([score(i, p) for i, p in families])
    return scores[graphs].sum(axis=1).max()
