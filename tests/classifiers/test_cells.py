import numpy as np

from fewest.classifiers._base import Rows
from fewest.classifiers._cells import Cells


def test_cells_by_hand():
    values = np.array([[2.5, 1], [1.0, 0], [np.nan, np.nan], [2.5, 1]])
    rows = Rows(values, np.array([0, 2]), np.array([0, 1, 1, 1]), np.array([1.0, 2, 3, 4]), 2)
    cells = Cells.count(rows)
    assert cells.first.tolist() == [0, 3, 6]
    assert cells.of.tolist() == [[1, 4], [0, 3], [2, 5], [1, 4]]
    assert [v.tolist() for v in cells.values] == [[1.0, 2.5], [0.0, 1.0]]
    found = cells.class_weights(rows, np.array([0, 1, 3]))
    assert found.tolist() == [[0, 2], [1, 4], [0, 0], [0, 2], [1, 4], [0, 0]]
