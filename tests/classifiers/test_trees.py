"""Decision trees and graphs."""

from __future__ import annotations

import glob
import re
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest

from fewest._errors import InputError
from fewest._kernels.trees.forest import COMPLETE, LEVELS, SLOT
from fewest._kernels.trees.whole import NONE
from fewest.classifiers import HOODG, OC1, T2, NBTree, OneR
from fewest.classifiers._trees.encoding import tree_table
from fewest.classifiers._trees.nb_tree import Leaf, TreeNode
from fewest.classifiers._trees.oc1 import Hyperplanes
from fewest.classifiers._trees.tree import C45, ID3

# Tables that several tests of trees use.
# Quinlan's days for tennis: outlook, temperature, humidity, wind, play.
DAYS = """sunny 85 85 false no
sunny 80 90 true no
overcast 83 86 false yes
rainy 70 96 false yes
rainy 68 80 false yes
rainy 65 70 true no
overcast 64 65 true yes
sunny 72 95 false no
sunny 69 70 false yes
rainy 75 80 false yes
sunny 75 70 true yes
overcast 72 90 true yes
overcast 81 75 false yes
rainy 71 91 true no"""


def days():
    rows = [line.split() for line in DAYS.split("\n")]
    return [[r[0], float(r[1]), float(r[2]), r[3]] for r in rows], [r[4] for r in rows]


# Tables as the tree kernels want them.
VALUES = np.array([[0.0, 7.5], [2.0, np.nan], [1.0, -1.0], [0.0, 7.5]])


def table():
    return tree_table(VALUES, (("a", "b", "c"), None), np.array([0, 1, 1, 0]))


def test_what_is_known_of_each_feature():
    features = table().features
    assert features[:, LEVELS].tolist() == [3, 0]
    assert features[:, COMPLETE].tolist() == [1, 0]
    assert features[:, SLOT].tolist() == [0, 1]


def test_cuts_lie_between_values_that_differ_enough():
    column = np.array([[3.0], [1.0], [1.5], [2.1], [1.5], [np.nan]])
    for gap, above in ((0.0, [1, 2, 3, 4]), (0.5, [2, 2, 3, 4]), (1.0, [2, 3, 4, 4])):
        table = tree_table(column, (None,), np.zeros(6, int), gap)
        assert table.data.above.tolist() == above


def test_rows_in_the_order_of_a_continuous_feature():
    order = table().orders[0]
    known = order[order != NONE]
    assert known[0] == 2
    assert set(known[1:].tolist()) == {0, 3}
    assert len(known) == 3


# Growing and pruning.
def test_pruning_of_hopeless_splits():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (200, 4)).astype(str), rng.integers(0, 2, 200)
    full, pruned = C45(pruning=False).fit(X, y), C45().fit(X, y)
    assert 1 <= pruned.n_leaves_ < full.n_leaves_ / 2
    assert full.score(X, y) > pruned.score(X, y)


def test_weights_count_rows():
    X, y = days()
    weights = [1, 2] * 7
    twice = [row for row, w in zip(X, weights, strict=True) for _ in range(w)]
    labels = [label for label, w in zip(y, weights, strict=True) for _ in range(w)]
    for tree in (ID3(), C45(), C45(raising=False)):
        weighted = tree.fit(X, y, sample_weight=weights).to_text()
        assert weighted == tree.fit(twice, labels).to_text()


#
PLAY = """x0 = overcast: yes (4)
x0 = rainy
|   x3 = false: yes (3)
|   x3 = true: no (2)
x0 = sunny
|   x2 <= 77.5: yes (2)
|   x2 > 77.5: no (3)"""


@pytest.mark.parametrize("tree", [ID3(significance=1.0), C45(), C45(raising=False)])
def test_tennis(tree):
    X, y = days()
    tree.fit(X, y)
    assert tree.to_text() == PLAY
    assert (tree.n_leaves_, tree.n_nodes_) == (5, 8)
    assert tree.predict(X).tolist() == y


def test_c45_shares_unknown_values():
    X, y = days()
    X[2][0] = None
    tree = C45().fit(X, y)
    # 3, 5 and 5 known days: the unknown one goes down each branch with that share of 13.
    assert "x0 = overcast: yes (3.23077)" in tree.to_text()
    assert "|   x2 > 77.5: no (3.38462/0.384615)" in tree.to_text()
    # The unknown day: 3/13 yes, 5/13 yes (windless rain), 5/13 of the humid sunny leaf.
    humid = (5 / 13) * (3 / (3 + 5 / 13))
    assert tree.predict_proba(X)[2] == pytest.approx([humid, 1 - humid])


