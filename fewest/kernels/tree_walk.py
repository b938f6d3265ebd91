"""Trees over feature subsets as walks through the nodes of a store."""

from collections import namedtuple

import numpy as np

from .inner import inner
from .tree_branches import NO_ROOM, known_link, n_branches, split_node
from .tree_judge import judge_missing
from .tree_nodes import BLOCKS, NEVER, UNKNOWN
from .tree_split import SAME

#: A tree in preorder, so that a parent stands before its children. By place: the ``node`` of the
#: store, the ``feature`` it tests (-1 a leaf), the ``link`` to its branches, the place of its
#: ``parent`` and which ``branch`` of it this is, where its ``kids`` (the places of its children by
#: branch, -1 for none) stand (``first``), the ``rank`` of its cut and its ``largest`` branch;
#: ``expected`` errors and ``errors`` seen of the subtree; whether it is ``alive`` after pruning.
#: ``stack``: room.
Walk = namedtuple(
    "Walk",
    "node feature link parent branch first rank largest kids expected errors alive stack",
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
def any_missing(splits, subset):
    """Whether a feature of the subset is not yet judged."""
    for j in range(subset.size):
        if np.isnan(splits[subset[j], 0]):
            return True
    return False


@inner
def choose(splits, subset):
    """The feature of the subset that splits a node best, NO_SPLIT if none.

    The largest gain ratio among those with at least average gain; equal ones by position.
    """
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
def enter_children(walk, place, top, n, links, branches, n_kids):
    """Push the children of the node at a place, the last first; the new top of the stack."""
    link, stack = links[walk.link[place]], walk.stack
    walk.rank[place], walk.largest[place] = link.rank, link.largest
    walk.first[place] = n_kids
    for b in range(n - 1, -1, -1):
        walk.kids[n_kids + b] = -1
        child = branches[link.first + b].child
        if child >= 0:
            stack[top, 0], stack[top, 1], stack[top, 2] = child, place, b
            top += 1
    return top


@inner
def grow(data, rules, store, subset, present, scratch, walk):
    """Lay out the unpruned tree over a subset; its number of nodes, or NO_ROOM."""
    nodes, links, stack = store.nodes, store.links, walk.stack
    stack[0, 0], stack[0, 1], stack[0, 2] = 0, -1, 0
    top, size, n_kids = 1, 0, 0
    while top > 0:
        top -= 1
        node, parent, feature = stack[top, 0], stack[top, 1], NO_SPLIT
        if size >= walk.node.size:
            return NO_ROOM
        if nodes[node].block != NEVER:
            if nodes[node].block == UNKNOWN and not open_block(store, node):
                return NO_ROOM
            splits = store.splits[nodes[node].block]
            if any_missing(splits, subset):
                judge_missing(data, rules, store, node, subset, present, scratch)
            feature = choose(splits, subset)
        walk.node[size], walk.parent[size], walk.feature[size] = node, parent, feature
        walk.branch[size] = stack[top, 2]
        if parent >= 0:
            walk.kids[walk.first[parent] + stack[top, 2]] = size
        if feature >= 0:
            n = n_branches(data.levels, feature)
            at = known_link(links, nodes[node].link, feature)
            if at == UNKNOWN:
                at = split_node(data, rules, store, node, feature, present, scratch)
            if at == NO_ROOM or max(top, n_kids) + n > stack.shape[0]:
                return NO_ROOM
            walk.link[size] = at
            top = enter_children(walk, size, top, n, links, store.branches, n_kids)
            n_kids += n
        size += 1
    return size


@inner
def prune(nodes, size, walk):
    """Replace subtrees by leaves, bottom up, where a leaf is not expected to err more.

    A subtree that errs as often on the training rows as a leaf would goes first; then one whose
    expected errors are within 0.1 of the leaf's (C4.5, Release 8).
    """
    for i in range(size):
        walk.expected[i], walk.errors[i] = 0.0, 0.0
    for i in range(size - 1, -1, -1):
        this = nodes[walk.node[i]]
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
def finish(nodes, confidence, size, walk):
    """Prune the tree if a confidence says so, and mark what is alive."""
    if confidence > 0.0:
        prune(nodes, size, walk)
    for i in range(size):
        parent = walk.parent[i]
        walk.alive[i] = i == 0 or (walk.alive[parent] and walk.feature[parent] >= 0)
