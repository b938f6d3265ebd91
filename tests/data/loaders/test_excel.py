"""Excel files: the first sheet, names in its first row."""

from __future__ import annotations

import contextlib
import datetime
import zipfile

import numpy as np
import openpyxl
import pytest

from fewest.data import load
from fewest.data.loaders import source
from fewest.data.loaders.excel import read_excel
from fewest.errors import InputError


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


def test_a_part_that_is_damaged_inside_is_said_in_one_sentence(tmp_path):
    whole = written(tmp_path, ROWS)
    parts = {part: zipfile.ZipFile(whole).read(part) for part in zipfile.ZipFile(whole).namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    hurt = [
        parts[sheet][:300], parts[sheet].replace(b"<v>", b"<v>x", 1),
        parts[sheet].replace(b't="s"', b't="d"', 1), parts[sheet].replace(b'r="A1"', b'r="!"', 1),
    ]  # fmt: skip
    read = 0
    for content in hurt:
        with zipfile.ZipFile(tmp_path / "h.xlsx", "w") as file:
            for part, old in parts.items():
                file.writestr(part, content if part == sheet else old)
        with contextlib.suppress(InputError):
            read_excel(tmp_path / "h.xlsx")
            read += 1
    assert read <= 2


def test_a_small_workbook_that_would_fill_the_memory_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "MOST_GIGABYTES", 1e-6)
    monkeypatch.setattr(source, "MOST_TIMES", 1)
    with pytest.raises(InputError, match="GB in memory"):
        load(written(tmp_path, ROWS * 100))
