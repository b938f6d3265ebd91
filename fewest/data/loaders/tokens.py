"""The values of an ARFF line: quoted or bare, separated by commas (or tabs)."""

from __future__ import annotations

import re

#: A value as text; None where it is unknown.
Value = str | None

_SPECIAL = re.compile(r"""['"\\]""")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_ENTRY = re.compile(rf"\s*((?:{_QUOTED}|[^,'\"])*)(,|$)|(.)", re.DOTALL)


def split_values(line: str, keep: bool = False) -> list[Value]:
    """The values of a line; ``keep`` leaves the quotes and question marks as they stand.

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
    """The text without its quotes and escapes.

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
