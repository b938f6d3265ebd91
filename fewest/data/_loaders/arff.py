"""ARFF, the format of Weka: declared names and types, then rows, dense or sparse.

The grammar is that of the Weka manual (Witten et al.): keywords in any case, names and values
quoted with either quote and backslash escapes, ``?`` for unknown, ``%`` for comments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..._errors import InputError
from .._columns import Column, Columns, spread
from .contents import PLAIN, Reading, check_filled, read_text

#: A value as text; None where it is unknown.
Value = str | None

_SPECIAL = re.compile(r"""['"\\]""")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_ENTRY = re.compile(rf"\s*((?:{_QUOTED}|[^,'\"])*)(,|$)|(.)", re.DOTALL)


def split_values(line: str, keep: bool = False) -> list[Value]:
    """Return the values of a line; ``keep`` leaves the quotes and question marks as they stand.

    Examples
    --------
    >>> split_values("5.1, ?, 'a, b', it")
    ['5.1', None, 'a, b', 'it']
    """
    if not _SPECIAL.search(line):
        parts = line.split("," if "," in line or "\t" not in line else "\t")
        if " " in line or "\t" in line:
            parts = [part.strip() for part in parts]
        if keep or "?" not in line:
            return list(parts)
        return [None if part == "?" else part for part in parts]
    entries = _entries(line)
    if keep:
        return list(entries)
    return [None if entry == "?" else unquote(entry) for entry in entries]


def unquote(text: str) -> str:
    """Return the text without its quotes and escapes.

    Examples
    --------
    >>> print(unquote(r"'it\\'s'"))
    it's
    """
    if len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]:
        return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text[1:-1])
    return text


def _entries(line: str) -> list[str]:
    entries: list[str] = []
    position = 0
    while position <= len(line):
        found = _ENTRY.match(line, position)
        if found is None or found[3] is not None:
            # A quote without its partner is taken as it stands, as in O'Brien.
            end = line.find(",", position)
            end = len(line) if end < 0 else end
            entries.append(line[position:end].strip())
        else:
            entries.append(found[1].strip())
            end = found.end(1)
            end = line.find(",", end) if found[2] else len(line)
        position = end + 1
    return entries


_DECLARATION = re.compile(
    r"""@attribute\s+(?P<name>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s{'"][^\s{]*)\s*(?P<type>.+)""",
    re.IGNORECASE | re.DOTALL,
)
_NOT_PLAIN = re.compile(r"""['"\\{\s]""")
_NUMBERS = {"numeric", "real", "integer"}
_LABELS = {"string", "date"}


@dataclass(frozen=True)
class Attribute:
    """Declared column: its levels if nominal, and whether it holds numbers."""

    name: str
    numeric: bool
    levels: tuple[str, ...] | None


Line = tuple[int, str]


def read_arff(path: Path, reading: Reading = PLAIN) -> Columns:
    """Return the columns of an ARFF file; nominal ones have their levels in the declared order."""
    attributes, lines = _header(path, read_text(path, reading.encoding))
    check_filled(path, 8.0 * len(attributes) * len(lines))
    plain = _plain_values(len(attributes), lines)
    if plain is not None:
        columns = tuple(
            _column(path, attribute, column, lines, "?")
            for attribute, column in zip(attributes, plain, strict=True)
        )
    else:
        cells = _values(path, attributes, lines)
        columns = tuple(
            _spread(path, attribute, *column, lines)
            for attribute, column in zip(attributes, cells, strict=True)
        )
    return Columns(tuple(a.name for a in attributes), columns, len(lines), True)


def _header(path: Path, text: str) -> tuple[list[Attribute], list[Line]]:
    attributes: list[Attribute] = []
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        line = line.strip()
        if not line or line.startswith("%"):
            continue
        keyword = line.split(maxsplit=1)[0].lower()
        if keyword == "@data":
            return _declared(path, attributes), _data_lines(lines, number)
        if keyword == "@attribute":
            attributes.append(_attribute(path, number, line))
        elif keyword != "@relation":
            raise InputError(
                f"{path} must be an ARFF file (@relation, @attribute, @data), as its name says, "
                f"but line {number} is {line[:40]!r}."
            )
    raise InputError(f"{path} must be an ARFF file, as its name says, but has no @data line.")


def _declared(path: Path, attributes: list[Attribute]) -> list[Attribute]:
    if not attributes:
        raise InputError(f"{path} must declare its columns with @attribute, but declares none.")
    return attributes


def _data_lines(lines: list[str], start: int) -> list[Line]:
    numbered = ((n, line.strip()) for n, line in enumerate(lines[start:], start + 1))
    return [(n, line) for n, line in numbered if line and line[0] != "%"]


