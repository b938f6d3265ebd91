"""The bytes behind a path: compressed or not, and whether they are what the name says."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from ...errors import InputError

_GZIP = b"\x1f\x8b"


def read_text(path: Path) -> str:
    """The text of a file; one whose name ends in ``.gz`` is unpacked."""
    raw = read_bytes(path)
    if b"\x00" in raw[:4096]:
        raise InputError(f"{path} must be a text file, as its name says, but holds binary data.")
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path} must be text in UTF-8, but line {line} is not; save it as UTF-8."
        ) from None


def read_bytes(path: Path) -> bytes:
    """The unpacked bytes of a file."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"There is no file {path}; give the path of a table.") from None
    except OSError as error:
        raise InputError(f"{path} must be a readable file: {error.strerror}.") from None
    packed = raw.startswith(_GZIP)
    if path.suffix != ".gz":
        if packed:
            raise InputError(f"{path} is gzip-compressed; add .gz to its name.")
        return raw
    if not packed:
        raise InputError(f"{path} must be gzip-compressed, as its name says, but is not.")
    try:
        return gzip.decompress(raw)
    except (EOFError, OSError, zlib.error):
        raise InputError(f"{path} is a damaged gzip file; fetch it again.") from None
