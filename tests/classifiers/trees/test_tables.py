"""Tables as the tree kernels want them."""

from __future__ import annotations

import numpy as np

from fewest._kernels.trees.forest import COMPLETE, LEVELS, SLOT
from fewest._kernels.trees.whole import NONE
from fewest.classifiers._trees.encoding import tree_table

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
