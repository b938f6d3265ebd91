"""What every classifier asks of the table and the target."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fewest._errors import InputError
from fewest.classifiers import NaiveBayes
from fewest.classifiers._base import checked_table, known_target


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