def test_a_value_without_rows_at_the_node_gets_the_class_of_the_node():
    X = [["a", "u"], ["a", "v"], ["a", "v"], ["b", "u"], ["b", "v"], ["b", "w"]]
    tree = ID3(significance=1.0).fit(X, [0, 1, 1, 2, 2, 2])
    assert tree.to_text() == "x0 = a\n|   x1 = u: 0 (1)\n|   x1 = v: 1 (2)\nx0 = b: 2 (3)"
    assert tree.predict_proba([["a", "w"]])[0] == pytest.approx([1 / 3, 2 / 3, 0])


def test_numbers_as_labels():
    X, y = [[1.0], [2.0], [3.0]] * 4, [0, 1, 0] * 4
    assert ID3().fit(X, y).to_text() == "x0 <= 1.5: 0 (4)\nx0 > 1.5\n" + (
        "|   x0 <= 2.5: 1 (4)\n|   x0 > 2.5: 0 (4)"
    )
    assert ID3().fit(X, y, nominal=["x0"]).n_leaves_ == 3


def test_wrong_parameters():
    with pytest.raises(InputError, match="`significance` of ID3 must be a number between 0 and 1"):
        ID3(significance=2).fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(InputError, match="`confidence` of C45 must be"):
        C45(confidence=0.9).fit([[1.0], [2.0]], [0, 1])


def test_graphviz():
    X, y = [['a"b'], ["c"]] * 4, [0, 1] * 4
    assert ID3().fit(X, y).to_dot().splitlines() == [
        "digraph tree {",
        '  n0 [label="x0"];',
        '  n0 -> n1 [label="= a\\"b"];',
        '  n0 -> n2 [label="= c"];',
        '  n1 [label="0 (4)", shape=box];',
        '  n2 [label="1 (4)", shape=box];',
        "}",
    ]


# ID3: the chi-squared test and unknown values.
def test_chi_squared_stops_a_split():
    X, y = days()
    # Outlook against play: 3.55 with two degrees of freedom, p = 0.17; the others do worse.
    assert ID3(significance=0.2).fit(X, y).to_text().startswith("x0 = overcast: yes (4)")
    assert ID3(significance=0.15).fit([r[:1] for r in X], y).to_text() == "yes (14/5)"


def test_id3_sends_unknown_values_to_the_largest_branch():
    X = [["a"]] * 3 + [["b"]] * 2 + [[None]]
    tree = ID3(significance=1.0).fit(X, [0, 0, 0, 1, 1, 1])
    assert tree.to_text() == "x0 = a: 0 (4/1)\nx0 = b: 1 (2)"
    assert tree.predict_proba([[None], ["never seen"]]).tolist() == [[0.75, 0.25]] * 2


# C4.5 against Weka's J48 (-C 0.25 -M 2, Weka 3.6.14): raised, not raised (-S), unpruned (-U).
# Without raising: leaves with training rows, and training rows that the tree gets right.
J48 = {
    "ionosphere": (18, 350),
    "image-segmentation": (42, 2287),
    "chess-kr-vs-kp": (31, 3185),
    "horse-colic": (4, 316),
    "votes": (6, 423),
    "breast-wisconsin": (14, 686),
    "pima-diabetes": (20, 646),
    "credit-crx": (21, 627),
    "anneal": (54, 870),  # if only the five classes that have rows are declared
}

# With raising: leaves and nodes with training rows, and rows that the tree gets right.
RAISED = {
    "ionosphere": (18, 35, 350),
    "image-segmentation": (39, 77, 2285),
    "chess-kr-vs-kp": (31, 59, 3185),
    "horse-colic": (4, 6, 316),
    "votes": (6, 11, 423),
    "breast-wisconsin": (14, 27, 686),
    "pima-diabetes": (20, 39, 646),
    "credit-crx": (20, 32, 626),
    "anneal": (34, 59, 853),
    "audiology": (29, 51, 206),
    "contraceptive": (141, 247, 1048),
    "echocardiogram": (5, 9, 101),
    "hepatitis": (11, 21, 143),
    "sick-euthyroid": (13, 25, 3117),
    "soybean-large": (49, 81, 658),
    "vehicle": (98, 195, 820),
}

