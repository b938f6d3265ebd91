"""Slices keep type, names and dtypes."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from fewest.data._rows import take_columns, take_rows

COLUMNS = {"a": [1, 2, 3], "b": ["x", "y", "z"], "c": [0.5, 1.5, 2.5]}
FRAMES = [pd.DataFrame(COLUMNS, index=[9, 8, 7]), pl.DataFrame(COLUMNS), pa.table(COLUMNS)]


@pytest.mark.parametrize("rows", [np.array([2, 0]), np.array([True, False, True])])
@pytest.mark.parametrize("X", FRAMES, ids=["pandas", "polars", "arrow"])
def test_rows_of_frames(X, rows):
    part = take_rows(X, rows)
    assert type(part) is type(X)
    order = [2, 0] if rows.dtype != bool else [0, 2]
    assert list(part["a"].to_numpy()) == [COLUMNS["a"][i] for i in order]


@pytest.mark.parametrize("support", [np.array([0, 2]), np.array([True, False, True])])
@pytest.mark.parametrize("X", FRAMES, ids=["pandas", "polars", "arrow"])
def test_columns_of_frames(X, support):
    part = take_columns(X, support)
    assert type(part) is type(X)
    names = part.column_names if isinstance(part, pa.Table) else part.columns
    assert list(names) == ["a", "c"]
    kind = "type" if isinstance(part, pa.Table) else "dtype"
    assert getattr(part["a"], kind) == getattr(X["a"], kind)


@pytest.mark.parametrize("kind", [pd.Series, pl.Series, np.array, list, pa.chunked_array])
def test_rows_of_one_column(kind):
    values = kind([[1, 2, 3]]) if kind is pa.chunked_array else kind([1, 2, 3])
    part = take_rows(values, np.array([2, 0]))
    assert type(part) is type(values)
    assert [int(str(v)) for v in part] == [3, 1]


def test_sparse_keeps_its_format():
    X = sparse.random(6, 4, 0.5, random_state=0, format="coo")
    assert take_columns(X, np.array([1, 3])).format == "coo"
    np.testing.assert_array_equal(take_rows(X, np.array([5, 0])).toarray(), X.toarray()[[5, 0]])


def test_structured_arrays_become_what_estimators_take():
    X = np.array([(1.0, 2, "a"), (3.0, 4, "b")], dtype=[("n", float), ("i", int), ("s", object)])
    assert take_columns(X, np.array([0, 1])).dtype == np.float64
    assert take_columns(X, np.array([1, 2])).tolist() == [[2, "a"], [4, "b"]]
    assert take_rows(X, np.array([1]))["s"].tolist() == ["b"]
