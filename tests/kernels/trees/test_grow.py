"""The tree kernels against the most obvious recursion, and against published values."""

import numpy as np
import pytest
from numba import njit

from fewest.classifiers.trees.c45 import C45
from fewest.classifiers.trees.id3 import ID3
from fewest.kernels.trees import part as tree_part
from fewest.kernels.trees import split as tree_split
from fewest.kernels.trees import whole as tree_whole
from fewest.kernels.trees.split import added_errors
from tests.naive import trees as naive


def opened(kernel):
    """A kernel that only kernels call, with a door to Python."""

    @njit
    def call(*given):
        return kernel(*given)

    return call


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


def test_sums_of_parts_of_rows_reach_the_minimum():
    # A cut leaves rows of weight exactly 2, which subtraction of the others falls short of.
    X, y = table(18, rows=90, unknown=0.15)
    tree = C45().fit(X, y, nominal=[0, 1]).tree_
    assert_same(tree, 0, naive.c45(X, y, [True, True, False, False]))


@pytest.mark.parametrize(
    ("seed", "unknown", "raised"),
    [(4, 0.0, True), (24, 0.0, True), (20, 0.15, True), (5, 0.15, False)],
)
def test_raised_branches_are_those_of_the_naive_tree(seed, unknown, raised):
    X, y = table(seed, rows=120, unknown=unknown)
    tree = C45(raising=True).fit(X, y, nominal=[0, 1]).tree_
    assert_same(tree, 0, naive.c45(X, y, [True, True, False, False], raising=True))
    replaced = C45().fit(X, y, nominal=[0, 1]).tree_
    assert (tree.feature.tolist() != replaced.feature.tolist()) == raised


def sorted_lists(seed, n, values):
    """Rows of three classes in the order of their ranks; -1 is unknown."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, values, (1, n)).astype(np.int32)
    classes = rng.integers(0, 3, n).astype(np.uint32)
    known = np.argsort(codes[0], kind="stable")[(codes[0] < 0).sum() :]
    return codes, classes, known.astype(np.uint32)[None]


@pytest.mark.parametrize("n", [3, 5, 40, 200])
@pytest.mark.parametrize("least", [1, 2])
def test_whole_and_weighted_cuts_agree(n, least):
    codes, classes, lists = sorted_lists(n, n, 150 if n > 100 else 6)
    n_known = lists.shape[1]
    counts = np.zeros((3, 3), np.int64)
    counts[0] = np.bincount(classes[lists[0]], minlength=3)
    whole = np.arange(n + 1, dtype=float)
    whole[1:] *= np.log2(whole[1:])
    fixed = np.round(whole * 2.0**40).astype(np.int64)
    outer, steps = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    inside = opened(tree_whole.fill_tables)(fixed, counts, 0, n_known, outer, steps)
    given = (lists, 0, 0, n_known, codes, 0, classes)
    weights, weighed = np.ones((2, n)), opened(tree_split.cut_weights)
    cuts = {
        opened(tree_whole.sweep)(*given, counts, 0, inside, least, outer, steps, 100),
        opened(tree_whole.sweep_wide)(*given, counts, 0, inside, least, outer, steps, 100),
        weighed(*given, 3, weights, float(least), np.zeros((5, 3)))[0],
    }
    assert len(cuts) == 1
    (cut,) = cuts
    tally = np.zeros((5, 3), np.int64)
    opened(tree_whole.count_sides)(lists, 0, 0, n_known, cut, classes, counts, 0, tally)
    assert tally[0].tolist() == np.bincount(classes[lists[0, :cut]], minlength=3).tolist()
    assert (tally[0] + tally[1]).tolist() == counts[0].tolist()


@pytest.mark.parametrize("n", [0, 1, 2, 7, 200, 255])
def test_flags_are_counted(n):
    flags = np.random.default_rng(n).integers(0, 2**64, (n + 1, 1), dtype=np.uint64)
    sums = np.full((2, 64), 5)
    lists = np.arange(1, n + 1, dtype=np.uint32)[None]
    add_bits = opened(tree_whole.add_bits)
    add_bits(flags, 0, lists, 0, n, 0, True, np.zeros(8, np.uint64), sums)
    add_bits(flags, 0, lists, 0, n, 1, False, np.zeros(8, np.uint64), sums)
    bits = [[int(word) >> (k // 8 + k % 8 * 8) & 1 for k in range(64)] for word in flags[1:, 0]]
    assert sums[0].tolist() == np.sum(bits, axis=0, initial=0).tolist() if n else not sums[0].any()
    assert (sums[1] - 5).tolist() == sums[0].tolist()


@pytest.mark.parametrize("start", [0, 4])
def test_halves_keep_their_order(start):
    rows = np.array([7, 3, 9, 0, 4, 1], np.uint32)
    sides = np.zeros(10, np.int32)
    sides[[3, 4, 9]] = 1
    lists = np.zeros((1, 20), np.uint32)
    lists[0, 4:10] = rows
    second = 4 if start else 12
    opened(tree_part.halve)(lists, 0, 4, 6, second, 4, 3, sides, np.zeros(7, np.uint32))
    # The second branch has a row of unknown value; so its list is one short of its four rows.
    assert lists[0, second : second + 3].tolist() == [3, 9, 4]
    assert lists[0, second + 3] == tree_whole.NONE
    assert lists[0, second + 4 : second + 7].tolist() == [7, 0, 1]


def test_expected_errors():
    # Quinlan (1993, p. 42): U25%(0, 6) = 0.206, U25%(0, 9) = 0.143, U25%(0, 1) = 0.750, and
    # U25%(1, 16) = 0.157 by the binomial; its normal approximation is a little higher.
    z = 0.6744897501960817
    for n, errors, limit in ((6, 0, 0.206), (9, 0, 0.143), (1, 0, 0.750)):
        assert added_errors(float(n), float(errors), 0.25, z) == pytest.approx(n * limit, abs=5e-3)
    assert (1 + added_errors(16.0, 1.0, 0.25, z)) / 16 == pytest.approx(0.157, abs=0.01)
