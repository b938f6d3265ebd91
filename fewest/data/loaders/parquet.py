"""Parquet, through pyarrow."""

from __future__ import annotations

from pathlib import Path

from ...errors import InputError
from ..columns import Columns, read_columns
from .source import PLAIN, Reading, check_filled, refuse_special


def read_parquet(path: Path, reading: Reading = PLAIN) -> Columns:
    """The columns of a Parquet file; dictionaries are nominal with their levels."""
    del reading  # The file has its own types.
    try:
        import pyarrow.parquet
    except ImportError:
        raise InputError(
            f"Reading {path} needs pyarrow; install it with: pip install 'fewest[parquet]'."
        ) from None
    refuse_special(path)
    if not path.is_file():
        raise InputError(f"There is no file {path}; give the path of a file.")
    try:
        file = pyarrow.parquet.ParquetFile(path)
        check_filled(path, 8.0 * file.metadata.num_rows * file.metadata.num_columns)
        table = file.read()
    except InputError:
        raise
    except (pyarrow.ArrowException, OSError):
        raise InputError(
            f"{path} must be a Parquet file, as its name says, but is not, or is damaged."
        ) from None
    return read_columns(table.combine_chunks())
