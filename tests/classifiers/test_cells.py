import numpy as np

from fewest.classifiers._base import Rows
from fewest.classifiers._cells import Cells, Intervals, Split, half_way
from fewest.data._schema import Schema


def test_cells_by_hand():
    values = np.array([[2.5, 1], [1.0, 0], [np.nan, np.nan], [2.5, 1]])
    rows = Rows(values, np.array([0, 2]), np.array([0, 1, 1, 1]), np.array([1.0, 2, 3, 4]), 2)
    cells = Cells.count(rows)
    assert cells.first.tolist() == [0, 3, 6]
    assert cells.of.tolist() == [[1, 4], [0, 3], [2, 5], [1, 4]]
    assert [v.tolist() for v in cells.values] == [[1.0, 2.5], [0.0, 1.0]]
    found = cells.class_weights(rows, np.array([0, 1, 3]))
    assert found.tolist() == [[0, 2], [1, 4], [0, 0], [0, 2], [1, 4], [0, 0]]


def test_codes_by_hand():
    values = np.array([[1.0, 0], [2.0, 1], [8.0, 1], [9.0, np.nan]])
    rows = Rows(values, np.array([0, 2]), np.array([0, 0, 1, 1]), np.ones(4), 2)
    intervals = Intervals.learn(rows, Schema(("a", "b"), (None, ("p", "q"))))
    assert intervals.sizes.tolist() == [2, 2]
    assert intervals.codes(values).tolist() == [[0, 0], [0, 1], [1, 1], [1, -1]]


def test_branches_and_counts():
    split = Split.by_level(0, 2)
    column = np.array([0.0, 1.0, np.nan, 1.0])
    assert split.branches(column).tolist() == [0, 1, 2, 1]
    counts = split.counts(column, np.array([0, 1, 0, 0]), np.array([1.0, 2, 3, 4]), 2)
    assert counts.tolist() == [[1, 0], [4, 2], [3, 0]]


def test_words():
    split = Split.at(0, np.array([1.0, 2.0]))
    assert split.conditions(None) == ["<= 1", "in (1, 2]", "> 2", "unknown"]
    assert Split.at(0, np.array([])).conditions(None) == ["known", "unknown"]
    assert Split.by_level(0, 2).conditions(("a", "b")) == ["= a", "= b", "unknown"]


def test_half_way_is_never_the_higher_value():
    low = 1.0
    high = np.nextafter(low, 2.0)
    assert half_way(low, high) == low
    assert half_way(1.0, 2.0) == 1.5
