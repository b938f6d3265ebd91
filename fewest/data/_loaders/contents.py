"""The bytes behind a path: compressed or not, and whether they are what the name says."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..._errors import InputError

#: Ending, name and first bytes of the compressed formats.
PACKED = {
    ".gz": ("gzip", b"\x1f\x8b"),
    ".bz2": ("bzip2", b"BZh"),
    ".xz": ("xz", b"\xfd7zXZ\x00"),
    ".zst": ("zstandard", b"\x28\xb5\x2f\xfd"),
}


@dataclass(frozen=True)
class Reading:
    """How a file is read.

    ``encoding`` is that of text; ``labels`` are columns whose text is kept as it stands, also
    where it looks like numbers.
    """

    encoding: str = "utf-8"
    labels: frozenset[str] = frozenset()


#: In UTF-8, with the kinds of columns found in their values.
PLAIN = Reading()


def read_text(path: Path, encoding: str = "utf-8") -> str:
    """The text of a file, unpacked if its name says that it is compressed."""
    raw = read_bytes(path)
    wide = encoding.lower().replace("_", "-").startswith(("utf-16", "utf-32"))
    if b"\x00" in raw[:4096] and not wide:
        raise InputError(
            f"{path} must be a text file, as its name says, but holds binary data (or text in "
            'UTF-16: give encoding="utf-16").'
        )
    try:
        text = raw.decode("utf-8-sig" if encoding.lower() in ("utf-8", "utf8") else encoding)
    except LookupError:
        raise InputError(
            f"`encoding` must be the name of an encoding, such as latin-1, but is {encoding!r}."
        ) from None
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path} must be text in {encoding.upper()}, but line {line} is not; give its "
            'encoding (encoding="latin-1", --encoding latin-1), or save it as UTF-8.'
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_bytes(path: Path) -> bytes:
    """The unpacked bytes of a file."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"There is no file {path}; give the path of a table.") from None
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
        return _UNPACK[path.suffix](raw)
    except (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError):
        raise InputError(f"{path} is a damaged {name} file; fetch it again.") from None


def _zstandard(raw: bytes) -> bytes:
    try:
        import pyarrow
    except ImportError:
        raise InputError(
            "Reading .zst files needs pyarrow; install it with: pip install 'fewest[parquet]'."
        ) from None
    with pyarrow.CompressedInputStream(pyarrow.BufferReader(raw), "zstd") as stream:
        unpacked: bytes = stream.read()
    return unpacked


_UNPACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress, ".zst": _zstandard,
}  # fmt: skip
