import numpy as np

from fewest.classifiers._base import Rows
from fewest.classifiers._cells import Intervals
from fewest.data._schema import Schema


def test_codes_by_hand():
    values = np.array([[1.0, 0], [2.0, 1], [8.0, 1], [9.0, np.nan]])
    rows = Rows(values, np.array([0, 2]), np.array([0, 0, 1, 1]), np.ones(4), 2)
    intervals = Intervals.learn(rows, Schema(("a", "b"), (None, ("p", "q"))))
    assert intervals.sizes.tolist() == [2, 2]
    assert intervals.codes(values).tolist() == [[0, 0], [0, 1], [1, 1], [1, -1]]
