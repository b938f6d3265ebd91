"""CSV and TSV: a line of names, then rows; the types are found in the values."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np

from ...errors import InputError
from ..columns import Column, Columns
from .compiled import read_compiled
from .source import PLAIN, Reading, read_text

#: What stands for an unknown value in a file.
UNKNOWN = frozenset({"", "?", "NA", "N/A", "NaN", "nan", "null", "NULL"})


def read_delimited(path: Path, reading: Reading = PLAIN) -> Columns:
    """The columns of a CSV file (comma, semicolon, tab or bar); numbers where all values are."""
    text = read_text(path, reading.encoding)
    first = text.lstrip().split("\n", 1)[0]
    if first.lower().startswith("@relation"):
        raise InputError(f"{path} must be a CSV file, as its name says, but is ARFF; rename it.")
    compiled = _compiled(path, text, _delimiter(first), reading)
    return _plain(path, text, _delimiter(first), reading) if compiled is None else compiled


def _compiled(path: Path, text: str, delimiter: str, reading: Reading) -> Columns | None:
    """The columns by a compiled reader, if there is one and the text is regular."""
    head, _, rest = text.partition("\n")
    # Names over several lines, or lines before them, are left to the plain reader.
    if not head.strip() or head.count('"') % 2:
        return None
    try:
        names = _names(path, [row for row in csv.reader([head], delimiter=delimiter) if row])
    except csv.Error:
        return None
    labels = [name in reading.labels for name in names]
    columns = read_compiled(rest, labels, delimiter, _column)
    if columns is None:
        return None
    n_rows = len(columns[0].numbers if columns[0].numbers is not None else columns[0].labels or ())
    return Columns(names, tuple(columns), n_rows, True)


def _plain(path: Path, text: str, delimiter: str, reading: Reading) -> Columns:
    try:
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if row]
    except csv.Error as error:
        raise InputError(f"{path} must be a CSV file, as its name says: {error}.") from None
    names = _names(path, rows)
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(names):
            raise InputError(
                f"Row {number} of {path} must have {len(names)} values (one per name in the first "
                f"line), but has {len(row)}."
            )
    values = list(zip(*rows[1:], strict=True)) or [()] * len(names)
    columns = [
        _column(column, name in reading.labels) for name, column in zip(names, values, strict=True)
    ]
    return Columns(names, tuple(columns), len(rows) - 1, True)


def _delimiter(first: str) -> str:
    unquoted = "".join(first.split('"')[::2])
    return max(",;\t|", key=unquoted.count)


def _names(path: Path, rows: list[list[str]]) -> tuple[str, ...]:
    if not rows:
        raise InputError(f"{path} must begin with a line of column names, but is empty.")
    names = [name.strip() for name in rows[0]]
    numbers = [name for name in names if _is_fraction(name)]
    if numbers:
        raise InputError(
            f"{path} must begin with a line of column names, but its first line holds "
            f"{numbers[0]!r}; put the names there."
        )
    return tuple(name or f"unnamed{j}" for j, name in enumerate(names))


def _is_fraction(text: str) -> bool:
    try:
        return "." in text and float(text) is not None
    except ValueError:
        return False


def _column(values: tuple[str, ...], labels: bool = False) -> Column:
    # Python reads 1_000 as a number; a person means a label.
    may_be_numbers = not labels and "_" not in "".join(values)
    try:
        if may_be_numbers:
            return Column(numbers=np.array(list(map(float, values)), dtype=np.float64))
    except ValueError:
        pass  # unknown values, or labels
    known = [None if v in UNKNOWN else v for v in map(str.strip, values)]
    try:
        if may_be_numbers:
            numbers = [np.nan if v is None else float(v) for v in known]
            return Column(numbers=np.array(numbers, dtype=np.float64))
    except ValueError:
        pass  # labels
    return Column(labels=known)
