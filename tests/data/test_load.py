"""Files and names become data sets."""

import gzip
import sys

import numpy as np
import pandas as pd
import pytest

from fewest.data import load
from fewest.data.loaders import frames
from fewest.errors import InputError

CSV = 'size,"the, colour",grade,y\n1.5,red,3,no\n?,blue,4,yes\nNA, red ,5,no\n2,"",6,yes\n'


@pytest.fixture
def csv(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(CSV)
    return path


def test_types_are_found_in_the_values(csv):
    data = load(csv)
    assert data.kinds == {"size": "continuous", "the, colour": "nominal", "grade": "continuous"}
    expected = [[1.5, 1, 3], [np.nan, 0, 4], [np.nan, 1, 5], [2, np.nan, 6]]
    np.testing.assert_array_equal(data.table().values, expected)
    assert (data.name, data.target, data.y.tolist()) == ("t", "y", ["no", "yes", "no", "yes"])
    assert data.table(nominal=["grade"]).cardinalities.tolist() == [0, 2, 4]


def test_any_column_is_the_target(csv):
    data = load(csv, target="grade")
    assert data.names == ("size", "the, colour", "y")
    assert data.y.dtype == np.int64


def test_underscores_make_labels_and_blanks_do_not(tmp_path):
    (tmp_path / "t.csv").write_text("a,b,y\n1_000, 1 ,u\n2_000,2,v\n")
    data = load(tmp_path / "t.csv")
    assert data.kinds == {"a": "nominal", "b": "continuous"}
    assert data.table().values.tolist() == [[0, 1], [1, 2]]


def test_an_infinite_value_in_a_file_is_named(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n1,u\ninf,v\n")
    with pytest.raises(InputError, match="column 'a' has an infinite value in row 1"):
        load(tmp_path / "t.csv").table()


def test_rows_without_a_class_are_named(tmp_path):
    (tmp_path / "t.csv").write_text("a,y\n1,u\n2,?\n3,v\n")
    with pytest.raises(InputError, match=r"unknown \(NaN\) in 1 \(the first is row 1\)"):
        load(tmp_path / "t.csv").table()


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_other_delimiters_and_gzip(tmp_path, delimiter):
    path = tmp_path / "t.csv.gz"
    text = "a,b,y\n1,2,u\n3,4,v\n".replace(",", delimiter)
    path.write_bytes(gzip.compress(text.encode()))
    assert load(path).table().values.tolist() == [[1, 2], [3, 4]]


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


@pytest.mark.parametrize("absent", [{"pandas"}, {"pandas", "polars"}])
def test_the_same_table_without_pandas_and_without_polars(csv, monkeypatch, absent):
    expected = load(csv).table()
    find_spec = frames.find_spec
    monkeypatch.setattr(frames, "find_spec", lambda m: None if m in absent else find_spec(m))
    data = load(csv)
    assert type(data.X).__module__.split(".")[0] == ("numpy" if len(absent) == 2 else "polars")
    assert data.table().fingerprint == expected.fingerprint
    assert data.table(nominal=[2]).cardinalities.tolist() == [0, 2, 4]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("t.csv", b"", "line of column names, but is empty"),
        ("t.csv", b"a,b\n", "at least one row"),
        ("t.csv", b"a,b\n1\n", "Row 2 of .* must have 2 values .* but has 1"),
        ("t.csv", b"5.1,3.5,x\n4.9,3.0,y\n", "first line holds '5.1'; put the names there"),
        ("t.csv", b"a,a,y\n1,2,3\n", "'a' occurs 2 times"),
        ("t.csv", b"a\n1\n", "a target and at least one feature, but has one column only"),
        ("t.csv", b"\x1f\x8b\x08", "is gzip-compressed; add .gz to its name"),
        ("t.csv", b"PK\x03\x04\x00\x00", "text file, as its name says, but holds binary data"),
        ("t.csv", b"a,b\n1,\xe9\n", "UTF-8, but line 2 is not"),
        ("t.csv", b"@relation r\n", "must be a CSV file.*but is ARFF"),
        ("t.csv.gz", b"a,b\n1,2\n", "must be gzip-compressed, as its name says, but is not"),
        ("t.csv.gz", gzip.compress(b"a,b\n1,2\n" * 99, mtime=0)[:-9], "damaged gzip file"),
        ("t.parquet", b"a,b\n1,2\n", "must be a Parquet file, as its name says"),
        ("t.xlsx", b"PK", r"ends in .arff, .csv, .tsv, .parquet .* but ends in '.xlsx'"),
    ],
)
def test_files_that_are_not_what_they_say(tmp_path, name, content, sentence):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=sentence):
        load(path)


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


@pytest.mark.parametrize("name", ["iris", "wine", "wdbc", "digits", "diabetes"])
def test_what_ships(name):
    data = load(name)
    table = data.table(task="regression" if name == "diabetes" else None)
    assert table.n_rows == len(data.y)
    assert not table.missing.any()
    assert table.n_classes == {"iris": 3, "wine": 3, "wdbc": 2, "digits": 10, "diabetes": 0}[name]
