"""Excel, JSON lines and Parquet files."""

from __future__ import annotations

import contextlib
import json
import zipfile
from pathlib import Path
from typing import Any

from ..._errors import InputError
from .._columns import Columns, column_of, read_columns, spread
from .contents import PLAIN, Reading, check_filled, read_text, refuse_special


def read_excel(path: Path, reading: Reading = PLAIN) -> Columns:
    """Return the columns of the first sheet; its first row holds the names."""
    rows = _cells(path)
    if not rows:
        raise InputError(f"{path} must begin with a row of column names, but is empty.")
    width = max(j + 1 for j, name in enumerate(rows[0]) if name is not None)
    names = tuple("" if v is None else str(v).strip() for v in rows[0][:width])
    if width == 1 and any(value is not None for row in rows[1:] for value in row[1:]):
        raise InputError(
            f"{path} must begin with a row of column names, but its first row holds only "
            f"{names[0]!r}; remove what stands above the names."
        )
    names = tuple(name or f"unnamed{j}" for j, name in enumerate(names))
    columns = []
    for j, name in enumerate(names):
        values = [row[j] if j < len(row) else None for row in rows[1:]]
        if name in reading.labels:
            values = [None if v is None else str(v) for v in values]
        columns.append(column_of(values))
    return Columns(names, tuple(columns), len(rows) - 1, True)


def _cells(path: Path) -> list[tuple[Any, ...]]:
    try:
        import openpyxl
    except ImportError:
        raise InputError(
            f"Reading {path} needs openpyxl; install it with: pip install 'fewest[excel]'."
        ) from None
    refuse_special(path)
    if not path.is_file():
        raise InputError(f"There is no file {path}; give the path of a file.")
    try:
        with zipfile.ZipFile(path) as parts:
            check_filled(path, sum(part.file_size for part in parts.infolist()))
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        with contextlib.closing(book):
            return _rows(path, book.worksheets[0])
    except InputError:
        raise
    except Exception:  # a damaged part of the file may raise anything inside openpyxl
        raise InputError(
            f"{path} must be an Excel file, as its name says, but is not, or is damaged."
        ) from None


def _rows(path: Path, sheet: Any) -> list[tuple[Any, ...]]:
    """Return the rows with a value; a sheet of empty cells may be as large as Excel allows."""
    rows, cells = [], 0
    for row in sheet.iter_rows(values_only=True):
        cells += len(row)
        if cells % 1_000_000 < len(row):
            check_filled(path, 8.0 * cells, at_least=True)
        if any(value is not None for value in row):
            rows.append(row)
    return rows


def read_json_lines(path: Path, reading: Reading = PLAIN) -> Columns:
    """Return the columns of a file of JSON objects; a key that a line lacks is unknown there."""
    rows = [
        _row(path, number, line)
        for number, line in enumerate(read_text(path, reading.encoding).split("\n"), 1)
        if line.strip()
    ]
    cells: dict[str, tuple[list[int], list[Any]]] = {}
    for i, row in enumerate(rows):
        for name, value in row.items():
            at, values = cells.setdefault(name, ([], []))
            at.append(i)
            values.append(str(value) if name in reading.labels and value is not None else value)
    check_filled(path, 8.0 * len(rows) * len(cells))
    columns = tuple(spread(column_of(v), at, len(rows)) for at, v in cells.values())
    return Columns(tuple(cells), columns, len(rows), True)


def _row(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise InputError(f"Line {number} of {path} must be a JSON object, but is not.") from None
    if not isinstance(row, dict):
        raise InputError(f"Line {number} of {path} must be a JSON object, but is not.")
    for name, value in row.items():
        if isinstance(value, (list, dict)):
            raise InputError(
                f"Line {number} of {path} must hold one value per column, but {name!r} holds "
                "several; spread them over several columns."
            )
    return row


def read_parquet(path: Path, reading: Reading = PLAIN) -> Columns:
    """Return the columns of a Parquet file; dictionaries are nominal with their levels."""
    del reading  # The file has its own types.
    try:
        import pyarrow.parquet
    except ImportError:
        raise InputError(
            f"Reading {path} needs pyarrow; install it with: pip install 'fewest[parquet]'."
        ) from None
    refuse_special(path)
    if not path.is_file():
        raise InputError(f"There is no file {path}; give the path of a file.")
    try:
        file = pyarrow.parquet.ParquetFile(path)
        check_filled(path, 8.0 * file.metadata.num_rows * file.metadata.num_columns)
        table = file.read()
    except InputError:
        raise
    except (pyarrow.ArrowException, OSError):
        raise InputError(
            f"{path} must be a Parquet file, as its name says, but is not, or is damaged."
        ) from None
    return read_columns(table.combine_chunks())
