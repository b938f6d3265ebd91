"""The trees of two subsets in one forest: counted and pruned, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.trees import forest
from fewest._kernels.trees.tree_scores import LEAF, Tree, settle


def node(counts, correct, share, expected=0.0):
    """Class weights of a node, and how many test rows are of its largest class."""
    line = np.zeros(forest.COUNTS + 2)
    line[forest.TOTAL], line[forest.ERRORS] = sum(counts), min(counts)
    line[forest.EXPECTED], line[forest.SHARE] = expected, share
    line[forest.MAJOR], line[forest.CORRECT] = np.argmax(counts), correct
    line[forest.COUNTS :] = counts
    return line


def settled(nodes, confidence, rows=()):
    """Two subsets: the first splits the root by a nominal feature, the second by nothing."""
    links = np.zeros((1, 9), np.int64)
    links[0, [forest.FIRST, forest.KIDS]] = 1, 2
    log = np.array([[0, -1]])
    items = np.zeros((5, 3), np.int64)
    items[forest.LAST, :2] = 0, -1
    features = np.zeros((1, 12), np.int64)
    features[0, forest.LEVELS] = 2
    codes, classes = np.array([[0, 1, -1]], np.int32), np.array([0, 1, 1], np.uint32)
    tree = Tree(
        np.zeros(1, np.int64), np.full(3, LEAF), np.zeros(3), np.zeros(3),
        np.array(rows, np.int64), np.zeros(4, np.int64), np.zeros(4), np.zeros(2),
    )  # fmt: skip
    out = np.zeros((2, 3))
    seen = np.array([True, True])
    settle(codes, classes, features, seen, confidence, nodes, links, log, items, tree, out)
    return out.tolist()


def test_correct_rows_leaves_and_nodes():
    nodes = np.array([node((6, 4), 1, 1.0), node((6, 0), 1, 0.6), node((0, 4), 2, 0.4)])
    assert settled(nodes, 0.0) == [[3.0, 2.0, 3.0], [1.0, 1.0, 1.0]]


@pytest.mark.parametrize(("expected", "pruned"), [(2.0, True), (5.0, False)])
def test_a_subtree_goes_where_a_leaf_is_not_expected_to_err_more(expected, pruned):
    nodes = np.array(
        [node((6, 4), 1, 1.0, expected), node((5, 1), 1, 0.6, 1.5), node((1, 3), 2, 0.4, 1.5)]
    )
    first, second = settled(nodes, 0.25)
    assert first == (second if pruned else [3.0, 2.0, 3.0])


@pytest.mark.parametrize(("share", "correct"), [(0.6, 3.0), (0.9, 2.0)])
def test_rows_with_an_unknown_value_vote_by_shares(share, correct):
    nodes = np.array([node((6, 4), 1, 1.0), node((4, 2), 1, share), node((0, 4), 2, 1 - share)])
    # Rows 0 and 1 are right; row 2, of class 1, has share / 3 + 1 - share of the votes for it:
    # 0.6 or 0.4.
    first, second = settled(nodes, 0.0, rows=(0, 1, 2))
    assert first[0] == correct
    # At the root alone class 0 has most votes.
    assert second[0] == 1.0
