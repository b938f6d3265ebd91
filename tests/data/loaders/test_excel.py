"""Excel files: the first sheet, names in its first row."""

from __future__ import annotations

import datetime

import numpy as np
import openpyxl
import pytest

from fewest._errors import InputError
from fewest.data import load
from fewest.data._loaders.other_formats import read_excel


def written(tmp_path, rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.create_sheet("notes").append(["not", "read"])
    path = tmp_path / "t.xlsx"
    book.save(path)
    return path


ROWS = [
    ["size", "city", "day", None, "y"],
    [1.5, "Bern", datetime.datetime(2020, 1, 1), 1, "a"],
    [None, "Chur", datetime.datetime(2020, 1, 2), 2, "b"],
    [3, None, None, 3, "a"],
]


def test_cells_are_numbers_moments_and_labels(tmp_path):
    data = load(written(tmp_path, ROWS))
    assert data.names == ("size", "city", "day", "unnamed3")
    assert data.kinds["city"] == "nominal"
    np.testing.assert_array_equal(data.X["size"], [1.5, np.nan, 3])
    assert np.diff(data.X["day"])[0] == 86_400
    assert data.y.tolist() == ["a", "b", "a"]
    declared = load(written(tmp_path, ROWS), types={"unnamed3": "nominal"})
    assert declared.kinds["unnamed3"] == "nominal"


def test_an_empty_sheet(tmp_path):
    with pytest.raises(InputError, match="must begin with a row of column names, but is empty"):
        read_excel(written(tmp_path, []))
    with pytest.raises(InputError, match="There is no file"):
        read_excel(tmp_path / "none.xlsx")
