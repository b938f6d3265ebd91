import numpy as np

from fewest.classifiers._cells import Split, half_way


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
