"""What a node asks before it judges a feature."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.trees import judge as tree_judge
from fewest._kernels.trees.whole import NONE
from tests.kernels.opened import opened


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
