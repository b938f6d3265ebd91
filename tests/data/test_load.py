"""Files and names become data sets."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections import Counter

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.data import as_table, generate, load
from fewest.data._columns import Column, Columns
from fewest.data._dataset import describe, make_dataset
from fewest.data._write import looks_numeric, write


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


def test_every_file_agrees_with_its_entry(catalog, dataset):
    for name, entry in catalog.items():
        data = dataset(name)
        table = data.table()
        kinds = Counter(data.kinds.values())
        assert data.name == name
        assert data.target == entry["class_attribute"]
        assert (table.n_rows, table.n_features) == (entry["instances"], entry["features"]), name
        assert kinds["continuous"] == entry["n_continuous"], name
        assert kinds["nominal"] == entry["n_nominal"], name
        assert int(table.missing.sum()) == entry["missing_values"], name
        counts = dict(zip(table.classes.tolist(), np.bincount(table.target), strict=True))
        assert counts == {k: v for k, v in entry["class_counts"].items() if v}, name


def test_every_entry_names_source_citation_and_licence(catalog):
    for name, entry in catalog.items():
        assert all(entry[field].strip() for field in ("source", "citation", "licence")), name


def test_every_file_has_an_entry_and_its_checksum(catalog, data_folder):
    files = {path.name: path.read_bytes() for path in data_folder.glob("*.arff.gz")}
    assert {entry["file"] for entry in catalog.values()} == set(files)
    for entry in catalog.values():
        assert hashlib.sha256(files[entry["file"]]).hexdigest() == entry["sha256"], entry["name"]


def test_papers_are_those_of_the_reproduction(catalog, data_folder):
    papers = json.loads((data_folder / "catalog.json").read_text(encoding="utf-8"))["papers"]
    assert set(papers) == {"inza2000", "inza2002", "dash2003", "hsu2004", "drugan2010"}
    assert {paper["paper"] for entry in catalog.values() for paper in entry["papers"]} <= set(
        papers
    )


def test_networks_are_what_their_catalog_says(data_folder):
    folder = data_folder / "networks"
    networks = json.loads((folder / "catalog.json").read_text(encoding="utf-8"))["networks"]
    assert {entry["file"] for entry in networks} == {p.name for p in folder.glob("*.bif.gz")}
    for entry in networks:
        text = gzip.decompress((folder / entry["file"]).read_bytes()).decode()
        parents = [
            p.split(",") for p in re.findall(r"^probability *\([^|)]+\|([^)]*)\)", text, re.M)
        ]
        assert len(re.findall(r"^variable ", text, re.M)) == entry["variables"], entry["name"]
        assert sum(map(len, parents)) == entry["arcs"], entry["name"]
        assert max(map(len, parents)) == entry["max_parents"], entry["name"]
        assert entry["citation"]
        assert entry["source"]


COLUMNS = Columns(
    ("size", "kind", "grade"),
    (
        Column(numbers=np.array([1.5, 2.0, np.nan])),
        Column(labels=["b", None, "a"]),
        Column(labels=["good", "bad", "good"]),
    ),
    3,
    True,
)


def test_any_column_is_the_target_of_dataset():
    data = make_dataset(COLUMNS, "grade", "parts", about="Three parts.")
    assert data.names == ("size", "kind")
    assert data.kinds == {"size": "continuous", "kind": "nominal"}
    assert data.y.tolist() == ["good", "bad", "good"]
    assert data.about == "Three parts."
    other = make_dataset(COLUMNS, "kind", "parts")
    assert other.names == ("size", "grade")


def test_its_table_is_coded_by_its_schema():
    table = make_dataset(COLUMNS, "grade", "parts").table()
    np.testing.assert_array_equal(table.values, [[1.5, 1], [2.0, np.nan], [np.nan, 0]])
    assert table.classes.tolist() == ["bad", "good"]


def test_columns_can_be_made_nominal():
    data = make_dataset(COLUMNS, "grade", "parts")
    assert data.table(nominal="size").levels[0] == (1.5, 2)


def test_it_says_what_it_is():
    text = repr(make_dataset(COLUMNS, "grade", "parts"))
    assert text == (
        "Dataset parts: 3 rows, 2 features (1 continuous, 1 nominal), target 'grade' with 2 classes"
    )


def test_counts_kinds_and_ranges():
    columns = (
        Column(numbers=np.array([1.0, np.nan, -3.0])),
        Column(labels=["b", "a", None]),
        Column(labels=["no", "yes", "no"]),
    )
    summary = describe(make_dataset(Columns(("n", "l", "y"), columns, 3, True), "y", "few"))
    assert (summary["rows"], summary["features"], summary["unknown"]) == (3, 2, 2)
    assert (summary["continuous"], summary["nominal"]) == (1, 1)
    assert summary["classes"] == {"no": 2, "yes": 1}
    number, label = summary["columns"]
    assert number == {
        "name": "n", "unknown": 1, "kind": "continuous", "low_mean_high": [-3.0, -1.0, 1.0],
    }  # fmt: skip
    assert label["levels"] == ["a", "b"]


def test_a_numeric_target_has_no_classes():
    assert describe(load("diabetes"))["classes"] is None


def test_generated_sets_tell_what_is_relevant():
    assert describe(load("corral"))["relevant"] == ["A0", "A1", "B0", "B1"]


@pytest.mark.parametrize("name", ["iris", "wine", "wdbc", "digits", "diabetes"])
def test_what_ships(name):
    data = load(name)
    table = data.table(task="regression" if name == "diabetes" else None)
    assert table.n_rows == len(data.y)
    assert not table.missing.any()
    assert table.n_classes == {"iris": 3, "wine": 3, "wdbc": 2, "digits": 10, "diabetes": 0}[name]


@pytest.fixture
def awkward():
    levels = ("it's", "a, b", "?", 'say "x"', "back\\slash", "two\nlines", "100%", "{x}")
    columns = (
        Column(numbers=np.array([0.1, np.nan, 1e300, -3.0, 1 / 3, 0, 7, 1e-9])),
        Column(levels=levels, codes=np.array([0, 1, 2, 3, 4, 5, 6, -1])),
        Column(levels=("no", "yes"), codes=np.array([0, 1] * 4)),
    )
    every = Columns(("a number", "it's a label", "y"), columns, 8, True)
    return make_dataset(every, "y", "awkward set")


@pytest.mark.parametrize("ending", ["arff", "arff.gz"])
def test_arff_keeps_everything(awkward, tmp_path, ending):
    write(awkward, tmp_path / f"t.{ending}")
    assert load(tmp_path / f"t.{ending}").table().fingerprint == awkward.table().fingerprint


@pytest.mark.parametrize("name", ["iris", "monks-1", "waveform-21", "diabetes"])
@pytest.mark.parametrize("ending", ["csv", "csv.gz", "tsv"])
def test_delimited_keeps_values(name, ending, tmp_path):
    data = load(name) if name in ("iris", "diabetes") else generate(name)
    write(data, tmp_path / f"t.{ending}")
    nominal = [n for n, kind in data.kinds.items() if kind == "nominal"]
    back = load(tmp_path / f"t.{ending}")
    table = as_table(back.X, back.y.astype(data.y.dtype), nominal=nominal)
    np.testing.assert_array_equal(table.values, data.table().values)
    np.testing.assert_array_equal(table.target, data.table().target)
    assert looks_numeric(data) == (name == "monks-1")


def test_every_file_of_the_catalog_survives_arff(dataset, tmp_path):
    for name in ("horse-colic", "credit-crx", "soybean-large"):
        write(dataset(name), tmp_path / f"{name}.arff")
        again = load(tmp_path / f"{name}.arff")
        assert again.table().fingerprint == dataset(name).table().fingerprint


def test_sentences(tmp_path):
    with pytest.raises(InputError, match="must end in .csv, .tsv or .arff"):
        write(load("iris"), tmp_path / "t.xlsx")
    with pytest.raises(InputError, match="folder of .* must exist"):
        write(load("iris"), tmp_path / "no" / "t.csv")
