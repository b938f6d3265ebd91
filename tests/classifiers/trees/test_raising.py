"""Subtree raising."""

from __future__ import annotations

from fewest.classifiers._trees.tree import C45

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
    assert C45(raising=False).fit(X, y).to_text() == "0 (14/4)"
    raised = C45().fit(X, y)
    assert raised.to_text() == "x0 = 0: 0 (7/1)\nx0 = 1\n|   x1 = 0: 0 (5/1)\n|   x1 = 1: 1 (2)"
    assert raised.tree_.shares.tolist() == [0.5, 0.5, 5 / 7, 2 / 7]
    # Without pruning there is nothing to raise.
    full = C45(pruning=False).fit(X, y)
    assert full.to_text() == C45(pruning=False, raising=False).fit(X, y).to_text()
