"""Files that grow by whole lines of JSON, can be cut anywhere, and show where they are damaged.

Every line ends with a checksum over its own text and the checksum of the line before it. So a
changed line is found, and so are lines that were exchanged, left out or taken from another file.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from ..errors import InputError

Plain = dict[str, Any]
#: The format from which on every line has a checksum.
CHECKED = 2
#: The key of the checksum, always the last one of its line.
CHECK = "check"
_BYTES = 8
_START = f', "{CHECK}": "'.encode()
_TAIL = len(_START) + 2 * _BYTES + len('"}')


class DamagedError(InputError):
    """A line that cannot be trusted; ``line`` counts from 1, ``why`` completes a sentence."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line} {why}")
        self.line, self.why = line, why


def parsed(raw: bytes) -> Plain:
    """The object in a line; ValueError for anything else, also for NaN and Infinity."""
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
    """The checksums of one file, from its first line on."""

    last: str = ""

    def sealed(self, line: Plain) -> bytes:
        """The text of a line with its checksum, ready to append."""
        body = json.dumps(line, allow_nan=False).encode()
        self.last = self._sum(body)
        return body[:-1] + _START + self.last.encode() + b'"}\n'

    def opened(self, raw: bytes) -> Plain:
        """The object in a line (without its newline) whose checksum fits; else ValueError."""
        body, given = raw[:-_TAIL] + b"}", raw[-_TAIL:]
        if not (given.startswith(_START) and given.endswith(b'"}')):
            raise ValueError("it has no checksum")
        expected = self._sum(body)
        if given[len(_START) : -2] != expected.encode():
            raise ValueError("its checksum does not fit")
        self.last = expected
        return parsed(body)

    def _sum(self, body: bytes) -> str:
        return blake2b(self.last.encode() + body, digest_size=_BYTES).hexdigest()


@dataclass
class Reader:
    """Reads the lines of a file one after the other, also while it grows.

    A file whose first line has a checksum must have one in every line. Files of version 0.1 have
    none.
    """

    count: int = 0
    chain: Chain | None = field(default_factory=Chain)

    def read(self, raw: bytes) -> Plain:
        """The object in the next line (without its newline); DamagedError if it is damaged."""
        self.count += 1
        try:
            if self.count == 1 and f'"{CHECK}"'.encode() not in raw[-_TAIL:]:
                self.chain = None
                first = parsed(raw)
                if first.get("format") == CHECKED:
                    raise ValueError("it has no checksum")
                return first
            return parsed(raw) if self.chain is None else self.chain.opened(raw)
        except ValueError as error:
            raise DamagedError(self.count, f"is damaged ({_short(error)})") from None


def _short(error: ValueError) -> str:
    told = isinstance(error, UnicodeDecodeError | json.JSONDecodeError)
    return "it is not JSON" if told else str(error)


def whole_lines(raw: bytes) -> tuple[list[Plain], int]:
    """The objects of the whole lines, and where the last of them ends in bytes.

    What follows the last newline was cut off while it was written, and is left out.

    >>> whole_lines(b'{"a": 1}\\n{"b": 2}\\n{"c"')
    ([{'a': 1}, {'b': 2}], 18)
    """
    reader = Reader()
    # Lines end at a newline only: `splitlines` would also break at others inside of them.
    parts = raw.split(b"\n")[:-1]
    return [reader.read(part) for part in parts], sum(len(part) + 1 for part in parts)


def intact_prefix(raw: bytes) -> tuple[int, int]:
    """How many lines from the first on are intact, and where the last of them ends in bytes."""
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
