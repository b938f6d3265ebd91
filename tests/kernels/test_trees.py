"""Kernels of trees: splits, growing, pruning, prediction, two levels, oblique cuts."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from fewest._kernels.trees import forest
from fewest._kernels.trees import judge as tree_judge
from fewest._kernels.trees import part as tree_part
from fewest._kernels.trees import split as tree_split
from fewest._kernels.trees import whole as tree_whole
from fewest._kernels.trees.forest import CORRECT, COUNTS, ERRORS, EXPECTED, MAJOR, TOTAL
from fewest._kernels.trees.link import count_tests, finish_node
from fewest._kernels.trees.oblique import best_step, side_weights, twoing
from fewest._kernels.trees.rule_conditions import best_positions, condition_counts, laplace_values
from fewest._kernels.trees.split import added_errors
from fewest._kernels.trees.tree_scores import LEAF, Tree, send_down, settle
from fewest._kernels.trees.two_levels import best_intervals, best_root, interval_classes
from fewest._kernels.trees.whole import NONE
from fewest.classifiers._base import Rows
from fewest.classifiers._cells import Cells
from fewest.classifiers._trees.tree import C45, ID3
from tests.kernels.opened import opened
from tests.naive import oblique
from tests.naive import trees as naive
from tests.naive.two_levels import most_right


# Gain, ratio, chi-squared and expected errors against published values.
def test_expected_errors():
    # Quinlan (1993, p. 42): U25%(0, 6) = 0.206, U25%(0, 9) = 0.143, U25%(0, 1) = 0.750, and
    # U25%(1, 16) = 0.157 by the binomial; its normal approximation is a little higher.
    z = 0.6744897501960817
    for n, errors, limit in ((6, 0, 0.206), (9, 0, 0.143), (1, 0, 0.750)):
        assert added_errors(float(n), float(errors), 0.25, z) == pytest.approx(n * limit, abs=5e-3)
    assert (1 + added_errors(16.0, 1.0, 0.25, z)) / 16 == pytest.approx(0.157, abs=0.01)


def judged(rows, unknown=0.0, minimum=1.0, critical=()):
    counts = np.zeros((len(rows) + 2, max(len(rows), len(rows[0]))))
    counts[: len(rows), : len(rows[0])] = rows
    judge = opened(tree_split.judge_weights)
    size = (len(rows), len(rows[0]))
    return judge(counts, *size, unknown, minimum, 0.0, np.array(critical, dtype=float))


def test_the_outlook_of_quinlan():
    # Quinlan (1993, section 2.2): play and do not play by outlook; with one value unknown.
    assert judged([[2, 3], [4, 0], [3, 2]]) == pytest.approx((0.247, 0.156), abs=1e-3)
    assert judged([[2, 3], [3, 0], [3, 2]], 1.0) == pytest.approx((0.199, 0.110), abs=1e-3)


def test_splits_that_are_not_allowed():
    assert judged([[3, 0], [0, 3]], minimum=3.0)[0] == pytest.approx(1.0)
    assert judged([[3, 0], [0, 2]], minimum=3.0)[0] == -1
    assert judged([[2, 2], [3, 3]])[0] == -1


@pytest.mark.parametrize("seed", range(3))
def test_the_test_of_significance_is_pearsons(seed):
    rows = np.random.default_rng(seed).integers(1, 9, (3, 2)).astype(float)
    statistic = chi2_contingency(rows, correction=False).statistic
    # Three branches of two classes have two degrees of freedom.
    assert judged(rows, critical=[0, 0, statistic - 1e-9])[0] > 0
    assert judged(rows, critical=[0, 0, statistic + 1e-9])[0] == -1


# Splits of whole rows: flags, and the same cuts as with weights.
def sorted_lists(seed, n, values):
    """Rows of three classes in the order of their ranks; -1 is unknown."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, values, (1, n)).astype(np.int32)
    classes = rng.integers(0, 3, n).astype(np.uint32)
    known = np.argsort(codes[0], kind="stable")[(codes[0] < 0).sum() :]
    return codes, classes, known.astype(np.uint32)[None]


