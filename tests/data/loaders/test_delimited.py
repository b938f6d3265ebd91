"""CSV and TSV: types, delimiters, compression."""

from __future__ import annotations

import contextlib
import datetime
import gzip
import random
import sys
import zipfile

import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest._errors import InputError
from fewest.data import load
from fewest.data._loaders import contents as source
from fewest.data._loaders import delimited, frames
from fewest.data._loaders import delimited as compiled
from fewest.data._loaders.arff import split_values
from fewest.data._loaders.contents import Reading
from fewest.data._loaders.other_formats import read_excel, read_json_lines
from fewest.data._write import _quoted


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


pytest.importorskip("pyarrow", reason="the compiled reader needs pyarrow")

CELLS = [
    "1", "-2.5", "1e5", "+3", " 4", "5 ", ".5", "6.", "1_000", "0x10", "inf", "-Infinity", "nan",
    "NaN", "nan(1)", "", "?", "NA", " NA ", "null", "a", "A b", "é", "\u2003x", "\x1cy", "tRue",
    "1,5", '"q"', '"a,b"', '"a\nb"', '""', 'a"b', '"a"b', '"a""b"', ' "a"', "'", "\\", "\u0661",
    "12345678901234567890", "0.1", "1e400", "-0", "00", "\t", "#", "@",
]  # fmt: skip
TEXTS = [
    "a,b\n1,2\n3,4\n", "a,b\r\n1,x\r\n3,y\r\n", "a;b\n1,5;2\n", "a\tb\n1\t2", "a|b\n1|2\n\n3|4\n",
    "a\n1\n\n2\n", "a,b\n1\n", "a,b\n1,2,3\n", "a,b\n", "", "\n\na,b\n1,2\n", '"a,b",c\n1,2\n',
    '"a\nb",c\n1,2\n', "1.5,2\n3,4\n", "a,a\n1,2\n", ",b\n1,2\n", "a,b\n1,2\0\n", 'a,b\n"1,2\n',
    "a,b\n1,\n,2\n", "a,b\n?,NA\n,nan\n", "a,b\n \n1,2\n", "a,b\n1," + "x" * 140_000 + "\n",
    "a,b\n" + "1,2\n" * 50 + "x,2\n", 'a,b\n1,"2"\n"3",4\n', 'a,b\nx",y"\n', "a,b\n1,2\r3,4\n",
]  # fmt: skip


def outcome(read, path):
    try:
        found = read(path)
    except InputError as error:
        return str(error)
    columns = [
        ("numbers", c.numbers.tolist()) if c.numbers is not None else ("labels", list(c.labels))
        for c in found.columns
    ]
    return repr((found.names, columns, found.n_rows))


def check(tmp_path, monkeypatch, text):
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode())
    monkeypatch.setattr(compiled, "LEAST_CHARACTERS", 0)
    fast = outcome(delimited.read_delimited, path)
    monkeypatch.setattr(compiled, "LEAST_CHARACTERS", np.inf)
    assert fast == outcome(delimited.read_delimited, path), text[:200]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_both_readers_give_the_same_columns_or_the_same_sentence(tmp_path, monkeypatch, text):
    check(tmp_path, monkeypatch, text)


def test_any_mixture_of_cells_is_read_in_the_same_way(tmp_path, monkeypatch):
    rng = random.Random(0)
    for _ in range(300):
        kinds = [rng.sample(CELLS, rng.choice([1, 2, 4])) for _ in range(rng.choice([1, 2, 3]))]
        kinds = [kind if rng.random() < 0.5 else ["1", "2.5", "3"] for kind in kinds]
        lines = [",".join(f"c{j}" for j in range(len(kinds)))]
        lines += [
            ",".join(rng.choice(kind) for kind in kinds) for _ in range(rng.choice([1, 5, 20]))
        ]
        check(tmp_path, monkeypatch, "\n".join(lines) + rng.choice(["", "\n"]))


def test_a_regular_text_is_read_by_the_compiled_reader():
    rest = "".join(f"{i}.5,{'ab'[i % 2]},\n" for i in range(20_000))
    number, label, nothing = compiled.read_compiled(rest, [False] * 3, ",", delimited._plain_column)
    assert number.numbers[:2].tolist() == [0.5, 1.5]
    assert label.labels[:3] == ["a", "b", "a"]
    assert np.isnan(nothing.numbers).all()
    assert (
        compiled.read_compiled(rest[:1000], [False] * 3, ",", delimited._plain_column) is None
    )  # too short
    assert (
        compiled.read_compiled(rest + '5,a"b,\n', [False] * 3, ",", delimited._plain_column) is None
    )


def test_numbers_that_are_labels_stay_text():
    rest = "".join(f"0{i % 3}\n" for i in range(40_000))
    (column,) = compiled.read_compiled(rest, [True], ",", delimited._plain_column)
    assert column.labels[:3] == ["00", "01", "02"]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"])), min_size=1, max_size=5))
def test_quoted_values_come_back(values):
    line = ", ".join(map(_quoted, values))
    assert split_values(line) == values


LINES = """{"age": 31, "zip": 4051, "member": true, "y": "a"}

{"age": null, "zip": 1200, "y": "b"}
{"zip": 8001, "member": false, "y": "a", "late": 1.5}
"""


def test_columns_of_all_lines(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text(LINES)
    found = read_json_lines(path)
    assert found.names == ("age", "zip", "member", "y", "late")
    assert found.n_rows == 3
    np.testing.assert_array_equal(found.columns[0].numbers, [31, np.nan, np.nan])
    assert found.columns[2].levels == (False, True)
    assert found.columns[2].codes.tolist() == [1, -1, 0]
    assert found.columns[3].labels == ["a", "b", "a"]
    labels = read_json_lines(path, Reading(labels=frozenset({"zip"}))).columns[1]
    assert labels.labels == ["4051", "1200", "8001"]


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
