from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fewest._errors import InputError
from fewest.classifiers import NaiveBayes, OneR
from fewest.classifiers._base import Rows, checked_table, known_target, shares


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


def test_frames_and_labels_stay_as_they_are():
    frame = pd.DataFrame({"a": ["x", None], "b": [1.0, np.nan]})
    model = NaiveBayes()
    assert checked_table(model, frame, reset=True) is frame
    assert model.feature_names_in_.tolist() == ["a", "b"]
    labels = np.array([["x", None], ["y", 1.5]], dtype=object)
    assert checked_table(NaiveBayes(), labels, reset=True) is labels


def test_infinite_numbers_are_refused():
    with pytest.raises(ValueError, match="infinity"):
        checked_table(NaiveBayes(), np.array([[np.inf]]), reset=True)


def test_another_width_is_refused_after_the_fit():
    model = NaiveBayes().fit([[1.0, 2.0], [2.0, 1.0]], [0, 1])
    with pytest.raises(ValueError, match="2 features"):
        checked_table(model, np.zeros((1, 3)), reset=False)


def test_a_target_is_needed():
    with pytest.raises(InputError, match="NaiveBayes requires y to be passed"):
        known_target(NaiveBayes(), None)
