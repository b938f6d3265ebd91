"""Trees as text."""

from __future__ import annotations

from fewest.classifiers._trees.tree import ID3


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
