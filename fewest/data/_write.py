"""Data sets as files: CSV and TSV for everybody, ARFF where kinds and levels must survive."""

from __future__ import annotations

import csv
import gzip
import io
import os
import re
from pathlib import Path

import numpy as np

from .._errors import InputError
from ._dataset import Dataset

_BARE = re.compile(r"[^\s,'\"\\{}%?]+")


def write(dataset: Dataset, path: str | os.PathLike[str]) -> None:
    """Write a data set, the target last, as its name's ending says (also ``.gz``)."""
    file = Path(path)
    ending = Path(file.name.removesuffix(".gz")).suffix.lower()
    if ending not in (".csv", ".tsv", ".arff"):
        raise InputError(
            f"The file to write must end in .csv, .tsv or .arff (or .gz of these), but is {file}."
        )
    if not file.parent.is_dir():
        raise InputError(f"The folder of {file} must exist, but does not; make it first.")
    text = _arff(dataset) if ending == ".arff" else _delimited(dataset, ending)
    packed = file.suffix == ".gz"
    # Without a time in the header the same data give the same bytes.
    file.write_bytes(gzip.compress(text.encode(), mtime=0) if packed else text.encode())


def looks_numeric(dataset: Dataset) -> bool:
    """Return whether some nominal feature would be read back from CSV as numbers."""
    return any(
        levels and all(re.fullmatch(r"[-+]?\d+(\.\d*)?", str(v)) for v in levels)
        for levels in dataset.schema.levels
    )


def _cells(dataset: Dataset) -> list[list[str | None]]:
    """Return the text of every value by column, the target last; None where unknown."""
    values = dataset.schema.encode(dataset.X)
    columns: list[list[str | None]] = []
    for j, levels in enumerate(dataset.schema.levels):
        column = values[:, j].tolist()
        if levels is None:
            columns.append([None if v != v else _number(v) for v in column])
        else:
            columns.append([None if v != v else str(levels[int(v)]) for v in column])
    target = dataset.y.tolist()
    numeric = dataset.y.dtype.kind == "f"
    columns.append([None if v is None else _number(v) if numeric else str(v) for v in target])
    return columns


def _number(value: float) -> str:
    return str(int(value)) if value % 1 == 0 and abs(value) < 1e15 else repr(value)


def _delimited(dataset: Dataset, ending: str) -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t" if ending == ".tsv" else ",", lineterminator="\n")
    writer.writerow([*dataset.names, dataset.target])
    writer.writerows(zip(*_cells(dataset), strict=True))
    return out.getvalue()


def _arff(dataset: Dataset) -> str:
    classes = [str(v) for v in np.unique(dataset.y)] if dataset.y.dtype.kind not in "iuf" else None
    kinds = [*dataset.schema.levels, classes]
    lines = [f"@relation {_quoted(dataset.name)}", ""]
    for name, levels in zip([*dataset.names, dataset.target], kinds, strict=True):
        kind = "numeric" if levels is None else "{" + ",".join(map(_quoted, levels)) + "}"
        lines.append(f"@attribute {_quoted(name)} {kind}")
    lines += ["", "@data"]
    for row in zip(*_cells(dataset), strict=True):
        lines.append(",".join("?" if cell is None else _quoted(cell) for cell in row))
    return "\n".join(lines) + "\n"


def _quoted(value: object) -> str:
    text = str(value)
    if _BARE.fullmatch(text):
        return text
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    for letter, plain in (("\n", "n"), ("\t", "t"), ("\r", "r")):
        escaped = escaped.replace(letter, "\\" + plain)
    return f"'{escaped}'"
