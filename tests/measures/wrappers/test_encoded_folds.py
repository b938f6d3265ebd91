"""Rows of folds as a classifier that is trained on them encodes them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from fewest.classifiers import OneR
from fewest.data.build import as_table
from fewest.measures.wrappers.encoded_folds import encoded_folds
from fewest.measures.wrappers.wrapped import WrappedScorer


def test_what_training_does_not_show_is_unknown():
    X = pd.DataFrame({"a": ["p", "q", "r", "p"], "b": [1.0, 2.0, np.nan, 4.0]})
    y = np.array(["u", "v", "w", "u"])
    split = np.array([0, 1, 3]), np.array([2])
    (fold,) = encoded_folds(WrappedScorer(OneR(), as_table(X, y), (split,)))
    assert fold.rows.values.tolist() == [[0.0, 1.0], [1.0, 2.0], [0.0, 4.0]]
    assert fold.rows.cardinalities.tolist() == [2, 0]
    assert (fold.rows.target.tolist(), fold.rows.n_classes) == ([0, 1, 0], 2)
    # The level r and the class w are in the test row only.
    assert np.isnan(fold.values[2]).all()
    assert fold.truth.tolist() == [-1]
