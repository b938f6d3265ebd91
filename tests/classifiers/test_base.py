import numpy as np
import pytest

from fewest._errors import InputError
from fewest.classifiers import OneR
from fewest.classifiers._base import Rows, shares


def test_rows_of_weight_zero_do_not_count():
    X, y = [["a"], ["b"], ["a"]], ["x", "y", "y"]
    rule = OneR().fit(X, y, sample_weight=[1, 1, 0])
    assert rule.predict([["a"]]).tolist() == ["x"]


def test_taken_rows_keep_what_belongs_to_them():
    rows = Rows(np.arange(6.0).reshape(3, 2), np.array([0, 0]), np.array([0, 1, 1]), np.ones(3), 2)
    part = rows.take(np.array([2, 0]))
    assert part.values.tolist() == [[4, 5], [0, 1]]
    assert part.class_weights.tolist() == [1, 1]
    assert rows.nominal.tolist() == [False, False]


def test_no_counts_give_the_prior():
    assert shares(np.zeros((1, 2)), np.array([1.0, 3.0])).tolist() == [[0.25, 0.75]]


def test_lengths_must_agree():
    with pytest.raises(InputError, match="same number of rows, but have 2 and 3"):
        OneR().fit([["a"], ["b"]], ["x", "y", "y"])
