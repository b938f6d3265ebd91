"""Parquet files."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest

from fewest._errors import InputError
from fewest.data import load


def test_parquet(tmp_path):
    frame = pd.DataFrame(
        {"n": [1.0, None, 3.0], "c": pd.Categorical(["u", None, "v"]), "y": [0, 1, 0]}
    )
    frame.to_parquet(tmp_path / "t.parquet")
    data = load(tmp_path / "t.parquet")
    np.testing.assert_array_equal(data.table().values, [[1, 0], [np.nan, np.nan], [3, 1]])


def test_without_pyarrow_parquet_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(InputError, match=r"needs pyarrow; .* 'fewest\[parquet\]'"):
        load(tmp_path / "t.parquet")
