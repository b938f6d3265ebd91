"""Trees over feature subsets as walks through the nodes of a store."""

from collections import namedtuple

import numpy as np
from numba import njit

from .inner import inner
from .tree_branches import NO_ROOM, find_link, n_branches
from .tree_judge import judge_missing
from .tree_nodes import BLOCKS, NEVER, UNKNOWN
from .tree_split import SAME

#: A tree in preorder, so that a parent stands before its children. By place: the ``node`` of the
#: store, the ``feature`` it tests (-1 a leaf), the ``link`` to its branches, the place of its
#: ``parent`` and which ``branch`` of it this is, its first child (``below``) and next sibling
#: (``beside``); ``expected`` errors and ``errors`` seen of the subtree; whether it is ``alive``
#: after pruning. ``stack``: room.
Walk = namedtuple(
    "Walk", "node feature link parent branch below beside expected errors alive stack"
)

#: How far below the average gain a feature may be and still compete by its gain ratio
#: (C4.5, Release 8).
SLACK = 1e-3

NO_SPLIT = -1


@inner
def open_block(store, node):
    """Give a node room for its split statistics; whether there was any."""
    block = store.used[BLOCKS]
    if block >= store.splits.shape[0]:
        return False
    store.used[BLOCKS] += 1
    store.nodes[node].block = block
    for f in range(store.splits.shape[1]):
        store.splits[block, f, 0] = np.nan
    return True


@inner
def choose(data, rules, store, node, subset, present, scratch):
    """The feature of the subset that splits a node best: NO_SPLIT if none, NO_ROOM if stuck.

    The largest gain ratio among those with at least average gain; equal ones by position.
    """
    if store.nodes[node].block == NEVER:
        return NO_SPLIT
    if store.nodes[node].block == UNKNOWN and not open_block(store, node):
        return NO_ROOM
    splits = store.splits[store.nodes[node].block]
    for j in range(subset.size):
        if np.isnan(splits[subset[j], 0]):
            judge_missing(data, rules, store, node, subset, present, scratch)
            break
    total, allowed = 0.0, 0
    for j in range(subset.size):
        gain = splits[subset[j], 0]
        if gain > 0.0:
            total += gain
            allowed += 1
    if allowed == 0:
        return NO_SPLIT
    floor = total / allowed - SLACK
    best, largest = NO_SPLIT, 0.0
    for j in range(subset.size):
        gain, ratio = splits[subset[j], 0], splits[subset[j], 1]
        if gain > 0.0 and gain >= floor and ratio > largest + SAME:
            best, largest = subset[j], ratio
    return best


@inner
def enter(walk, size, top, feature):
    """Enter the node on top of the stack into the tree, before its elder siblings."""
    parent = walk.stack[top, 1]
    walk.node[size], walk.parent[size] = walk.stack[top, 0], parent
    walk.branch[size], walk.feature[size] = walk.stack[top, 2], feature
    walk.below[size], walk.beside[size] = -1, -1
    if parent >= 0:
        walk.beside[size] = walk.below[parent]
        walk.below[parent] = size


@inner
def grow(data, rules, store, subset, present, scratch, walk):
    """Lay out the unpruned tree over a subset; its number of nodes, or NO_ROOM."""
    stack = walk.stack
    stack[0, 0], stack[0, 1], stack[0, 2] = 0, -1, 0
    top, size = 1, 0
    while top > 0:
        top -= 1
        node = stack[top, 0]
        feature = choose(data, rules, store, node, subset, present, scratch)
        if feature == NO_ROOM or size >= walk.node.size:
            return NO_ROOM
        enter(walk, size, top, feature)
        if feature >= 0:
            at = find_link(data, rules, store, node, feature, present, scratch)
            branches = n_branches(data, feature)
            if at == NO_ROOM or top + branches > stack.shape[0]:
                return NO_ROOM
            walk.link[size] = at
            for b in range(branches - 1, -1, -1):
                child = store.branches[store.links[at].first + b].child
                if child >= 0:
                    stack[top, 0], stack[top, 1], stack[top, 2] = child, size, b
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


@njit(cache=True, nogil=True)
def walk_tree(data, rules, store, subset, present, scratch, walk):
    """The tree over a subset, pruned if the rules say so; its number of nodes, or NO_ROOM."""
    size = grow(data, rules, store, subset, present, scratch, walk)
    if size > 0 and rules.confidence > 0.0:
        prune(store, size, walk)
    for i in range(size):
        parent = walk.parent[i]
        walk.alive[i] = i == 0 or (walk.alive[parent] and walk.feature[parent] >= 0)
    return size
