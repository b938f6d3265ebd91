"""Columns of arrays, frames and lists: what each kind becomes, and what is refused."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fewest.data import Schema, as_table
from fewest.data.columns import column_names, is_unknown, read_columns
from fewest.data.load import load
from fewest.errors import InputError

COMPLEX = [1 + 2j, 3 - 1j]


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.array([COMPLEX, COMPLEX]), "`X` must hold real numbers or labels .Complex data"),
        (pd.DataFrame({"a": COMPLEX}), "Column 'a' of `X` must hold real numbers"),
        (np.array([(1j, 2.0)], dtype=[("a", complex), ("b", float)]), "must hold real numbers"),
        ([[10**400, 1.5], [2, 1.0]], "numbers below 1e308, but holds a whole number of 401 digits"),
        (pl.LazyFrame({"a": [1]}), "LazyFrame; call .collect"),
        ([[1, 2], [3]], "same length, but they have from 1 to 2 values"),
        (np.zeros((0, 2)), "at least one row"),
        (np.zeros((2, 0)), "at least one column"),
        (pl.DataFrame({"a": [[1], [2]]}), "must hold one value per row"),
    ],
)
def test_what_is_no_table(X, message):
    with pytest.raises(InputError, match=message):
        read_columns(X)


def test_objects_that_cannot_be_compared():
    X = pd.DataFrame({"a": [COMPLEX[0], "x", COMPLEX[1]]}, dtype=object)
    with pytest.raises(InputError, match="Column 'a' .* cannot be compared"):
        Schema.learn(X)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_bytes_are_labels(frame):
    table = as_table(frame({"a": [b"\xff", b"u", b"u"]}), [0, 1, 1])
    assert table.levels == ((b"u", b"\xff"),)


def test_names():
    assert column_names(np.zeros((1, 2))) == ("x0", "x1")
    assert column_names(pd.DataFrame({1: [0], "b": [0]})) == ("1", "b")
    assert column_names([[1, 2, 3]]) == ("x0", "x1", "x2")


def test_moments_are_seconds():
    days = [datetime.datetime(1970, 1, 1), datetime.datetime(1970, 1, 2)]
    for X in (pd.DataFrame({"a": days}), pl.DataFrame({"a": days})):
        assert read_columns(X).columns[0].numbers.tolist() == [0.0, 86400.0]


@pytest.mark.parametrize("value", [None, float("nan"), pd.NA, pd.NaT])
def test_unknown_values(value):
    assert is_unknown(value)
    assert not is_unknown("")


@pytest.mark.parametrize("kind", [pa.int64(), pa.uint64()])
def test_whole_numbers_beyond_what_floats_hold_exactly_are_rounded(kind, tmp_path):
    table = pa.table({"id": pa.array([2**53 + 1, 2**62, None], kind), "y": ["u", "v", "v"]})
    expected = [float(2**53 + 1), float(2**62)]
    assert read_columns(table).columns[0].numbers.tolist()[:2] == expected
    assert np.isnan(read_columns(table).columns[0].numbers[2])
    pq.write_table(table, tmp_path / "ids.parquet")
    assert load(tmp_path / "ids.parquet").X["id"].tolist()[:2] == expected
