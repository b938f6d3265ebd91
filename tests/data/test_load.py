"""Files and names become data sets."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.data import load


def test_any_column_is_the_target(csv):
    data = load(csv, target="grade")
    assert data.names == ("size", "the, colour", "y")
    assert data.y.dtype == np.int64


def test_an_infinite_value_in_a_file_is_named(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n1,u\ninf,v\n")
    with pytest.raises(InputError, match="column 'a' has an infinite value in row 1"):
        load(tmp_path / "t.csv").table()


def test_rows_without_a_class_are_named(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n1,u\n2,?\n3,v\n")
    with pytest.raises(InputError, match=r"unknown \(NaN\) in 1 \(the first is row 1\)"):
        load(tmp_path / "t.csv").table()


def test_no_such_file_target_or_name(csv):
    with pytest.raises(InputError, match="There is no file nowhere/t.csv"):
        load("nowhere/t.csv")
    with pytest.raises(InputError, match="'grad' is none; did you mean 'grade'"):
        load(csv, target="grad")
    with pytest.raises(InputError, match="no data set 'irsi'; did you mean 'iris'"):
        load("irsi")
    with pytest.raises(InputError, match="`target` of iris must be 'species'"):
        load("iris", target="class")


def test_names_in_a_folder(tmp_path, monkeypatch):
    (tmp_path / "mine.csv").write_text("y,a\nu,1\nv,2\n")
    (tmp_path / "catalog.json").write_text(
        '{"datasets": [{"name": "my-own", "file": "mine.csv", "class_attribute": "y"}]}'
    )
    monkeypatch.setenv("FEWEST_DATA", str(tmp_path))
    assert load("my-own").target == "y"
    assert load("my-own").name == "my-own"
    assert load("mine").target == "y"
    (tmp_path / "catalog.json").write_text("[]")
    with pytest.raises(InputError, match="must be JSON with a list `datasets`"):
        load("my-own")


@pytest.mark.parametrize(
    "entries", ["3", "{}", "[3]", "[{}]", '[{"name": 3}]', '[{"name": "a", "file": []}]']
)
def test_a_malformed_catalog_is_a_sentence(tmp_path, entries):
    (tmp_path / "table.csv").write_text("a,y\n1,u\n2,v\n")
    (tmp_path / "catalog.json").write_text('{"datasets": ' + entries + "}")
    with pytest.raises(InputError, match=r"catalog\.json must be"):
        load(tmp_path / "table.csv")
