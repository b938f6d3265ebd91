"""The tree kernels against the most obvious recursion."""

import numpy as np
import pytest

from fewest.classifiers._trees.tree import C45, ID3
from tests.naive import trees as naive


def table(seed, rows=60, unknown=0.1):
    """Two nominal and two continuous columns, one of them with ties, and three classes."""
    rng = np.random.default_rng(seed)
    X = np.column_stack(
        [
            rng.integers(0, 3, rows),
            rng.integers(0, 2, rows),
            rng.integers(0, 8, rows) / 2,
            rng.random(rows),
        ]
    ).astype(float)
    y = ((X[:, 0] == 1) + (X[:, 3] > 0.5) + (rng.random(rows) < 0.15)).astype(int) % 3
    X[rng.random(X.shape) < unknown] = np.nan
    return X, y


def assert_same(tree, place, node):
    weights, feature, cut, branches = node
    counts = tree.counts[place]
    assert {c: w for c, w in enumerate(counts) if w > 0} == pytest.approx(weights)
    assert tree.feature[place] == (-1 if feature is None else feature)
    children = [c for c in tree.children[tree.first[place] : tree.first[place + 1]] if c >= 0]
    assert len(children) == len(branches)
    if cut is not None:
        assert tree.cut[place] == cut
    for child, branch in zip(children, branches.values(), strict=True):
        assert_same(tree, child, branch)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("unknown", [0.0, 0.15])
def test_id3_is_the_naive_tree(seed, unknown):
    X, y = table(seed, unknown=unknown)
    tree = ID3(significance=0.4).fit(X, y, nominal=[0, 1]).tree_
    assert tree.n_nodes > 3
    assert_same(tree, 0, naive.id3(X, y, [True, True, False, False], 0.4))


@pytest.mark.parametrize("unknown", [0.0, 0.01])
def test_id3_of_many_rows_is_the_naive_tree(unknown):
    # More rows than a byte can count, and more than a word has bits.
    X, y = table(0, rows=300, unknown=unknown)
    tree = ID3(significance=0.1).fit(X, y, nominal=[0, 1]).tree_
    assert tree.n_nodes > 3
    assert_same(tree, 0, naive.id3(X, y, [True, True, False, False], 0.1))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("unknown", [0.0, 0.15])
def test_c45_is_the_naive_tree(seed, unknown):
    X, y = table(seed, unknown=unknown)
    tree = C45(confidence=0.4, raising=False).fit(X, y, nominal=[0, 1]).tree_
    assert_same(tree, 0, naive.c45(X, y, [True, True, False, False], 0.4))


@pytest.mark.parametrize("unknown", [0.0, 0.15])
def test_unpruned_c45_is_the_naive_tree(unknown):
    X, y = table(3, unknown=unknown)
    tree = C45(pruning=False).fit(X, y, nominal=[0, 1]).tree_
    assert_same(tree, 0, naive.c45(X, y, [True, True, False, False], pruning=False))


@pytest.mark.parametrize("unknown", [0.0, 0.15])
def test_no_cut_lies_between_values_that_are_too_close(unknown):
    X, y = table(0, rows=90, unknown=unknown)
    X[:, 3] = (X[:, 3] * 80).round() * 0.6e-5
    kinds = [True, True, False, False]
    tree = C45(raising=False).fit(X, y, nominal=[0, 1]).tree_
    assert_same(tree, 0, naive.c45(X, y, kinds))
    fine = C45(raising=False, min_gap=0.0).fit(X, y, nominal=[0, 1]).tree_
    assert fine.cut.tolist() != tree.cut.tolist()


def test_sums_of_parts_of_rows_reach_the_minimum():
    # A cut leaves rows of weight exactly 2, which subtraction of the others falls short of.
    X, y = table(18, rows=90, unknown=0.15)
    tree = C45(raising=False).fit(X, y, nominal=[0, 1]).tree_
    assert_same(tree, 0, naive.c45(X, y, [True, True, False, False]))


@pytest.mark.parametrize(
    ("seed", "unknown", "raised"),
    [(4, 0.0, True), (24, 0.0, True), (20, 0.15, True), (5, 0.15, False)],
)
def test_raised_branches_are_those_of_the_naive_tree(seed, unknown, raised):
    X, y = table(seed, rows=120, unknown=unknown)
    tree = C45().fit(X, y, nominal=[0, 1]).tree_
    assert_same(tree, 0, naive.c45(X, y, [True, True, False, False], raising=True))
    replaced = C45(raising=False).fit(X, y, nominal=[0, 1]).tree_
    assert (tree.feature.tolist() != replaced.feature.tolist()) == raised
