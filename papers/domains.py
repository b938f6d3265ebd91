"""Data of a domain: from a file, or generated."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from fewest._errors import InputError
from fewest.data._columns import Column, Columns
from fewest.data._dataset import Dataset
from fewest.data._generators import generate
from fewest.data._load import find, load
from fewest.data._loaders.frames import make_frame
from fewest.data._schema import schema_of

from .paper import Paper

#: The label of an unknown value, where it is a value like others.
UNKNOWN = "?"


@lru_cache(maxsize=4)
def _load(name: str, folder: Path | None) -> Dataset:
    return load(find(name, first=folder) or name)


def domain_data(paper: Paper, domain: str, seed: int, which: str = "data") -> Dataset:
    """Return the data set that a paper calls by this name; ``which`` may have a file of its own."""
    entry = paper.domains[domain]
    if "generate" in entry:
        return generate(entry["generate"], entry.get("rows"), seed)
    return _load(entry.get(which, entry["data"]), paper.folder)


def labelled(data: Dataset) -> Dataset:
    """Turn every value into a label, numbers and unknown ones too."""
    table = data.table(nominal=list(data.names))
    columns = []
    for j, levels in enumerate(table.levels):
        labels = tuple(str(level) for level in levels or ())
        codes = np.where(table.missing[:, j], len(labels), table.values[:, j]).astype(np.int64)
        more = (UNKNOWN,) if table.missing[:, j].any() else ()
        columns.append(Column(levels=(*labels, *more), codes=codes))
    found = Columns(data.names, tuple(columns), table.n_rows, True)
    schema = schema_of(found)
    return replace(data, X=make_frame(schema, found.columns), schema=schema)


def why_absent(paper: Paper, domain: str) -> str | None:
    """Return a sentence why a domain cannot be run, or None if it can."""
    entry = paper.domains[domain]
    if "absent" in entry:
        return str(entry["absent"])
    for name in (entry.get("data"), entry.get("test")):
        if name is not None:
            try:
                _load(name, paper.folder)
            except InputError:
                return (
                    f"{domain}: there is no data set {name!r} here; put it into the folder that "
                    "$FEWEST_DATA names."
                )
    return None


def test_data(paper: Paper, domain: str) -> Dataset | None:
    """Return the test file of a domain that has one."""
    name = paper.domains[domain].get("test")
    return None if name is None else _load(name, paper.folder)