@pytest.mark.parametrize("n", [3, 5, 40, 200])
@pytest.mark.parametrize(("least", "gap"), [(1, 0), (2, 0), (1, 1)])
def test_whole_and_weighted_cuts_agree(n, least, gap):
    codes, classes, lists = sorted_lists(n, n, 150 if n > 100 else 6)
    n_known = lists.shape[1]
    counts = np.zeros((3, 3), np.int64)
    counts[0] = np.bincount(classes[lists[0]], minlength=3)
    whole = np.arange(n + 1, dtype=float)
    whole[1:] *= np.log2(whole[1:])
    fixed = np.round(whole * 2.0**40).astype(np.int64)
    outer, steps = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    inside = opened(tree_whole.fill_tables)(fixed, counts, 0, n_known, outer, steps)
    # Equal ranks are one value, and with gaps also neighbours of some ranks.
    above = np.arange(1, 151) + (np.arange(150) % 3 == 0) * gap
    given = (lists, 0, 0, n_known, codes[0], above, classes)
    weights, weighed = np.ones((2, n)), opened(tree_split.cut_weights)
    cuts = {
        opened(tree_whole.sweep)(*given, counts, 0, inside, least, outer, steps, 100),
        weighed(*given, 3, weights, float(least), np.zeros((5, 3)))[0],
    }
    assert len(cuts) == 1
    (cut,) = cuts
    ranks = codes[0, lists[0]]
    assert cut == 0 or ranks[cut] >= above[ranks[cut - 1]]
    apart = [i for i in range(least, n_known - least + 1) if ranks[i] >= above[ranks[i - 1]]]
    assert opened(tree_whole.count_cuts)(lists, 0, 0, n_known, *given[4:6], least) == len(apart)
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


def bits(counts):
    """The entropy of some counts, times their sum."""
    counts = np.array([n for n in counts if n > 0])
    return -(counts * np.log2(counts / counts.sum())).sum()


@pytest.mark.parametrize("seed", range(20))
def test_gain_and_ratio_from_entropies(seed):
    n = np.arange(61, dtype=float)
    n[1:] *= np.log2(n[1:])
    table, room = np.random.default_rng(seed).integers(0, 9, (3, 2)), np.zeros((5, 3), np.int64)
    room[:3, :2], unknown = table, seed % 4
    fixed = np.round(n * 2.0**40).astype(np.int64)
    found = opened(tree_whole.judge_many)(
        room, 3, 2, unknown, 2.0, 0.0, np.zeros(0), fixed, 2.0**-40
    )
    gain = (bits(table.sum(axis=0)) - sum(bits(row) for row in table)) / (table.sum() + unknown)
    split = bits([*table.sum(axis=1), unknown]) / (table.sum() + unknown)
    assert found == pytest.approx((gain, gain / split))


# Rows handed to branches.
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


def test_the_cut_is_half_way_between_the_values_beside_it():
    distinct = np.array([9.0, 0.0, 1.0, 2.0, 10.0])
    below = opened(tree_part.rank_below)
    # Between 0 and 10 the cut is 5: the values 1 and 2 of other nodes are below it.
    assert below(distinct, 1, 0, 3) == 2
    assert below(distinct, 1, 0, 1) == 0
    # Neighbouring floats have no number between them.
    close = np.array([1.0, np.nextafter(1.0, 2.0)])
    assert below(close, 0, 0, 1) == 0


def test_branches_of_values():
    codes = np.array([[-1, 0, 1, 2]], np.int32)
    seen = np.array([True, True, False])
    branch = opened(tree_part.branch_of)
    # Unknown, two levels of the training rows, and one that is not among them.
    assert [branch(codes, 0, row, 3, 0, seen, 0) for row in range(4)] == [-1, 0, 1, -1]
    assert [branch(codes, 0, row, 0, 0, seen, 1) for row in range(4)] == [-1, 0, 0, 1]


# Counts of conditions against counting them one by one.
def test_like_counting_one_by_one():
    rng = np.random.default_rng(0)
    cell = np.column_stack([rng.integers(0, 4, 30), rng.integers(4, 9, 30)])
    target, weight = rng.integers(0, 3, 30), rng.integers(1, 4, 30).astype(float)
    inside = np.flatnonzero(rng.random(30) < 0.6)
    low, high = np.array([0, 1, 4, 6]), np.array([0, 3, 5, 8])
    feature = np.array([0, 0, 1, 1])
    found = condition_counts(cell, target, weight, inside, 9, 3, low, high)
    for q in range(4):
        for c in range(3):
            met = [
                weight[i]
                for i in inside
                if target[i] == c and low[q] <= cell[i, feature[q]] <= high[q]
            ]
            assert found[c, q] == sum(met)


