"""The tree kernels against the most obvious recursion, and against published values."""

import numpy as np
import pytest

from fewest.classifiers.c45 import C45
from fewest.classifiers.id3 import ID3
from fewest.kernels.tree_judge import sort_keys
from fewest.kernels.tree_split import added_errors, best_cut, best_whole_cut
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
    tree = C45(confidence=0.4).fit(X, y, nominal=[0, 1]).tree_
    assert_same(tree, 0, naive.c45(X, y, [True, True, False, False], 0.4))


def test_whole_and_weighted_cuts_agree():
    rng = np.random.default_rng(0)
    for n in (2, 5, 40, 200):
        codes = rng.integers(-1, 150, n).astype(np.int32)
        target = rng.integers(0, 3, n).astype(np.int32)
        whole = np.arange(n + 1, dtype=float)
        whole[1:] *= np.log2(whole[1:])
        words, tallies = np.zeros(3, np.uint64), np.zeros((150, 3), np.int32)
        sides, counts = np.zeros((2, 3), np.int64), np.zeros((2, 3))
        before, after, eligible, known = best_whole_cut(
            codes, np.arange(n, dtype=np.int32), 0, n, target, 1.0, words, tallies, sides,
            counts, np.round(whole * 2.0**32).astype(np.int64),
        )  # fmt: skip
        order = np.argsort(codes, kind="stable")[(codes < 0).sum() :]
        ranks, again = codes[order].astype(np.int64), np.zeros((2, 3))
        at, cuts = best_cut(ranks, target[order], np.ones(n), len(order), again, 1.0, whole)
        assert (known, eligible) == (len(order), cuts)
        if at >= 0:
            assert (before, after) == (ranks[at], ranks[at + 1])
            assert counts.tolist() == again.tolist()
        assert (words.any(), tallies.any()) == (False, False)


def test_sorting():
    rng = np.random.default_rng(0)
    for n in (0, 1, 2, 30, 400):
        keys = rng.integers(0, 10**12, n + 3)
        sorted_part = np.sort(keys[:n])
        sort_keys(keys, n)
        assert keys[:n].tolist() == sorted_part.tolist()


def test_expected_errors():
    # Quinlan (1993, p. 42): U25%(0, 6) = 0.206, U25%(0, 9) = 0.143, U25%(0, 1) = 0.750, and
    # U25%(1, 16) = 0.157 by the binomial; its normal approximation is a little higher.
    z = 0.6744897501960817
    for n, errors, limit in ((6, 0, 0.206), (9, 0, 0.143), (1, 0, 0.750)):
        assert added_errors(float(n), float(errors), 0.25, z) == pytest.approx(n * limit, abs=5e-3)
    assert (1 + added_errors(16.0, 1.0, 0.25, z)) / 16 == pytest.approx(0.157, abs=0.01)
