from __future__ import annotations

import pytest

from fewest._errors import InputError
from fewest.classifiers._trees.tree import C45, ID3
from tests.classifiers.trees.cases import days

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
