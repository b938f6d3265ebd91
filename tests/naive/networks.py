"""Scores of Bayesian network classifiers by their definitions, network by network."""

from __future__ import annotations

from math import log2, prod

from tests.naive.entropies import entropy, information
from tests.naive.spanning_tree import edges_of_maximum_tree


def _conditional_entropy(child, parents):
    return entropy(child, *parents) - (entropy(*parents) if parents else 0.0)


def log_likelihood(columns, parents):
    """LL of a network: ``parents`` maps every variable to the list of its parents."""
    n = len(next(iter(columns.values())))
    return -n * sum(
        _conditional_entropy(columns[v], [columns[p] for p in parents[v]]) for v in parents
    )


def n_parameters(columns, parents):
    size = {v: len(set(column)) for v, column in columns.items()}
    return sum((size[v] - 1) * prod(size[p] for p in parents[v]) for v in parents)


def _tree(columns, features, subset, given):
    """Parents of the features in the maximum spanning tree of information given ``given``."""
    weights = [
        [information(columns[a], columns[b], *given) if a != b else 0.0 for b in features]
        for a in features
    ]
    rounded = [[round(w, 11) for w in row] for row in weights]
    edges = edges_of_maximum_tree(rounded, [f in subset for f in features])
    parents = {f: [] for f in features}
    left = {(features[a], features[b]) for a, b in edges}
    reached = set(subset[:1])
    while left:
        a, b = next(e for e in sorted(left) if (e[0] in reached) != (e[1] in reached))
        child, parent = (b, a) if a in reached else (a, b)
        parents[child] = [parent]
        reached.add(child)
        left.remove((a, b))
    return parents


def classifier(columns, features, subset, kind):
    """Parents in a classifier over the class "C" and ``subset``; others are isolated."""
    if kind == "complete":
        chain = ["C", *subset]
        inside = {f: chain[: chain.index(f)] for f in subset}
    elif kind == "tan":
        tree = _tree(columns, features, subset, [columns["C"]])
        inside = {f: ["C", *tree[f]] for f in subset}
    else:
        inside = {f: ["C"] for f in subset}
    return {"C": [], **{f: inside.get(f, []) for f in features}}


def auxiliary(columns, features, subset, kind):
    """Parents in an auxiliary network over the features alone."""
    if kind == "complete":
        return {f: subset[: subset.index(f)] if f in subset else [] for f in features}
    if kind == "empty":
        return {f: [] for f in features}
    return _tree(columns, features, subset, [columns["C"]] if kind == "tan" else [])


def call(columns, features, subset, kind, aux):
    mine = log_likelihood(columns, classifier(columns, features, subset, kind))
    return mine - log_likelihood(columns, auxiliary(columns, features, subset, aux))


def mdl_fs(columns, features, subset, kind, aux):
    """The score of Drugan and Wiering (2010), definition 4: smaller is better."""
    n = len(columns["C"])
    size = n_parameters(columns, classifier(columns, features, subset, kind))
    return log2(n) / 2 * size - call(columns, features, subset, kind, aux)


def mdl(columns, features, subset, kind):
    network = classifier(columns, features, subset, kind)
    n = len(columns["C"])
    return log2(n) / 2 * n_parameters(columns, network) - log_likelihood(columns, network)
