"""Trees over feature subsets as walks through the nodes of a store."""

from collections import namedtuple

import numpy as np
from numba import njit

from .inner import inner
from .tree_branches import n_branches, split_node
from .tree_judge import judge
from .tree_nodes import BLOCKS, NEVER, UNKNOWN
from .tree_split import SAME

#: A tree in preorder, so that a parent stands before its children. By node: the ``node`` of the
#: store, the ``feature`` it tests (-1 a leaf), the ``parent``'s place; ``expected`` errors and
#: ``errors`` seen of the subtree, whether the node is ``alive`` after pruning. ``stack``: room.
Walk = namedtuple("Walk", "node feature parent expected errors alive stack")

#: How far below the average gain a feature may be and still compete by its gain ratio
#: (C4.5, Release 8).
SLACK = 1e-3

NO_SPLIT, NO_ROOM = -1, -2


@inner
def choose(data, rules, store, node, subset, present, scratch):
    """The feature of the subset that splits a node best: NO_SPLIT if none, NO_ROOM if stuck.

    The largest gain ratio among those with at least average gain; equal ones by position.
    """
    this = store.nodes[node]
    if this.block == NEVER:
        return NO_SPLIT
    if this.block == UNKNOWN:
        if store.used[BLOCKS] >= store.splits.shape[0]:
            return NO_ROOM
        this.block = store.used[BLOCKS]
        store.used[BLOCKS] += 1
        for f in range(store.splits.shape[1]):
            store.splits[this.block, f].gain = np.nan
            store.splits[this.block, f].link = UNKNOWN
    splits = store.splits[this.block]
    total, allowed = 0.0, 0
    for j in range(subset.size):
        gain = splits[subset[j]].gain
        if np.isnan(gain):
            judge(data, rules, store, node, subset[j], present, scratch)
            gain = splits[subset[j]].gain
        if gain > 0.0:
            total += gain
            allowed += 1
    if allowed == 0:
        return NO_SPLIT
    floor = total / allowed - SLACK
    best, largest = NO_SPLIT, 0.0
    for j in range(subset.size):
        split = splits[subset[j]]
        if split.gain > 0.0 and split.gain >= floor and split.ratio > largest + SAME:
            best, largest = subset[j], split.ratio
    return best


@inner
def grow(data, rules, store, subset, present, scratch, walk):
    """Lay out the unpruned tree over a subset; its number of nodes, or NO_ROOM."""
    stack = walk.stack
    stack[0, 0], stack[0, 1] = 0, -1
    top, size = 1, 0
    while top > 0:
        top -= 1
        node, parent = stack[top, 0], stack[top, 1]
        feature = choose(data, rules, store, node, subset, present, scratch)
        if feature == NO_ROOM or size >= walk.node.size:
            return NO_ROOM
        walk.node[size], walk.feature[size], walk.parent[size] = node, feature, parent
        if feature >= 0:
            split = store.splits[store.nodes[node].block, feature]
            if split.link < 0 and not split_node(data, rules, store, node, feature, scratch):
                return NO_ROOM
            branches = n_branches(data, feature)
            if top + branches + 1 > stack.shape[0]:
                return NO_ROOM
            for b in range(branches, -1, -1):
                child = store.branches[split.link + b].child
                if child >= 0:
                    stack[top, 0], stack[top, 1] = child, size
                    top += 1
        size += 1
    return size


@inner
def prune(store, size, walk):
    """Replace subtrees by leaves, bottom up, where a leaf is not expected to err more.

    A subtree that errs as often on the training rows as a leaf would goes first; then one whose
    expected errors are within 0.1 of the leaf's (C4.5, Release 8).
    """
    for i in range(size):
        walk.expected[i], walk.errors[i] = 0.0, 0.0
    for i in range(size - 1, -1, -1):
        this = store.nodes[walk.node[i]]
        errors, expected = this.errors, this.expected
        if walk.feature[i] >= 0:
            if walk.errors[i] >= errors - 1e-3 or expected <= walk.expected[i] + 0.1:
                walk.feature[i] = NO_SPLIT
            else:
                errors, expected = walk.errors[i], walk.expected[i]
        if i > 0:
            walk.errors[walk.parent[i]] += errors
            walk.expected[walk.parent[i]] += expected


@inner
def mark_alive(size, walk):
    """Which nodes hang below no leaf."""
    walk.alive[0] = True
    for i in range(1, size):
        parent = walk.parent[i]
        walk.alive[i] = walk.alive[parent] and walk.feature[parent] >= 0


@inner
def measure_tree(store, size, walk):
    """Correct test rows, leaves and nodes of a tree; leaves without training rows not counted."""
    correct, leaves, nodes = 0, 0, 0
    for i in range(size):
        if walk.alive[i]:
            this = store.nodes[walk.node[i]]
            if this.n_train > 0:
                nodes += 1
                leaves += walk.feature[i] < 0
            if walk.feature[i] < 0:
                correct += this.correct
    return correct, leaves, nodes


@inner
def vote(data, store, size, walk, votes, seat):
    """Correct test rows where a row goes down several branches: the largest sum of shares."""
    for i in range(votes.shape[0]):
        for c in range(votes.shape[1]):
            votes[i, c] = 0.0
    for i in range(size):
        if walk.alive[i] and walk.feature[i] < 0:
            node = walk.node[i]
            this = store.nodes[node]
            start = this.start + this.n_train
            for j in range(start, start + this.n_test):
                row = votes[seat[store.rows[j]]]
                for c in range(row.size):
                    row[c] += store.weights[j] * (store.counts[node, c] / this.total)
    correct = 0
    root = store.nodes[0]
    for i in range(root.n_train, root.n_train + root.n_test):
        row = store.rows[i]
        correct += np.argmax(votes[seat[row]]) == data.target[row]
    return correct


@njit(cache=True, nogil=True)
def walk_tree(data, rules, store, subset, present, scratch, walk):
    """The tree over a subset, pruned if the rules say so; its number of nodes, or NO_ROOM."""
    size = grow(data, rules, store, subset, present, scratch, walk)
    if size > 0:
        if rules.confidence > 0.0:
            prune(store, size, walk)
        mark_alive(size, walk)
    return size


@njit(cache=True, nogil=True)
def score_subsets(data, rules, store, subsets, begin, present, scratch, walk, votes, seat, out):
    """Correct test rows, leaves and nodes of the tree over each subset, from ``begin`` on.

    Returns the first subset that did not fit into the arrays; ``len(subsets)`` when done.
    """
    for m in range(begin, subsets.shape[0]):
        subset = np.flatnonzero(subsets[m])
        size = walk_tree(data, rules, store, subset, present, scratch, walk)
        if size < 0:
            return m
        correct, leaves, nodes = measure_tree(store, size, walk)
        if rules.fractional and store.weights.size > 0:
            correct = vote(data, store, size, walk, votes, seat)
        out[m, 0], out[m, 1], out[m, 2] = correct, leaves, nodes
    return subsets.shape[0]
