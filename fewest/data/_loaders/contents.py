"""The bytes behind a path: compressed or not, and whether they are what the name says.

A file is data of a stranger: what it would fill in memory is known before it does so.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import math
import os
import stat
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..._errors import InputError

#: Ending, name and first bytes of the compressed formats.
PACKED = {
    ".gz": ("gzip", b"\x1f\x8b"),
    ".bz2": ("bzip2", b"BZh"),
    ".xz": ("xz", b"\xfd7zXZ\x00"),
    ".zst": ("zstandard", b"\x28\xb5\x2f\xfd"),
}

#: A file may fill this many bytes in memory, or so many times its own size if that is more.
MOST_GIGABYTES, MOST_TIMES = 1.0, 100
#: The variable of the environment that raises the first of them.
LIMIT = "FEWEST_MAX_GIGABYTES"
_PART = 1 << 24


@dataclass(frozen=True)
class Reading:
    """Way in which a file is read.

    ``encoding`` is that of text; ``labels`` are columns whose text is kept as it stands, also
    where it looks like numbers.
    """

    encoding: str = "utf-8"
    labels: frozenset[str] = frozenset()


#: In UTF-8, with the kinds of columns found in their values.
PLAIN = Reading()


def read_text(path: Path, encoding: str = "utf-8") -> str:
    """Return the text of a file, unpacked if its name says that it is compressed."""
    raw = read_bytes(path)
    wide = encoding.lower().replace("_", "-").startswith(("utf-16", "utf-32"))
    if b"\x00" in raw[:4096] and not wide:
        raise InputError(
            f"{path} must be a text file, as its name says, but holds binary data (or text in "
            'UTF-16: give encoding="utf-16").'
        )
    try:
        text = raw.decode("utf-8-sig" if encoding.lower() in ("utf-8", "utf8") else encoding)
    except UnicodeError as error:
        at = error.start if isinstance(error, UnicodeDecodeError) else 0
        line = raw.count(b"\n", 0, at) + 1
        raise InputError(
            f"{path} must be text in {encoding.upper()}, but line {line} is not; give its "
            'encoding (encoding="latin-1"), or save it as UTF-8.'
        ) from None
    except (LookupError, ValueError, OverflowError):
        raise InputError(
            f"`encoding` must be the name of an encoding, such as latin-1, but is {encoding!r}."
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_bytes(path: Path) -> bytes:
    """Return the unpacked bytes of a file."""
    refuse_special(path)
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"There is no file {path}; give the path of a file.") from None
    except OSError as error:
        raise InputError(f"{path} must be a readable file: {error.strerror}.") from None
    if path.suffix not in PACKED:
        for ending, (name, magic) in PACKED.items():
            if raw.startswith(magic):
                raise InputError(f"{path} is {name}-compressed; add {ending} to its name.")
        return raw
    name, magic = PACKED[path.suffix]
    if not raw.startswith(magic):
        raise InputError(f"{path} must be {name}-compressed, as its name says, but is not.")
    try:
        return _unpacked(path, _UNPACK[path.suffix](io.BytesIO(raw)), len(raw))
    except InputError:
        raise
    except (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError):
        raise InputError(f"{path} is a damaged {name} file; fetch it again.") from None


def refuse_special(path: str | os.PathLike[str]) -> None:
    """Raise for a pipe or a device, whose reading may never end, and for no path at all."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return  # whoever reads it says so
    except ValueError:
        raise InputError(f"{os.fspath(path)!r} must be the path of a file, but is none.") from None
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise InputError(
            f"{path} must be a file, but is a pipe or a device; save its content to a file first."
        )


def allowed_bytes(size: int) -> float:
    """Return how many bytes a file of this size may fill in memory."""
    return max(_gigabytes() * 1e9, float(MOST_TIMES * size))


def _gigabytes() -> float:
    given = os.environ.get(LIMIT, "")
    try:
        return float(given or MOST_GIGABYTES)
    except ValueError:
        raise InputError(f"{LIMIT} must be a number of gigabytes, but is {given!r}.") from None


def check_filled(path: Path, filled: float, at_least: bool = False) -> None:
    """Raise if the content of a file would fill more than it may in memory."""
    size = path.stat().st_size
    if filled > allowed_bytes(size):
        needed = filled / 1e9 * (10 if at_least else 1)
        raise InputError(
            f"{path} has {size / 1e6:.3g} MB, but would fill {'at least ' if at_least else ''}"
            f"{filled / 1e9:.3g} GB in memory, which is more than {_gigabytes():g} GB and more "
            f"than {MOST_TIMES} times its size; if you trust the file, set "
            f"{LIMIT}={math.ceil(needed)} in the environment."
        )


def _unpacked(path: Path, stream: Any, size: int) -> bytes:
    parts, filled, most = [], 0, allowed_bytes(size)
    while part := stream.read(_PART):
        parts.append(part)
        filled += len(part)
        if filled > most:
            check_filled(path, filled, at_least=True)
    return b"".join(parts)


def _zstandard(packed: io.BytesIO) -> Any:
    try:
        import pyarrow
    except ImportError:
        raise InputError(
            "Reading .zst files needs pyarrow; install it with: pip install 'fewest[parquet]'."
        ) from None
    return pyarrow.CompressedInputStream(packed, "zstd")


_UNPACK: dict[str, Callable[[io.BytesIO], Any]] = {
    ".gz": lambda packed: gzip.GzipFile(fileobj=packed), ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile, ".zst": _zstandard,
}  # fmt: skip