def test_best_positions_are_the_first_of_a_stable_sort():
    rng = np.random.default_rng(1)
    values = rng.integers(0, 6, 50).astype(float)
    values[rng.random(50) < 0.2] = -np.inf
    expected = np.argsort(-values, kind="stable")
    for n in (1, 5, 50, 60):
        assert best_positions(values, n).tolist() == expected[:n].tolist()


def test_laplace_by_hand():
    counts = np.array([[3.0, 0.0, 5.0, 1.0], [1.0, 2.0, 5.0, 0.0]])
    assert laplace_values(counts, -1, 1.5, 9.0).tolist() == [4 / 6, 3 / 4, -np.inf, -np.inf]
    assert laplace_values(counts, 0, 1.0, 10.0).tolist() == [4 / 6, -np.inf, 6 / 12, 2 / 3]


# The tree kernels against the most obvious recursion.
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


# What a node asks before it judges a feature.
def test_quinlans_smallest_side_of_a_cut():
    least = opened(tree_judge.fewest_rows)
    # A tenth of the known rows per class, from the minimum to 25 (C4.5, Release 8).
    assert [least(2.0, True, n, 2) for n in (10.0, 100.0, 900.0)] == [2.0, 5.0, 25.0]
    assert least(2.0, False, 900.0, 2) == 2.0


def test_lists_end_at_the_first_unknown_row():
    lists = np.array([[0, 1, 2, 3], [5, 7, NONE, NONE]], np.uint32)
    length = opened(tree_judge.list_length)
    assert length(lists, 1, 0, 4, False) == 2
    assert length(lists, 0, 0, 4, False) == 4
    # A complete feature is not looked at.
    assert length(lists, 1, 0, 4, True) == 4


def test_class_weights_by_level():
    codes = np.array([[0, 1, -1, 1]], np.int32)
    lists = np.arange(4, dtype=np.uint32)[None]
    loads = np.array([[0.0] * 4, [1.0, 0.5, 0.25, 2.0]])
    counts = np.ones((4, 2))
    classes = np.array([0, 1, 0, 1], np.uint32)
    weigh = opened(tree_judge.tally_levels)
    assert weigh(codes, 0, 2, lists, 0, 4, classes, loads, counts) == 0.25
    assert counts[:2] == pytest.approx(np.array([[1.0, 0.0], [0.0, 2.5]]))
    whole = np.ones((4, 2), np.int64)
    assert weigh(codes, 0, 2, lists, 0, 4, classes, None, whole) == 1
    assert whole[:2].tolist() == [[1, 0], [0, 2]]


# What follows from the class weights of a node.
@pytest.mark.parametrize(
    ("weights", "minimum", "splits"),
    [([3.0, 5.0, 1.0], 2.0, True), ([0.0, 5.0, 0.0], 2.0, False), ([1.0, 2.0, 0.0], 2.0, False)],
)
def test_a_node_is_finished(weights, minimum, splits):
    nodes = np.full((2, COUNTS + 3), 9.0)
    nodes[1, COUNTS:] = weights
    assert finish_node(nodes, 1, minimum, 0.25, 0.6745) == splits
    total, errors = sum(weights), sum(weights) - max(weights)
    assert nodes[1, [TOTAL, ERRORS, MAJOR, CORRECT]].tolist() == [total, errors, 1.0, 0.0]
    assert nodes[1, EXPECTED] == pytest.approx(errors + added_errors(total, errors, 0.25, 0.6745))
    finish_node(nodes, 1, minimum, 0.0, 0.0)
    assert nodes[1, EXPECTED] == errors


def test_test_rows_of_the_largest_class_are_counted():
    nodes = np.zeros((1, COUNTS + 3))
    nodes[0, MAJOR] = 2
    classes = np.array([2, 0, 2, 2, 1], np.uint32)
    tests = np.array([[4, 0, 1, 2, 3]], np.uint32)
    assert count_tests(tests, 0, 5, classes, nodes, 0) == 3
    assert count_tests(tests, 1, 3, classes, nodes, 0) == 1


# The trees of two subsets in one forest: counted and pruned, by hand.
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


