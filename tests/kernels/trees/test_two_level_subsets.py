"""Two-level trees of subsets: the table against brute force, the answers against T2."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.trees.two_levels import (
    best_second,
    best_tree,
    branch_of,
    fill_table,
    leaf_classes,
    row_of,
)
from fewest.classifiers._cells import Cells
from fewest.measures._wrappers.rules.decision_tables import _starts
from tests.kernels.trees.test_two_levels import random_rows
from tests.naive.two_levels import most_right


@pytest.mark.parametrize("seed", range(30))
def test_no_tree_over_the_subset_gets_more_right(seed):
    rows, most = random_rows(seed), 1 + seed % 4
    cells = Cells.count(rows)
    start = _starts(cells, rows)
    table = np.full((start[-1], 3), -1, np.int32)
    fill_table(cells.of, rows.target, cells.first, rows.nominal, most, 3, start, table)
    assert (table >= 0).all()
    for chosen in ([0], [1, 2], [0, 2], [0, 1, 2]):
        root, cut = best_tree(table, start, rows.nominal, np.array(chosen))
        nominal = rows.nominal[root]
        branches = range(cells.first[root + 1] - cells.first[root]) if nominal else (0, 1, 2)
        right = sum(
            best_second(table, row_of(start, nominal, root, cut, b), np.array(chosen))[1]
            for b in branches
            if nominal or cut >= 0 or b != 1
        )
        plain = [[None if v != v else v for v in row] for row in rows.values[:, chosen].tolist()]
        kinds = rows.nominal[chosen].tolist()
        assert right == most_right(plain, rows.target.tolist(), kinds, most)


def test_branches_of_a_root():
    first = np.array([0, 4, 9])
    assert [branch_of(c, first, False, 1, 1) for c in (4, 5, 6, 7, 8, -1)] == [0, 0, 1, 1, 2, 0]
    assert [branch_of(c, first, False, 1, -1) for c in (4, 7, 8)] == [0, 0, 2]
    assert [branch_of(c, first, True, 0, -1) for c in range(4)] == [0, 1, 2, 3]


def test_leaves_without_rows_follow_the_branch_and_an_empty_branch_the_whole():
    leaves = np.zeros(5, np.int64)
    counts = np.array([[2.0, 0], [0, 0], [0, 5], [0, 0]])
    leaf_classes(counts, True, 3, 0, leaves)
    assert leaves.tolist() == [0, 1, 1, 1, 1]
    leaf_classes(counts * 0, True, 3, 0, leaves)
    assert leaves.tolist() == [0] * 5
    # Two intervals: the cell without rows belongs to one of them.
    leaf_classes(counts, False, 3, 0, leaves)
    assert leaves[[0, 2]].tolist() == [0, 1]
