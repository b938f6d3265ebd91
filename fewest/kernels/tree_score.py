"""Test rows through the trees over many subsets."""

from collections import namedtuple

import numpy as np
from numba import njit

from .inner import inner
from .tree_branches import NO_ROOM, branch_of, n_branches
from .tree_walk import walk_tree

#: The test rows on their way down: ``rows`` and their ``weights`` (empty: all whole), the first of
#: them all test rows; where those of a place of the tree ``start`` and how many (``n``); sizes by
#: branch; ``seat`` of a row in ``votes`` (test rows, classes).
Bench = namedtuple("Bench", "rows weights start n sizes seat votes")


@inner
def seat_row(rows, weights, sizes, row, weight, branch, write):
    """Count a test row into a branch, or write it there."""
    at = sizes[branch]
    sizes[branch] = at + 1
    if write:
        rows[at] = row
        if weights.size > 0:
            weights[at] = weight


@inner
def answer(votes, counts, total, major, label, weight, shared):
    """Let a node answer for a test row: 1 where its class is right, or its votes for later."""
    if not shared:
        return 1 if label == major else 0
    for c in range(votes.size):
        votes[c] += weight * (counts[c] / total)
    return 0


@inner
def send_rows(data, rules, store, walk, i, bench, write):
    """Count the test rows at an inner place by branch, or write them; answer for the strays.

    An unknown value goes down every branch with its share, or the largest; a row whose value no
    training row of the node has is answered by the node.
    """
    feature, link, this = walk.feature[i], store.links[walk.link[i]], store.nodes[walk.node[i]]
    rows, weights, sizes, branches = bench.rows, bench.weights, bench.sizes, store.branches
    codes, seen, target, shared = data.codes[feature], store.seen, data.target, weights.size > 0
    nominal, offset, counts = data.levels[feature] > 0, data.first[feature], store.counts
    correct = 0
    for j in range(bench.start[i], bench.start[i] + bench.n[i]):
        row = rows[j]
        weight = weights[j] if shared else 1.0
        branch = branch_of(codes[row], nominal, seen, offset, link.rank)
        if branch < 0 and rules.fractional:
            for b in range(n_branches(data, feature)):
                share = branches[link.first + b].share
                if share > 0.0:
                    seat_row(rows, weights, sizes, row, weight * share, b, write)
            continue
        branch = link.largest if branch < 0 else branch
        if branches[link.first + branch].child >= 0:
            seat_row(rows, weights, sizes, row, weight, branch, write)
        elif write:
            correct += answer(
                bench.votes[bench.seat[row]], counts[walk.node[i]], this.total, this.major,
                target[row], weight, shared,
            )  # fmt: skip
    return correct


@inner
def answer_rows(data, store, node, start, n, bench):
    """Let a leaf answer for its test rows; how many it gets right."""
    this, target, rows, weights = store.nodes[node], data.target, bench.rows, bench.weights
    correct = 0
    if weights.size == 0:
        for j in range(start, start + n):
            correct += target[rows[j]] == this.major
        return correct
    for j in range(start, start + n):
        votes = bench.votes[bench.seat[rows[j]]]
        answer(votes, store.counts[node], this.total, this.major, 0, weights[j], True)
    return 0


@inner
def seat_children(data, rules, store, walk, i, bench, free):
    """Send the test rows of an inner place to its children.

    Returns the correct ones among the strays, and where the bench is free now, or NO_ROOM.
    """
    n = n_branches(data, walk.feature[i])
    for b in range(n):
        bench.sizes[b] = 0
    send_rows(data, rules, store, walk, i, bench, False)
    for b in range(n):
        size = bench.sizes[b]
        bench.sizes[b] = free
        free += size
    if free > bench.rows.size:
        return 0, NO_ROOM
    child = walk.below[i]
    while child >= 0:
        bench.start[child] = bench.sizes[walk.branch[child]]
        child = walk.beside[child]
    correct = send_rows(data, rules, store, walk, i, bench, True)
    child = walk.below[i]
    while child >= 0:
        bench.n[child] = bench.sizes[walk.branch[child]] - bench.start[child]
        child = walk.beside[child]
    return correct, free


@inner
def test_tree(data, rules, store, size, walk, bench):
    """How many test rows a tree gets right, or NO_ROOM."""
    n_test = bench.votes.shape[0]
    if size > bench.start.size:
        return NO_ROOM
    bench.start[0], bench.n[0] = 0, n_test
    correct, free = 0, n_test
    for i in range(size):
        if not walk.alive[i] or bench.n[i] == 0:
            if walk.feature[i] >= 0:  # its children get no rows either
                child = walk.below[i]
                while child >= 0:
                    bench.n[child] = 0
                    child = walk.beside[child]
        elif walk.feature[i] >= 0:
            strays, free = seat_children(data, rules, store, walk, i, bench, free)
            if free == NO_ROOM:
                return NO_ROOM
            correct += strays
        else:
            correct += answer_rows(data, store, walk.node[i], bench.start[i], bench.n[i], bench)
    return correct


@inner
def count_votes(data, bench):
    """How many test rows have the most votes for their class; empties the votes."""
    correct = 0
    for i in range(bench.votes.shape[0]):
        best = 0
        for c in range(bench.votes.shape[1]):
            if bench.votes[i, c] > bench.votes[i, best]:
                best = c
        correct += best == data.target[bench.rows[i]]
        for c in range(bench.votes.shape[1]):
            bench.votes[i, c] = 0.0
    return correct


@njit(cache=True, nogil=True)
def score_subsets(data, rules, store, subsets, begin, present, scratch, walk, bench, out):
    """Correct test rows, leaves and nodes of the tree over each subset, from ``begin`` on.

    Returns the first subset that did not fit into the arrays; ``len(subsets)`` when done.
    """
    for m in range(begin, subsets.shape[0]):
        subset = np.flatnonzero(subsets[m])
        size = walk_tree(data, rules, store, subset, present, scratch, walk)
        if size < 0:
            return m
        correct = test_tree(data, rules, store, size, walk, bench)
        if bench.weights.size > 0:
            voted = count_votes(data, bench)
            correct = voted if correct >= 0 else correct
        if correct < 0:
            return m
        out[m, 0] = correct
        out[m, 1], out[m, 2] = 0, 0
        for i in range(size):
            out[m, 1] += walk.alive[i] and walk.feature[i] < 0
            out[m, 2] += walk.alive[i]
    return subsets.shape[0]
