"""ID3 and C4.5 as estimators: known trees, unknown values, words."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from fewest.classifiers.trees.c45 import C45
from fewest.classifiers.trees.id3 import ID3
from fewest.errors import InputError

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

PLAY = """x0 = overcast: yes (4)
x0 = rainy
|   x3 = false: yes (3)
|   x3 = true: no (2)
x0 = sunny
|   x2 <= 77.5: yes (2)
|   x2 > 77.5: no (3)"""


def days():
    rows = [line.split() for line in DAYS.split("\n")]
    return [[r[0], float(r[1]), float(r[2]), r[3]] for r in rows], [r[4] for r in rows]


@parametrize_with_checks([ID3(), C45(), C45(raising=True)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("tree", [ID3(significance=1.0), C45(), C45(raising=True)])
def test_tennis(tree):
    X, y = days()
    tree.fit(X, y)
    assert tree.to_text() == PLAY
    assert (tree.n_leaves_, tree.n_nodes_) == (5, 8)
    assert tree.predict(X).tolist() == y


def test_chi_squared_stops_a_split():
    X, y = days()
    # Outlook against play: 3.55 with two degrees of freedom, p = 0.17; the others do worse.
    assert ID3(significance=0.2).fit(X, y).to_text().startswith("x0 = overcast: yes (4)")
    assert ID3(significance=0.15).fit([r[:1] for r in X], y).to_text() == "yes (14/5)"


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


def test_id3_sends_unknown_values_to_the_largest_branch():
    X = [["a"]] * 3 + [["b"]] * 2 + [[None]]
    tree = ID3(significance=1.0).fit(X, [0, 0, 0, 1, 1, 1])
    assert tree.to_text() == "x0 = a: 0 (4/1)\nx0 = b: 1 (2)"
    assert tree.predict_proba([[None], ["never seen"]]).tolist() == [[0.75, 0.25]] * 2


def test_a_value_without_rows_at_the_node_gets_the_class_of_the_node():
    X = [["a", "u"], ["a", "v"], ["a", "v"], ["b", "u"], ["b", "v"], ["b", "w"]]
    tree = ID3(significance=1.0).fit(X, [0, 1, 1, 2, 2, 2])
    assert tree.to_text() == "x0 = a\n|   x1 = u: 0 (1)\n|   x1 = v: 1 (2)\nx0 = b: 2 (3)"
    assert tree.predict_proba([["a", "w"]])[0] == pytest.approx([1 / 3, 2 / 3, 0])


def test_pruning_of_hopeless_splits():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (200, 4)).astype(str), rng.integers(0, 2, 200)
    full, pruned = C45(pruning=False).fit(X, y), C45().fit(X, y)
    assert 1 <= pruned.n_leaves_ < full.n_leaves_ / 2
    assert full.score(X, y) > pruned.score(X, y)


# Rows of three features, class and how often; the full tree asks for x2 first.
RAISED = [
    ("001", 0, 1), ("001", 1, 1), ("010", 0, 2), ("011", 0, 3), ("100", 0, 1), ("101", 0, 3),
    ("101", 1, 1), ("111", 1, 2),
]  # fmt: skip


def test_the_largest_branch_takes_the_place_of_its_node():
    rows = [(list(x), label) for x, label, n in RAISED for _ in range(n)]
    X, y = [x for x, _ in rows], [label for _, label in rows]
    assert C45(pruning=False).fit(X, y).to_text().startswith("x2 = 0: 0 (3)\nx2 = 1\n|   x0 = 0")
    # Expected errors: a leaf 5.74, the tree 1.11 + (2.25 + 2.18 + 1.00) = 6.54, its branch x2 = 1
    # with all rows 2.34 + 2.25 + 1.00 = 5.59, and 5.74 > 5.59 + 0.1.
    assert C45().fit(X, y).to_text() == "0 (14/4)"
    raised = C45(raising=True).fit(X, y)
    assert raised.to_text() == "x0 = 0: 0 (7/1)\nx0 = 1\n|   x1 = 0: 0 (5/1)\n|   x1 = 1: 1 (2)"
    assert raised.tree_.shares.tolist() == [0.5, 0.5, 5 / 7, 2 / 7]
    # Without pruning there is nothing to raise.
    full = C45(pruning=False, raising=True).fit(X, y)
    assert full.to_text() == C45(pruning=False).fit(X, y).to_text()


def test_weights_count_rows():
    X, y = days()
    weights = [1, 2] * 7
    twice = [row for row, w in zip(X, weights, strict=True) for _ in range(w)]
    labels = [label for label, w in zip(y, weights, strict=True) for _ in range(w)]
    for tree in (ID3(), C45(), C45(raising=True)):
        weighted = tree.fit(X, y, sample_weight=weights).to_text()
        assert weighted == tree.fit(twice, labels).to_text()


def test_numbers_as_labels():
    X, y = [[1.0], [2.0], [3.0]] * 4, [0, 1, 0] * 4
    assert ID3().fit(X, y).to_text() == "x0 <= 1.5: 0 (4)\nx0 > 1.5\n" + (
        "|   x0 <= 2.5: 1 (4)\n|   x0 > 2.5: 0 (4)"
    )
    assert ID3().fit(X, y, nominal=["x0"]).n_leaves_ == 3


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


def test_wrong_parameters():
    with pytest.raises(InputError, match="`significance` of ID3 must be a number between 0 and 1"):
        ID3(significance=2).fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(InputError, match="`confidence` of C45 must be"):
        C45(confidence=0.9).fit([[1.0], [2.0]], [0, 1])