def _attribute(path: Path, number: int, line: str) -> Attribute:
    match = _DECLARATION.match(line)
    kind = match["type"].strip() if match else ""
    if match and kind.startswith("{") and "}" in kind:
        entries = split_values(kind[1 : kind.rindex("}")], keep=True)
        levels = tuple(unquote(entry) for entry in entries if entry and entry != "?")
        if len(set(levels)) == len(levels):
            return Attribute(unquote(match["name"]), False, levels)
        raise InputError(f"Line {number} of {path} declares a level twice: {line[:60]!r}.")
    word = re.split(r"[\s\[]", kind, maxsplit=1)[0].lower()
    if match and word in _NUMBERS | _LABELS:
        return Attribute(unquote(match["name"]), word in _NUMBERS, None)
    raise InputError(
        f"Line {number} of {path} must declare a column (@attribute name type, where type is "
        f"numeric, real, integer, string, date or {{a,b,c}}), but is {line[:60]!r}."
    )


def _plain_values(width: int, lines: list[Line]) -> list[Sequence[Value]] | None:
    """Return the columns, where no line needs more than its commas; ``?`` is unknown."""
    texts = [line for _, line in lines]
    if any(line.count(",") != width - 1 for line in texts) or not texts:
        return None
    block = ",".join(texts)
    if _NOT_PLAIN.search(block):
        return None
    values = block.split(",")
    return [values[j::width] for j in range(width)]


def _values(
    path: Path, attributes: list[Attribute], lines: list[Line]
) -> list[tuple[list[int], list[Value]]]:
    """Return the rows and values of each column that any lines give: quoted, padded, sparse."""
    cells: list[tuple[list[int], list[Value]]] = [([], []) for _ in attributes]
    for i, (number, line) in enumerate(lines):
        if line[0] == "{":
            row = _sparse_row(path, number, line, len(attributes))
        else:
            row = dict(enumerate(split_values(line)))
            if len(row) != len(attributes):
                raise InputError(
                    f"Line {number} of {path} must have {len(attributes)} values (one per "
                    f"declared column), but has {len(row)}."
                )
        for j, value in row.items():
            cells[j][0].append(i)
            cells[j][1].append(value)
    return cells


def _sparse_row(path: Path, number: int, line: str, width: int) -> dict[int, Value]:
    row: dict[int, Value] = {}
    for entry in split_values(line[1 : line.rfind("}")], keep=True):
        if not entry:
            continue
        index, value = [*entry.split(maxsplit=1), "", ""][:2]
        values = split_values(value.strip())
        placed = index.isdecimal() and len(index) < 10 and int(index) < width
        if not placed or not value or len(values) != 1:
            raise _bad_entry(path, number, entry, width)
        (row[int(index)],) = values
    return row


def _bad_entry(path: Path, number: int, entry: str, width: int) -> InputError:
    return InputError(
        f"Line {number} of {path} must list positions below {width} with their values "
        f"({{3 a, 7 b}}), but has {entry!r}."
    )


def _spread(
    path: Path, attribute: Attribute, at: list[int], values: list[Value], lines: list[Line]
) -> Column:
    """Return a column of which some rows are given; others hold 0, the first level or nothing."""
    column = _column(path, attribute, values, lines, None, at)
    return spread(column, at, len(lines), number=0.0, code=0 if attribute.levels else -1)


def _column(
    path: Path,
    attribute: Attribute,
    values: Sequence[Value],
    lines: list[Line],
    unknown: Value,
    at: Sequence[int] | None = None,
) -> Column:
    try:
        if attribute.numeric:
            return Column(numbers=np.array(_numbers(values, unknown), dtype=np.float64))
        if attribute.levels is None:
            return Column(labels=[None if v == unknown else v for v in values])
        code_of: dict[Value, int] = {v: code for code, v in enumerate(attribute.levels)}
        code_of[unknown] = -1
        codes = np.array([code_of[v] for v in values], dtype=np.int32)
        return Column(levels=attribute.levels, codes=codes)
    except (KeyError, ValueError):
        lines = lines if at is None else [lines[i] for i in at]
        raise _wrong_value(path, attribute, values, lines, unknown) from None


def _numbers(values: Sequence[Value], unknown: Value) -> list[float]:
    if unknown in values:
        return [np.nan if v == unknown else float(v) for v in values]  # type: ignore[arg-type]
    return list(map(float, values))  # type: ignore[arg-type]


def _wrong_value(
    path: Path, attribute: Attribute, values: Sequence[Value], lines: list[Line], unknown: Value
) -> InputError:
    must = "a number" if attribute.numeric else "one of its declared values"
    number, value = next(
        (number, value)
        for (number, _), value in zip(lines, values, strict=True)
        if value is not None and value != unknown and not _allowed(attribute, value)
    )
    return InputError(
        f"Line {number} of {path} must hold {must} for {attribute.name!r}, but holds {value!r}."
    )


def _allowed(attribute: Attribute, value: str) -> bool:
    if not attribute.numeric:
        return attribute.levels is None or value in attribute.levels
    try:
        float(value)
    except ValueError:
        return False
    return True