# Unpruned: subtrees that make no fewer errors than a leaf are leaves all the same.
UNPRUNED = {
    "ionosphere": (18, 350),
    "image-segmentation": (51, 2293),
    "chess-kr-vs-kp": (42, 3192),
    "horse-colic": (88, 342),
    "votes": (19, 426),
    "breast-wisconsin": (23, 691),
    "pima-diabetes": (22, 648),
    "credit-crx": (72, 655),
    "anneal": (58, 872),
    "audiology": (34, 207),
    "contraceptive": (367, 1185),
    "echocardiogram": (10, 104),
    "hepatitis": (16, 149),
    "sick-euthyroid": (48, 3135),
    "soybean-large": (101, 668),
    "vehicle": (104, 822),
}

JARS = [jar for jar in glob.glob("/usr/share/java/weka*.jar") if shutil.which("java")]


@pytest.mark.parametrize("name", J48)
def test_the_figures_of_weka(name, dataset):
    data = dataset(name)
    tree = C45(raising=False).fit(data.X, data.y)
    correct = int((tree.predict(data.X) == np.asarray(data.y)).sum())
    assert (tree.n_leaves_, correct) == J48[name]


@pytest.mark.parametrize("name", RAISED)
def test_the_figures_of_weka_with_raising(name, dataset):
    data = dataset(name)
    tree = C45().fit(data.X, data.y)
    correct = int((tree.predict(data.X) == np.asarray(data.y)).sum())
    assert (tree.n_leaves_, tree.n_nodes_, correct) == RAISED[name]


@pytest.mark.parametrize("name", UNPRUNED)
def test_the_figures_of_weka_without_pruning(name, dataset):
    data = dataset(name)
    tree = C45(pruning=False).fit(data.X, data.y)
    correct = int((tree.predict(data.X) == np.asarray(data.y)).sum())
    assert (tree.n_leaves_, correct) == UNPRUNED[name]
    if name == "votes":
        assert tree.n_nodes_ == 37


def run_j48(path, raising):
    """The leaves of J48 with rows in them, and how many training rows it gets right."""
    command = ["java", "-cp", ":".join(JARS), "weka.classifiers.trees.J48"]
    options = ["-C", "0.25", "-M", "2", "-no-cv", "-t", str(path), *([] if raising else ["-S"])]
    text = subprocess.run([*command, *options], capture_output=True, text=True, check=True).stdout
    leaves = re.findall(r"(?m): \S+ \(([\d.]+)(?:/[\d.]+)?\)\s*$", text)
    correct = re.search(r"Correctly Classified Instances\s+(\d+)", text)
    return sum(leaf != "0.0" for leaf in leaves), int(correct.group(1))


@pytest.mark.skipif(not JARS, reason="Weka is not installed")
@pytest.mark.parametrize(("seed", "raising"), [(4, False), (4, True), (48, False), (48, True)])
def test_a_table_with_unknown_values(seed, raising, tmp_path):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {"colour": rng.choice(["red", "green", "blue"], 300), "size": rng.random(300).round(3)}
    )
    y = np.where((frame["colour"] == "red") ^ (frame["size"] > 0.6), "yes", "no")
    y = np.where(rng.random(300) < 0.1, "no", y)
    frame = frame.mask(rng.random(frame.shape) < 0.1, None)
    lines = [
        f"{'?' if pd.isna(a) else a},{'?' if pd.isna(b) else b},{c}"
        for a, b, c in zip(frame["colour"], frame["size"], y, strict=True)
    ]
    head = "@relation t\n@attribute colour {blue,green,red}\n@attribute size numeric\n"
    (tmp_path / "t.arff").write_text(
        head + "@attribute class {no,yes}\n@data\n" + "\n".join(lines) + "\n"
    )
    tree = C45(raising=raising).fit(frame, y)
    assert tree.n_leaves_ > 3
    figures = tree.n_leaves_, int((tree.predict(frame) == y).sum())
    assert figures == run_j48(tmp_path / "t.arff", raising)


