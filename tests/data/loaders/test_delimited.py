"""CSV and TSV: types, delimiters, compression."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from fewest.data import load
from fewest.data._loaders import delimited


def test_types_are_found_in_the_values(csv):
    data = load(csv)
    assert data.kinds == {"size": "continuous", "the, colour": "nominal", "grade": "continuous"}
    expected = [[1.5, 1, 3], [np.nan, 0, 4], [np.nan, 1, 5], [2, np.nan, 6]]
    np.testing.assert_array_equal(data.table().values, expected)
    assert (data.name, data.target, data.y.tolist()) == ("t", "y", ["no", "yes", "no", "yes"])
    assert data.table(nominal=["grade"]).cardinalities.tolist() == [0, 2, 4]


def test_underscores_make_labels_and_blanks_do_not(tmp_path):
    (tmp_path / "t.csv").write_text("a,b,y\n1_000, 1 ,u\n2_000,2,v\n")
    data = load(tmp_path / "t.csv")
    assert data.kinds == {"a": "nominal", "b": "continuous"}
    assert data.table().values.tolist() == [[0, 1], [1, 2]]


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_other_delimiters_and_gzip(tmp_path, delimiter):
    path = tmp_path / "t.csv.gz"
    text = "a,b,y\n1,2,u\n3,4,v\n".replace(",", delimiter)
    path.write_bytes(gzip.compress(text.encode()))
    assert load(path).table().values.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["1,5", "-2", "", ",25", "1,5e3"], [1.5, -2.0, np.nan, 0.25, 1500.0]),
        (["1,234", "5,678"], None),
        (["1,5", "a"], None),
        (["1,5,2", "1,2"], None),
    ],
)
@pytest.mark.parametrize("least", [0, np.inf])
def test_decimal_commas_are_numbers_where_semicolons_separate(
    tmp_path, monkeypatch, cells, numbers, least
):
    monkeypatch.setattr(delimited, "LEAST_CHARACTERS", least)
    path = tmp_path / "t.csv"
    path.write_text("a;b\n" + "".join(f"{cell};x\n" for cell in cells))
    found = delimited.read_delimited(path).columns[0].numbers
    assert (found is None) == (numbers is None)
    if numbers is not None:
        np.testing.assert_array_equal(found, numbers)
