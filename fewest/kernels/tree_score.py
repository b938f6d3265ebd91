"""Test rows through the trees over many subsets."""

from collections import namedtuple

import numpy as np
from numba import njit

from .inner import inner
from .tree_branches import branch_of, n_branches
from .tree_walk import finish, grow

#: The test ``rows``; their votes by class, and room for those on their way down (places and their
#: ``weights``; empty where every row goes one way).
Bench = namedtuple("Bench", "rows votes places weights")


@inner
def count_correct(codes, levels, first, seen, target, nodes, walk, rows):
    """How many test rows reach a leaf of their class, each going one way.

    An unknown value goes down the largest branch; a row whose value no training row of the node
    has is answered by the node.
    """
    feature, kids, start, rank = walk.feature, walk.kids, walk.first, walk.rank
    correct = 0
    for i in range(rows.size):
        row, place, below = rows[i], 0, 0
        while below >= 0:
            place = below
            f = feature[place]
            if f < 0:
                break
            branch = branch_of(codes[f, row], levels[f] > 0, seen, first[f], rank[place])
            branch = walk.largest[place] if branch < 0 else branch
            below = kids[start[place] + branch]
        correct += target[row] == nodes[walk.node[place]].major
    return correct


@inner
def cast_votes(data, store, walk, row, votes, places, weights):
    """Add up the class shares of the leaves that the parts of a test row reach.

    A row with an unknown value goes down every branch with its share.
    """
    top = 1
    places[0], weights[0] = 0, 1.0
    while top > 0:
        top -= 1
        place, weight, f = places[top], weights[top], walk.feature[places[top]]
        if f >= 0:
            kids, n = walk.first[place], n_branches(data.levels, f)
            branch = branch_of(
                data.codes[f, row], data.levels[f] > 0, store.seen, data.first[f], walk.rank[place]
            )
            if branch < 0:
                shares = store.links[walk.link[place]].first
                # The last branch first: leaves are then met in the order of the tree.
                for b in range(n - 1, -1, -1):
                    if walk.kids[kids + b] >= 0:
                        places[top] = walk.kids[kids + b]
                        weights[top] = weight * store.branches[shares + b].share
                        top += 1
                continue
            if walk.kids[kids + branch] >= 0:
                places[top], weights[top] = walk.kids[kids + branch], weight
                top += 1
                continue
        node = walk.node[place]
        for c in range(votes.size):
            votes[c] += weight * (store.counts[node, c] / store.nodes[node].total)


@inner
def count_voted(data, store, walk, bench):
    """How many test rows have the most votes for their class."""
    correct, votes = 0, bench.votes
    for i in range(bench.rows.size):
        best = 0
        for c in range(votes.size):
            votes[c] = 0.0
        cast_votes(data, store, walk, bench.rows[i], votes, bench.places, bench.weights)
        for c in range(votes.size):
            if votes[c] > votes[best]:
                best = c
        correct += best == data.target[bench.rows[i]]
    return correct


@njit(cache=True, nogil=True)
def score_subsets(data, rules, store, subsets, begin, present, scratch, walk, bench, out):
    """Correct test rows, leaves, nodes and size before pruning of the tree over each subset.

    Starts with subset ``begin``; returns the first one that did not fit into the arrays, or
    ``len(subsets)`` when done. The last tree stays in ``walk``.
    """
    for m in range(begin, subsets.shape[0]):
        subset = np.flatnonzero(subsets[m])
        size = grow(data, rules, store, subset, present, scratch, walk)
        if size < 0:
            return m
        finish(store.nodes, rules.confidence, size, walk)
        if bench.weights.size > 0:
            out[m, 0] = count_voted(data, store, walk, bench)
        else:
            out[m, 0] = count_correct(
                data.codes, data.levels, data.first, store.seen, data.target, store.nodes, walk,
                bench.rows,
            )  # fmt: skip
        out[m, 1], out[m, 2], out[m, 3] = 0, 0, size
        for i in range(size):
            out[m, 1] += walk.alive[i] and walk.feature[i] < 0
            out[m, 2] += walk.alive[i]
    return subsets.shape[0]