@pytest.mark.skipif(not JARS, reason="Weka is not installed")
def test_values_that_are_too_close_for_a_cut(tmp_path):
    rng = np.random.default_rng(3)
    X = np.round(rng.random((300, 1)) * 200) * 0.6e-5
    inside = (X[:, 0] > 4.011e-4) & (X[:, 0] < 8.011e-4)
    y = np.where(inside & (rng.random(300) < 0.9), "yes", "no")
    lines = [f"{value!r},{label}" for value, label in zip(X[:, 0].tolist(), y, strict=True)]
    head = "@relation t\n@attribute x numeric\n@attribute class {no,yes}\n@data\n"
    (tmp_path / "t.arff").write_text(head + "\n".join(lines) + "\n")
    found = [
        (tree.n_leaves_, int((tree.predict(X) == y).sum()))
        for tree in (C45().fit(X, y), C45(min_gap=0.0).fit(X, y))
    ]
    assert found[0] == run_j48(tmp_path / "t.arff", True) != found[1]


# Subtree raising.
# Rows of three features, class and how often; the full tree asks for x2 first.
THREE_BITS = [
    ("001", 0, 1), ("001", 1, 1), ("010", 0, 2), ("011", 0, 3), ("100", 0, 1), ("101", 0, 3),
    ("101", 1, 1), ("111", 1, 2),
]  # fmt: skip


def test_the_largest_branch_takes_the_place_of_its_node():
    rows = [(list(x), label) for x, label, n in THREE_BITS for _ in range(n)]
    X, y = [x for x, _ in rows], [label for _, label in rows]
    assert C45(pruning=False).fit(X, y).to_text().startswith("x2 = 0: 0 (3)\nx2 = 1\n|   x0 = 0")
    # Expected errors: a leaf 5.74, the tree 1.11 + (2.25 + 2.18 + 1.00) = 6.54, its branch x2 = 1
    # with all rows 2.34 + 2.25 + 1.00 = 5.59, and 5.74 > 5.59 + 0.1.
    assert C45(raising=False).fit(X, y).to_text() == "0 (14/4)"
    raised = C45().fit(X, y)
    assert raised.to_text() == "x0 = 0: 0 (7/1)\nx0 = 1\n|   x1 = 0: 0 (5/1)\n|   x1 = 1: 1 (2)"
    assert raised.tree_.shares.tolist() == [0.5, 0.5, 5 / 7, 2 / 7]
    # Without pruning there is nothing to raise.
    full = C45(pruning=False).fit(X, y)
    assert full.to_text() == C45(pruning=False, raising=False).fit(X, y).to_text()


#
def test_parity_has_two_nodes_per_level():
    X = np.array([[a, b, c] for a in "01" for b in "01" for c in "01"])
    y = (X == "1").sum(axis=1) % 2
    graph = HOODG(select=False).fit(X, y)
    assert (graph.predict(X) == y).all()
    assert [len(level.nodes) for level in graph.levels_] == [1, 2, 2]
    assert graph.to_dot().count("shape=box") == 2


def test_the_first_problem_of_the_monks_is_learned_exactly(dataset):
    train, test = dataset("monks-1"), dataset("monks-1-test")
    graph = HOODG().fit(train.X.astype(str), train.y)
    assert (graph.predict(test.X.astype(str)) == np.asarray(test.y)).all()
    used = {graph.schema_.names[level.feature] for level in graph.levels_}
    assert used == {"a1", "a2", "a5"}
    assert graph.n_nodes_ == 6


def test_unknown_values_are_refused(dataset):
    data = dataset("votes")
    with pytest.raises(InputError, match="`X` of HOODG must not hold unknown values"):
        HOODG().fit(data.X, data.y)


def test_nothing_to_learn_is_the_majority():
    graph = HOODG().fit([["a"], ["a"], ["a"]], ["x", "y", "y"])
    assert graph.predict([["a"]]).tolist() == ["y"]


#
def test_an_exclusive_or_is_split_once_and_a_plain_concept_never():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (200, 3)).astype(str)
    xor = NBTree().fit(X, X[:, 0] == X[:, 1])
    assert isinstance(xor.tree_, TreeNode)
    assert (xor.predict(X) == (X[:, 0] == X[:, 1])).all()
    assert isinstance(NBTree().fit(X, X[:, 0]).tree_, Leaf)


def test_few_rows_are_one_leaf_that_is_naive_bayes():
    X, y = [["a"], ["a"], ["b"], ["b"]], ["x", "x", "x", "y"]
    tree = NBTree().fit(X, y)
    assert isinstance(tree.tree_, Leaf)
    # P(x) (2 + 1) / (3 + 2) against P(y) (0 + 1) / (1 + 2).
    x, other = 0.75 * 3 / 5, 0.25 * 1 / 3
    assert tree.predict_proba([["a"]])[0] == pytest.approx([x / (x + other), other / (x + other)])
    assert tree.to_text() == "naive Bayes (x 3, y 1)"


