"""The trees of single subsets in a forest: pruned, counted, and asked about rows."""

from collections import namedtuple

import numpy as np
from numba import njit

from ..inner import inner
from .forest import (
    BY,
    CORRECT,
    COUNTS,
    ERRORS,
    EXPECTED,
    FIRST,
    FROM,
    KIDS,
    LAST,
    LEVELS,
    OFFSET,
    RANK,
    SHARE,
    STAY,
    TOTAL,
)
from .part import ALL, branch_of

#: No split here.
LEAF = -1

#: What makes a leaf of a subtree: nothing, its errors on the training rows, or the expected ones.
UNPRUNED, BY_ERRORS, BY_EXPECTATION = range(3)

#: The tree of one subset: its ``path`` of links, parents first; the link of each node (``at``,
#: LEAF for none); ``errors`` and ``expected`` errors of the subtrees. And test ``rows`` that go
#: down several branches, with room for their way and their votes by class (empty: none).
Tree = namedtuple("Tree", "path at errors expected rows places weights votes")


@inner
def read_links(links, log, last, path, at):
    """List the links of a subset, parents first, and enter them at their nodes; how many."""
    n, entry = 0, last
    while entry >= 0:
        n, entry = n + 1, log[entry, 1]
    entry = last
    for k in range(n - 1, -1, -1):
        path[k] = log[entry, 0]
        at[links[path[k], FROM]] = path[k]
        entry = log[entry, 1]
    return n


@inner
def prune(nodes, links, n, tree, by_errors):
    """Replace subtrees by leaves, bottom up, where a leaf is not expected to err more.

    A subtree that errs as often on the training rows as a leaf would goes first; then, unless
    ``by_errors`` alone, one whose expected errors are within 0.1 of the leaf's (C4.5, Release 8).
    """
    for k in range(n - 1, -1, -1):
        link = tree.path[k]
        node, first, errors, expected = links[link, FROM], links[link, FIRST], 0.0, 0.0
        for child in range(first, first + links[link, KIDS]):
            if nodes[child, TOTAL] > 0.0:
                split = tree.at[child] != LEAF
                errors += tree.errors[child] if split else nodes[child, ERRORS]
                expected += tree.expected[child] if split else nodes[child, EXPECTED]
        tree.errors[node], tree.expected[node] = errors, expected
        leaf = nodes[node, ERRORS], nodes[node, EXPECTED]
        if errors >= leaf[0] - 1e-3 or not by_errors and leaf[1] <= expected + 0.1:
            tree.at[node] = LEAF


@inner
def measure(nodes, links, n, tree, out, item):
    """Correct test rows, leaves and nodes of what is left of the tree."""
    correct, leaves, size = nodes[0, CORRECT], 1, 1
    for k in range(n):
        link = tree.path[k]
        node, first, split = (
            links[link, FROM],
            links[link, FIRST],
            tree.at[links[link, FROM]] != LEAF,
        )
        if split:
            correct += links[link, STAY] - nodes[node, CORRECT]
            leaves -= 1
        for child in range(first, first + links[link, KIDS]):
            if not split:
                # Nothing stands below a leaf; children come after their parents.
                tree.at[child] = LEAF
            elif nodes[child, TOTAL] > 0.0:
                correct += nodes[child, CORRECT]
                leaves += 1
                size += 1
    out[item, 0], out[item, 1], out[item, 2] = correct, leaves, size


@inner
def cast_votes(codes, features, seen, nodes, links, tree, row):
    """Add up the class shares of the leaves that the parts of a test row reach.

    A row with an unknown value goes down every branch with its share.
    """
    places, weights, votes = tree.places, tree.weights, tree.votes
    top = 1
    places[0], weights[0] = 0, 1.0
    while top > 0:
        top -= 1
        node, weight, before = places[top], weights[top], top
        link = tree.at[node]
        if link != LEAF:
            f, first, n = links[link, BY], links[link, FIRST], links[link, KIDS]
            branch = branch_of(
                codes, f, row, features[f, LEVELS], features[f, OFFSET], seen, links[link, RANK]
            )
            # The last branch first: leaves are then met in the order of the tree.
            for b in range(n - 1, -1, -1):
                if (branch == b or branch == ALL) and nodes[first + b, TOTAL] > 0.0:
                    places[top] = first + b
                    weights[top] = weight * nodes[first + b, SHARE] if branch == ALL else weight
                    top += 1
        if top == before:
            for c in range(votes.size):
                votes[c] += weight * (nodes[node, COUNTS + c] / nodes[node, TOTAL])


@inner
def count_voted(codes, classes, features, seen, nodes, links, tree):
    """Return how many test rows have the most votes for their class."""
    correct, votes = 0, tree.votes
    for i in range(tree.rows.size):
        row = tree.rows[i]
        for c in range(votes.size):
            votes[c] = 0.0
        cast_votes(codes, features, seen, nodes, links, tree, row)
        best = 0
        for c in range(votes.size):
            if votes[c] > votes[best]:
                best = c
        correct += best == classes[row]
    return correct


@njit(cache=True, nogil=True)
def settle(codes, classes, features, seen, pruning, nodes, links, log, items, tree, out):
    """Correct test rows, leaves and nodes of the tree of each subset: ``out`` (subsets, 3).

    ``pruning`` is one of UNPRUNED, BY_ERRORS and BY_EXPECTATION. The last tree stays in ``tree``.
    """
    path, at, n = tree.path, tree.at, 0
    for item in range(out.shape[0]):
        for k in range(n):
            at[links[path[k], FROM]] = LEAF
        n = read_links(links, log, items[LAST, item], path, at)
        if pruning != UNPRUNED:
            prune(nodes, links, n, tree, pruning == BY_ERRORS)
        measure(nodes, links, n, tree, out, item)
        if tree.rows.size > 0:
            out[item, 0] = count_voted(codes, classes, features, seen, nodes, links, tree)


@inner
def pick_branch(value, cut, nominal):
    """Return the branch of a value, -1 where it is unknown."""
    if np.isnan(value):
        return -1
    if nominal:
        return int(value)
    return 0 if value <= cut else 1


@njit(cache=True, nogil=True)
def send_down(values, nominal, feature, cut, first, children, shares, largest, chances, split):
    """Class probabilities of rows: those of the leaves they reach, by the share that gets there.

    values (rows, features): NaN where unknown.
    nominal (features,)
    feature, cut, first, largest (nodes,): what a node tests (-1 a leaf), where its branches start
        in ``children`` and ``shares``, and which of them is the largest.
    chances (nodes, classes)
    split: whether an unknown value goes down every branch, or the largest only.
    """
    out = np.zeros((values.shape[0], chances.shape[1]))
    stack = np.empty(children.size + 1, dtype=np.int64)
    weight = np.empty(children.size + 1)
    for i in range(values.shape[0]):
        stack[0], weight[0], top = 0, 1.0, 1
        while top > 0:
            top -= 1
            node, w = stack[top], weight[top]
            f = feature[node]
            branch = -1 if f < 0 else pick_branch(values[i, f], cut[node], nominal[f])
            if f >= 0 and branch < 0 and split:
                # The last branch first: leaves are then met in the order of the tree.
                for at in range(first[node + 1] - 1, first[node] - 1, -1):
                    if children[at] >= 0:
                        stack[top], weight[top] = children[at], w * shares[at]
                        top += 1
                continue
            if f >= 0:
                child = children[first[node] + (largest[node] if branch < 0 else branch)]
                if child >= 0:
                    stack[top], weight[top] = child, w
                    top += 1
                    continue
            out[i] += w * chances[node]
    return out
