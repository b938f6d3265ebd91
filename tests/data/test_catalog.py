"""Every data set of the catalog is what the catalog says."""

import gzip
import hashlib
import json
import re
from collections import Counter

import numpy as np


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
