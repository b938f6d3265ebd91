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
def seat_row(bench, row, weight, branch, write):
    """Count a test row into a branch, or write it there."""
    at = bench.sizes[branch]
    bench.sizes[branch] = at + 1
    if write:
        bench.rows[at] = row
        if bench.weights.size > 0:
            bench.weights[at] = weight


@inner
def answer(data, store, node, bench, row, weight):
    """Let a node answer for a test row: 1 where its class is right, or its votes for later."""
    this = store.nodes[node]
    if bench.weights.size == 0:
        return 1 if data.target[row] == this.major else 0
    votes = bench.votes[bench.seat[row]]
    for c in range(votes.size):
        votes[c] += weight * (store.counts[node, c] / this.total)
    return 0


@inner
def send_rows(data, rules, store, walk, i, bench, write):
    """Count the test rows at an inner place by branch, or write them; answer for the strays.

    An unknown value goes down every branch with its share, or the largest; a row whose value no
    training row of the node has is answered by the node.
    """
    feature, link = walk.feature[i], store.links[walk.link[i]]
    correct = 0
    for j in range(bench.start[i], bench.start[i] + bench.n[i]):
        row = bench.rows[j]
        weight = bench.weights[j] if bench.weights.size > 0 else 1.0
        branch = branch_of(data, store.seen, feature, row, link.rank)
        if branch < 0 and rules.fractional:
            for b in range(n_branches(data, feature)):
                share = store.branches[link.first + b].share
                if share > 0.0:
                    seat_row(bench, row, weight * share, b, write)
            continue
        branch = link.largest if branch < 0 else branch
        if store.branches[link.first + branch].child >= 0:
            seat_row(bench, row, weight, branch, write)
        elif write:
            correct += answer(data, store, walk.node[i], bench, row, weight)
    return correct


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
            for j in range(bench.start[i], bench.start[i] + bench.n[i]):
                weight = bench.weights[j] if bench.weights.size > 0 else 1.0
                correct += answer(data, store, walk.node[i], bench, bench.rows[j], weight)
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