# Rows sent down a tree of three leaves, by hand.
#: x0 <= 1.5: leaf 1; otherwise the nominal x1 decides between leaf 3 and leaf 4; level 2 of it
#: was in no training row.
FEATURE = np.array([0, -1, 1, -1, -1])
CUT = np.array([1.5, 0.0, 0.0, 0.0, 0.0])
FIRST = np.array([0, 2, 2, 5, 5, 5])
CHILDREN = np.array([1, 2, 3, 4, -1])
SHARES = np.array([0.25, 0.75, 0.6, 0.4, 0.0])
LARGEST = np.array([1, 0, 0, 0, 0])
CHANCES = np.array([[0.5, 0.5], [1.0, 0.0], [0.3, 0.7], [0.2, 0.8], [0.6, 0.4]])


def sent(row, split):
    values = np.array([row], dtype=float)
    nominal = np.array([False, True])
    tree = (FEATURE, CUT, FIRST, CHILDREN, SHARES, LARGEST, CHANCES)
    return send_down(values, nominal, *tree, split)[0]


@pytest.mark.parametrize(
    ("row", "split", "expected"),
    [
        ((1.5, 0), True, 1.0),
        ((1.6, 0), True, 0.2),
        ((1.6, 1), True, 0.6),
        ((9.0, 2), True, 0.3),  # stays at the node itself
        ((np.nan, 1), True, 0.25 * 1.0 + 0.75 * 0.6),
        ((np.nan, np.nan), True, 0.25 * 1.0 + 0.75 * (0.6 * 0.2 + 0.4 * 0.6)),
        ((np.nan, 1), False, 0.6),
        ((np.nan, np.nan), False, 0.2),
    ],
)
def test_by_hand(row, split, expected):
    assert sent(row, split) == pytest.approx([expected, 1 - expected])


#
@pytest.mark.parametrize("seed", range(20))
def test_no_step_splits_better(seed):
    rng = np.random.default_rng(seed)
    position, direction = rng.normal(size=15), rng.normal(size=15)
    direction[rng.random(15) < 0.2] = 0.0
    target = rng.integers(0, 3, 15)
    step, value = best_step(position, direction, target, 3)
    plain = position.tolist(), direction.tolist(), target.tolist()
    assert value == pytest.approx(oblique.best_goodness(*plain, range(3)))
    moved = position + step * direction
    assert twoing(*side_weights(moved, target, 3)) == pytest.approx(value)


def test_twoing_by_hand():
    assert twoing(np.array([2.0, 0]), np.array([0.0, 2])) == pytest.approx(0.25 * 4)
    assert twoing(np.array([1.0, 1]), np.array([1.0, 1])) == 0.0
    assert twoing(np.array([0.0, 0]), np.array([1.0, 1])) == 0.0


#
def random_rows(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 14))
    kinds = rng.integers(0, 2, 3).astype(bool)
    values = np.where(kinds, rng.integers(0, 3, (n, 3)), rng.integers(0, 5, (n, 3)) / 2)
    values[rng.random((n, 3)) < 0.15] = np.nan
    sizes = np.where(kinds, 3, 0)
    return Rows(values, sizes, rng.integers(0, 3, n), np.ones(n), 3)


@pytest.mark.parametrize("seed", range(60))
def test_no_two_level_tree_gets_more_right(seed):
    rows = random_rows(seed)
    cells = Cells.count(rows)
    most = 1 + seed % 4
    found = best_root(cells.of, rows.target, rows.weight, cells.first, rows.nominal, most, 3)
    plain = [[None if v != v else v for v in row] for row in rows.values.tolist()]
    assert found[2] == most_right(plain, rows.target.tolist(), rows.nominal.tolist(), most)


def test_intervals_by_hand():
    # Classes along the values: 0 0 1 1 0, one row each.
    counts = np.array([[1.0, 0], [1, 0], [0, 1], [0, 1], [1, 0]])
    right = [best_intervals(counts, 0, 5, most, np.zeros((most, 2))) for most in (1, 2, 3)]
    assert right == [3.0, 4.0, 5.0]
    assert interval_classes(counts, 0, 5, 3).tolist() == [0, 0, 1, 1, 0]
    assert interval_classes(counts, 0, 5, 1).tolist() == [0] * 5
