"""Rows handed to branches."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.trees import part as tree_part
from fewest._kernels.trees import whole as tree_whole
from tests.kernels.opened import opened


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
