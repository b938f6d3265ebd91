"""Regular CSV text read by pyarrow, with the types and values of the plain reader.

Only text whose meaning is beyond doubt is read here. For anything else the answer is None, and the
plain reader decides: so there is one set of rules, and one set of error sentences.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._errors import InputError
from .._columns import Column, Columns
from .contents import PLAIN, Reading, read_text

#: Shorter texts are read as fast by the plain reader.
LEAST_CHARACTERS = 100_000
#: Beyond so many different values a column of text is not worth a dictionary.
SHARE_DIFFERENT = 0.5
Typed = Callable[[tuple[str, ...], bool], Column]


def read_compiled(
    text: str, labels: list[bool], delimiter: str, typed: Typed
) -> list[Column] | None:
    """Return the columns of the rows in ``text`` (without the line of names), or None.

    ``labels`` says for each column whether its values are labels whatever they look like.
    ``typed`` makes a column from its values and this; the type depends only on which values there
    are.
    """
    if len(text) < LEAST_CHARACTERS or find_spec("pyarrow") is None or _doubtful(text, delimiter):
        return None
    found = _strings(text, len(labels), delimiter)
    if found is None or found.num_rows == 0:
        return None
    return [_compiled_column(found.column(j), typed, told) for j, told in enumerate(labels)]


def _doubtful(text: str, delimiter: str) -> bool:
    """Return whether readers could disagree: quotes inside of values, doubled quotes, NUL."""
    if "\0" in text:
        return True
    if '"' not in text:
        return False
    edge = re.escape(delimiter)
    # A quote must open a value (after an edge) or close one (before an edge).
    stray = rf'""|(?<![{edge}\n])"(?![{edge}\n])|(?<=[{edge}\n])"(?=[{edge}\n])'
    opens, closes = rf'(?:^|[{edge}\n])"', rf'"(?:[{edge}\n]|$)'
    if re.search(stray, text) or text.count('"') % 2:
        return True
    return not len(re.findall(opens, text)) == len(re.findall(closes, text)) == text.count('"') // 2


def _strings(text: str, width: int, delimiter: str) -> Any:
    """Return all values as text; None where pyarrow refuses, or where the plain reader would."""
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv as arrow

    raw = text.encode()
    names = [f"f{j}" for j in range(width)]
    try:
        found = arrow.read_csv(
            pa.BufferReader(raw),
            read_options=arrow.ReadOptions(
                column_names=names, block_size=max(len(raw), 1), use_threads=False
            ),
            parse_options=arrow.ParseOptions(
                delimiter=delimiter, newlines_in_values='"' in text, ignore_empty_lines=True
            ),
            convert_options=arrow.ConvertOptions(
                column_types=dict.fromkeys(names, pa.large_string()),
                null_values=[],
                strings_can_be_null=False,
                quoted_strings_can_be_null=False,
            ),
        )
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OverflowError):
        return None
    longest = max((pc.max(pc.utf8_length(c)).as_py() or 0 for c in found.columns), default=0)
    return None if longest > csv.field_size_limit() else found


def _numbers(values: Any) -> NDArray[np.float64] | None:
    """Return the values as finite numbers, if all are: others are written in several ways."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        numbers = np.asarray(pc.cast(values, pa.float64()), dtype=np.float64)
    except pa.ArrowInvalid:
        return None
    return numbers if np.isfinite(numbers).all() else None


def _compiled_column(values: Any, typed: Typed, as_labels: bool) -> Column:
    """Return a column, as ``typed`` would make it of all its values."""
    import pyarrow as pa
    import pyarrow.compute as pc

    values = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    numbers = None if as_labels else _numbers(values)
    if numbers is not None:
        return Column(numbers=numbers)
    coded = pc.dictionary_encode(values)
    different = tuple(coded.dictionary.to_pylist())
    if len(different) > SHARE_DIFFERENT * len(values):
        return typed(tuple(values.to_pylist()), as_labels)
    codes, column = np.asarray(coded.indices), typed(different, as_labels)
    if column.numbers is not None:
        return Column(numbers=column.numbers[codes])
    assert column.labels is not None
    return Column(labels=np.array([*column.labels, None], dtype=object)[codes].tolist())


#: A number with a decimal comma, as tables have it whose values a comma does not separate.
DECIMAL_COMMA = re.compile(r"\s*[+-]?(?:\d+(?:,\d+)?|,\d+)(?:[eE][+-]?\d+)?\s*")

#: What stands for an unknown value in a file.
UNKNOWN = frozenset({"", "?", "NA", "N/A", "NaN", "nan", "null", "NULL"})


def read_delimited(path: Path, reading: Reading = PLAIN) -> Columns:
    """Return the columns of a CSV file (comma, semicolon, tab or bar); numbers where all values
    are.
    """
    text = read_text(path, reading.encoding)
    first = text.lstrip().split("\n", 1)[0]
    if first.lower().startswith("@relation"):
        raise InputError(f"{path} must be a CSV file, as its name says, but is ARFF; rename it.")
    compiled = _compiled(path, text, _delimiter(first), reading)
    found = _plain(path, text, _delimiter(first), reading) if compiled is None else compiled
    _check_names(path, found)
    return found


def _check_names(path: Path, found: Columns) -> None:
    """Refuse names that are numbers, and labels of their own columns: they are the first row."""
    words = [pair for pair in zip(found.names, found.columns, strict=True) if not _number(pair[0])]
    if words and all(c.labels is not None and name in c.labels for name, c in words):
        raise InputError(
            f"{path} must begin with a line of column names, but its first line holds values "
            f"({words[0][0]!r} is one of other rows, too); put the names above it."
        )


def _number(text: str) -> bool:
    try:
        return float(text) is not None
    except ValueError:
        return False


def _compiled(path: Path, text: str, delimiter: str, reading: Reading) -> Columns | None:
    """Return the columns by a compiled reader, if there is one and the text is regular."""
    head, _, rest = text.partition("\n")
    # Names over several lines, or lines before them, are left to the plain reader.
    if not head.strip() or head.count('"') % 2:
        return None
    try:
        names = _names(path, [row for row in csv.reader([head], delimiter=delimiter) if row])
    except csv.Error:
        return None
    labels = [name in reading.labels for name in names]
    columns = read_compiled(rest, labels, delimiter, _typed(delimiter))
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
            title = "; remove what stands above the names" if len(names) == 1 else ""
            raise InputError(
                f"Row {number} of {path} must have {len(names)} value{'s'[: len(names) != 1]} (one "
                f"per name in the first line), but has {len(row)}{title}."
            )
    values = list(zip(*rows[1:], strict=True)) or [()] * len(names)
    typed = _typed(delimiter)
    columns = [
        typed(column, name in reading.labels) for name, column in zip(names, values, strict=True)
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
    return "." in text and _number(text)


def _typed(delimiter: str) -> Typed:
    return _plain_column if delimiter == "," else _column_with_commas


def _column_with_commas(values: tuple[str, ...], labels: bool = False) -> Column:
    """Return numbers also where all have a decimal comma or none.

    Where three digits follow every comma, they may be thousands: these stay as they are.
    """
    found = _plain_column(values, labels)
    if labels or found.labels is None:
        return found
    known = [v for v in found.labels if v is not None]
    thousands = all(len(str(v).partition(",")[2]) in (0, 3) for v in known)
    if thousands or not all(DECIMAL_COMMA.fullmatch(str(v)) for v in known):
        return found
    return _plain_column(tuple(v.replace(",", ".") for v in values))


def _plain_column(values: tuple[str, ...], labels: bool = False) -> Column:
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
