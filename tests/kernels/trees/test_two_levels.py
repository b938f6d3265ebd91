import numpy as np
import pytest

from fewest._kernels.trees.two_levels import best_intervals, best_root, interval_classes
from fewest.classifiers._base import Rows
from fewest.classifiers._cells import Cells
from tests.naive.two_levels import most_right


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
