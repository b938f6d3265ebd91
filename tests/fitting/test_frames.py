"""What scikit-learn asks of X, in one sentence each."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from fewest import FeatureWeighter, SubsetSelector
from fewest._errors import InputError
from fewest._fitting.requests import checked_frame

Y = [0, 1] * 10
COMPLEX = np.arange(20) * 1j


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.column_stack([COMPLEX, COMPLEX]), "Complex data not supported"),
        ([[z, 1.0] for z in COMPLEX], "Complex data not supported"),
        (np.arange(20.0), "Expected 2D array, got 1D array instead"),
        (np.zeros((20, 2, 2)), "Found array with dim 3"),
        (None, "Expected 2D array"),
        ("iris", "Expected 2D array"),
        ({"a": [1]}, "Expected 2D array"),
        (pd.DataFrame(np.eye(20)[:, :2], columns=["a", "a"]), "'a' occurs 2 times"),
        (pd.DataFrame(np.eye(20)[:, :2], columns=["1", 1]), "'1' occurs 2 times"),
    ],
)
def test_no_table(X, message):
    with pytest.raises(InputError, match=message) as caught:
        SubsetSelector("cfs", search="sfs").fit(X, Y)
    assert "\n" not in str(caught.value)


def test_only_selectors_take_sparse_tables():
    X = sparse.csr_matrix(np.eye(20))
    assert checked_frame(SubsetSelector(), X, Y) is X
    with pytest.raises(InputError, match="Sparse data was passed"):
        FeatureWeighter().fit(X, Y)


def test_names_and_width_are_remembered():
    records = np.array([(1.0, "a"), (2.0, "b")], dtype=[("size", float), ("kind", "U1")])
    for X in (records, pd.DataFrame(records)):
        selector = SubsetSelector()
        assert checked_frame(selector, X, Y[:2]) is X
        assert selector.feature_names_in_.tolist() == ["size", "kind"]
        assert selector.n_features_in_ == 2


def test_a_target_is_needed():
    with pytest.raises(InputError, match="SubsetSelector requires y to be passed"):
        SubsetSelector().fit(np.eye(4))
