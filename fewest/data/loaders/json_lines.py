"""JSON lines: one object per line, its keys are the columns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ...errors import InputError
from ..columns import Columns, column_of, spread
from .source import PLAIN, Reading, check_filled, read_text


def read_json_lines(path: Path, reading: Reading = PLAIN) -> Columns:
    """The columns of a file of JSON objects; a key that a line lacks is unknown there."""
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
