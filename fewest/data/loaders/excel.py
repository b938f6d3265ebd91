"""The first sheet of an Excel file, through openpyxl."""

from __future__ import annotations

import contextlib
import zipfile
from pathlib import Path
from typing import Any

from ...errors import InputError
from ..columns import Columns, column_of
from .source import PLAIN, Reading, check_filled, refuse_special


def read_excel(path: Path, reading: Reading = PLAIN) -> Columns:
    """The columns of the first sheet; its first row holds the names."""
    rows = _cells(path)
    if not rows:
        raise InputError(f"{path} must begin with a row of column names, but is empty.")
    width = max(j + 1 for j, name in enumerate(rows[0]) if name is not None)
    names = tuple("" if v is None else str(v).strip() for v in rows[0][:width])
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
    """The rows with a value; a sheet of empty cells may be as large as Excel allows."""
    rows, cells = [], 0
    for row in sheet.iter_rows(values_only=True):
        cells += len(row)
        if cells % 1_000_000 < len(row):
            check_filled(path, 8.0 * cells, at_least=True)
        if any(value is not None for value in row):
            rows.append(row)
    return rows
