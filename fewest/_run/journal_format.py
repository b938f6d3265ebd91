"""Format of the lines of a journal; anything else is named with its line and field."""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from .._errors import InputError, brief

Plain = dict[str, Any]
#: The format from which on every line has a checksum.
FIRST_CHECKED_FORMAT = 2
#: The key of the checksum, always the last one of its line.
CHECK_KEY = "check"
_CHECK_BYTES = 8
_START = f', "{CHECK_KEY}": "'.encode()
_TAIL = len(_START) + 2 * _CHECK_BYTES + len('"}')


class DamagedError(InputError):
    """Line that cannot be trusted; ``line`` counts from 1, ``why`` completes a sentence."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line} {why}")
        self.line, self.why = line, why


def parsed(raw: bytes) -> Plain:
    """Parse the object in a line; ValueError for anything else, also for NaN and Infinity."""
    try:
        found = json.loads(raw, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(found, dict):
        raise ValueError("it is not an object")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


@dataclass
class Chain:
    """Checksums of one file, from its first line on."""

    last: str = ""

    def sealed(self, line: Plain) -> bytes:
        """Return the text of a line with its checksum, ready to append."""
        body = json.dumps(line, allow_nan=False).encode()
        self.last = self._sum(body)
        return body[:-1] + _START + self.last.encode() + b'"}\n'

    def opened(self, raw: bytes) -> Plain:
        """Parse the object in a line (without its newline) if its checksum fits; or ValueError."""
        body, given = raw[:-_TAIL] + b"}", raw[-_TAIL:]
        if not (given.startswith(_START) and given.endswith(b'"}')):
            raise ValueError("it has no checksum")
        expected = self._sum(body)
        if given[len(_START) : -2] != expected.encode():
            raise ValueError("its checksum does not fit")
        self.last = expected
        return parsed(body)

    def _sum(self, body: bytes) -> str:
        return blake2b(self.last.encode() + body, digest_size=_CHECK_BYTES).hexdigest()


@dataclass
class Reader:
    """Reads the lines of a file one after the other, also while it grows.

    A file whose first line has a checksum must have one in every line. Files of version 0.1 have
    none.
    """

    count: int = 0
    chain: Chain | None = field(default_factory=Chain)

    def read(self, raw: bytes) -> Plain:
        """Read the object in the next line (without its newline); DamagedError if it is damaged."""
        self.count += 1
        try:
            if self.count == 1 and f'"{CHECK_KEY}"'.encode() not in raw[-_TAIL:]:
                self.chain = None
                first = parsed(raw)
                if first.get("format") == FIRST_CHECKED_FORMAT:
                    raise ValueError("it has no checksum")
                return first
            return parsed(raw) if self.chain is None else self.chain.opened(raw)
        except ValueError as error:
            raise DamagedError(self.count, f"is damaged ({_short(error)})") from None


def _short(error: ValueError) -> str:
    told = isinstance(error, UnicodeDecodeError | json.JSONDecodeError)
    return "it is not JSON" if told else str(error)


def whole_lines(raw: bytes) -> tuple[list[Plain], int]:
    """Return the objects of the whole lines, and where the last of them ends in bytes.

    What follows the last newline was cut off while it was written, and is left out.

    >>> whole_lines(b'{"a": 1}\\n{"b": 2}\\n{"c"')
    ([{'a': 1}, {'b': 2}], 18)
    """
    reader = Reader()
    # Lines end at a newline only: `splitlines` would also break at others inside of them.
    parts = raw.split(b"\n")[:-1]
    return [reader.read(part) for part in parts], sum(len(part) + 1 for part in parts)


def intact_prefix(raw: bytes) -> tuple[int, int]:
    """Count the intact lines from the first on, and find where the last of them ends in bytes."""
    reader, end = Reader(), 0
    for part in raw.split(b"\n")[:-1]:
        try:
            reader.read(part)
        except DamagedError:
            return reader.count - 1, end
        end += len(part) + 1
    return reader.count, end


def append(descriptor: int, text: bytes) -> None:
    """Append to an open file; the text is on disk when this returns."""
    while text:
        text = text[os.write(descriptor, text) :]
    os.fsync(descriptor)


#: Format 2 has checksums; format 1 is that of version 0.1.
FORMAT = FIRST_CHECKED_FORMAT
READABLE = (1, 2)


def check_header(path: str | os.PathLike[str], header: dict[str, Any]) -> None:
    """Refuse a first line that is not that of a journal this version can read."""
    if header.get("fewest") != "journal":
        raise InputError(f"{path} is not a journal of fewest: its first line does not say so.")
    version = header.get("format")
    if isinstance(version, bool) or version not in READABLE:
        raise InputError(
            f"The journal {path} has format {version!r}, but this version reads format "
            f"{' and '.join(map(str, READABLE))}; resume it with fewest {header.get('version')}."
        )
    _check_fields(path, header)
    names = len(header.get("names", ()))
    used = [*header.get("always", ()), *(j for unit in header.get("units", ()) for j in unit)]
    if used and max(used) >= names:
        raise InputError(
            f"`units` and `always` in the first line of the journal {path} must point to its "
            f"{names} names, but one is {max(used)}."
        )


def _check_fields(path: str | os.PathLike[str], header: dict[str, Any]) -> None:
    kinds: dict[str, tuple[type, str]] = {
        "command": (dict, "an object"),
        "seed": (int, "a whole number"),
        "names": (list, "a list of names"),
        "variables": (list, "a list of names"),
        "units": (list, "a list of lists"),
        "always": (list, "a list of whole numbers"),
    }
    for name, (kind, words) in kinds.items():
        if name in header and not (isinstance(header[name], kind) and _fits(name, header[name])):
            raise InputError(
                f"`{name}` in the first line of the journal {path} must be {words}, but is "
                f"{brief(header[name])}."
            )


def _fits(name: str, value: Any) -> bool:
    if name == "seed":
        return not isinstance(value, bool) and value >= 0
    if name in ("names", "variables"):
        return all(isinstance(one, str) for one in value)
    if name == "units":
        return all(isinstance(unit, list) and all(map(_is_index, unit)) for unit in value)
    return name != "always" or all(map(_is_index, value))


def _is_index(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def check_line(
    line: dict[str, Any], number: int, first: dict[str, Any], header: dict[str, Any]
) -> None:
    """Refuse a line whose fields do not fit together, or not to the ``first`` line of scores."""
    if "asked" in line:
        _check_importances(line, number, header)
        return
    keys, value = line.get("keys"), line.get("value")
    if not isinstance(keys, list) or not all(_is_key(key) for key in keys):
        raise DamagedError(number, "has no list `keys` of hexadecimal numbers")
    if not _are_scores(value, len(keys)):
        raise DamagedError(number, "has no list `value` of one finite number for each key")
    _check_folds(line, number, len(keys), first)
    _check_goals(line, number, len(keys), first)
    names = header.get("names")
    if "frequency" in line and not _are_shares(line["frequency"], names):
        raise DamagedError(number, "has a field `frequency` that is not one number per feature")
    if not _is_index(line.get("generation", None if "frequency" in line else 0)):
        raise DamagedError(number, "has no whole number in its field `generation`")


def _check_importances(line: dict[str, Any], number: int, header: dict[str, Any]) -> None:
    names = header.get("names")
    if not isinstance(line["asked"], str):
        raise DamagedError(number, "has no text in its field `asked`")
    if not _are_scores(line.get("importances"), None if names is None else len(names)):
        raise DamagedError(number, "has no list `importances` of one number per feature")
    if line.get("shadows") is not None and not _are_scores(line["shadows"], None):
        raise DamagedError(number, "has `shadows` that are not a list of numbers")
    if not _are_scores([line.get("score")], 1):
        raise DamagedError(number, "has no number in its field `score`")


def _check_folds(line: dict[str, Any], number: int, n: int, first: dict[str, Any]) -> None:
    folds = line.get("folds")
    if (folds is None) != (first.get("folds") is None):
        raise DamagedError(number, "differs from the others in whether it has `folds`")
    if folds is None:
        return
    width = len(first["folds"][0]) if line is not first else None
    if width is None and isinstance(folds, list) and folds and isinstance(folds[0], list):
        width = len(folds[0])
    if not (isinstance(folds, list) and len(folds) == n and n and width):
        raise DamagedError(number, "has no list `folds` with a list for each key")
    if not all(_are_scores(row, width) for row in folds):
        raise DamagedError(number, f"has `folds` that are not {width} finite numbers for each key")


def _check_goals(line: dict[str, Any], number: int, n: int, first: dict[str, Any]) -> None:
    goals = line.get("goals", {})
    fits = isinstance(goals, dict) and all(_are_scores(goal, n) for goal in goals.values())
    if not fits or goals.keys() != first.get("goals", {}).keys():
        raise DamagedError(number, "has `goals` that do not fit to its keys or to the other lines")


def _is_key(key: Any) -> bool:
    if not isinstance(key, str) or len(key) % 2:
        return False
    return all(sign in "0123456789abcdef" for sign in key)


def _are_shares(values: Any, names: list[str] | None) -> bool:
    return _are_scores(values, None if names is None else len(names)) and None not in values


def _are_scores(values: Any, n: int | None) -> bool:
    if not isinstance(values, list) or (n is not None and len(values) != n):
        return False
    return all(v is None or (_is_number(v) and math.isfinite(v)) for v in values)


def _is_number(value: Any) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return abs(value) < 2**63  # else numpy would make an array of objects of it
    return isinstance(value, float)