@pytest.mark.parametrize("name", ["votes", "pima-diabetes"])
def test_a_split_must_reduce_the_error(name, dataset):
    data = dataset(name)
    strict = NBTree(min_reduction=0.9).fit(data.X, data.y)
    assert isinstance(strict.tree_, Leaf)
    assert isinstance(NBTree(min_reduction=0.0).fit(data.X, data.y).tree_, TreeNode)


#
def diagonal(seed=0):
    rng = np.random.default_rng(seed)
    points = rng.uniform(-1, 1, (60, 2))
    target = (points.sum(axis=1) > 0).astype(np.int64)
    return Hyperplanes(np.column_stack([points, np.ones(60)]), target, 2, rng)


def test_climbing_never_gets_worse():
    planes = diagonal()
    start = planes.axis_parallel()
    assert planes.goodness(planes.climbed(start.copy(), 5)) >= planes.goodness(start)


def test_a_diagonal_is_found_where_no_single_feature_suffices():
    planes = diagonal()
    assert planes.goodness(planes.axis_parallel()) < 0.9
    found = planes.best(20, 5)
    assert ((planes.values @ found > 0) == planes.target).all() or (
        (planes.values @ found > 0) != planes.target
    ).all()


def test_the_axis_parallel_start_looks_at_one_feature():
    assert (diagonal().axis_parallel()[:-1] != 0.0).sum() == 1


#
def test_one_oblique_split_tells_a_diagonal_apart():
    rng = np.random.default_rng(1)
    X = rng.uniform(-1, 1, (200, 2))
    y = X @ [1.0, -2.0] > 0.1
    tree = OC1(prune=0.0).fit(X, y)
    assert (tree.predict(X) == y).all()
    assert len(tree.tree_.leaves()) <= 4


def test_pruning_leaves_fewer_leaves_and_keeps_noise_out():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(150, 2))
    y = (X[:, 0] > 0) ^ (rng.random(150) < 0.15)
    full, pruned = OC1(prune=0.0).fit(X, y), OC1(prune=0.3).fit(X, y)
    assert len(pruned.tree_.leaves()) < len(full.tree_.leaves())


def test_nominal_and_unknown_values_and_words():
    X = [["a", 1.0], ["a", None], ["b", 3.0], ["b", 4.0]] * 3
    tree = OC1(prune=0.0).fit(X, ["x", "x", "y", "y"] * 3)
    assert tree.predict([["a", None], ["b", 3.5]]).tolist() == ["x", "y"]
    assert "[x0 = a]" in tree.to_text() or "x1" in tree.to_text()
    assert tree.to_dot().count("shape=box") == len(tree.tree_.leaves())


#
def test_the_tree_gets_right_what_it_says(dataset):
    for name in ("glass", "hepatitis", "pima-diabetes", "votes"):
        data = dataset(name)
        tree = T2().fit(data.X, data.y)
        right = (tree.predict(data.X) == np.asarray(data.y)).sum()
        assert right == tree.n_correct_
        one_level = OneR(min_bucket=1).fit(data.X, data.y)
        assert data.X.shape[0] >= right >= one_level.counts_[:-1].max(axis=1).max()


def test_more_intervals_never_hurt_on_training_rows(dataset):
    data = dataset("glass")
    right = [T2(max_intervals=k).fit(data.X, data.y).n_correct_ for k in (1, 2, 3, 7)]
    assert right == sorted(right)


def test_integer_weights_are_repeated_rows():
    rng = np.random.default_rng(0)
    X, y, weight = rng.normal(size=(40, 3)), rng.integers(0, 3, 40), rng.integers(0, 4, 40)
    one = T2().fit(X, y, sample_weight=weight)
    other = T2().fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    assert one.n_correct_ == other.n_correct_
    assert one.to_text() == other.to_text()


def test_words_and_graphviz():
    X = [[1.0, "p"], [2.0, "q"], [3.0, "p"], [4.0, None]]
    tree = T2().fit(X, ["a", "b", "b", "b"])
    assert tree.to_text() == "x0 known\n|   x0 <= 1.5: a (1)\n|   x0 > 1.5: b (3)"
    assert tree.to_dot().startswith("digraph tree {")
    assert 'n1 -> n3 [label="> 1.5"]' in tree.to_dot()
