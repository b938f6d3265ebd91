"""Files that grow by whole lines of JSON, and survive being cut anywhere."""

from __future__ import annotations

import json
import os
from typing import IO, Any

Plain = dict[str, Any]


def whole_lines(raw: bytes) -> tuple[list[Plain], int]:
    """The objects of the lines that are whole, and where the last of them ends in bytes.

    What follows the first line that is torn, or is no object, is not read.

    >>> whole_lines(b'{"a": 1}\\n{"b": 2}\\n{"c"')
    ([{'a': 1}, {'b': 2}], 18)
    """
    lines: list[Plain] = []
    end = 0
    # Lines end at a newline only: `splitlines` would also break at others inside of them.
    for part in raw.split(b"\n")[:-1]:
        try:
            line = json.loads(part)
        except ValueError:
            break
        if not isinstance(line, dict):
            break
        lines.append(line)
        end += len(part) + 1
    return lines, end


def append_line(file: IO[str], line: Plain) -> None:
    """Append one line; it is on disk when this returns."""
    file.write(json.dumps(line) + "\n")
    file.flush()
    os.fsync(file.fileno())
