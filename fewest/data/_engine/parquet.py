"""Arrow data sets and Parquet files as one table, read in batches."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..._errors import InputError
from .batches import is_text
from .source import BATCH_ROWS, TableSource, batch_rows, gone

#: Bytes of a column of a file that are read at once.
BUFFER_BYTES = 1 << 16


class ArrowDataset(TableSource):
    """``pyarrow.dataset.Dataset`` as a source; ``batch`` is the number of rows read at once."""

    def __init__(self, dataset: Any, batch: int = BATCH_ROWS) -> None:
        self.dataset, self.batch = dataset, batch
        self.title = "the Arrow data set"

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        return self.dataset.schema

    @property
    def files(self) -> list[Path]:
        """Return the files of the data set that are on this machine."""
        found = (Path(name) for name in getattr(self.dataset, "files", ()))
        return [path for path in found if path.is_file()]

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield all rows; few are read ahead, so that memory stays small."""
        try:
            scanner = self.dataset.scanner(
                columns=list(columns),
                batch_size=self.batch,
                batch_readahead=2,
                fragment_readahead=1,
            )
            yield from scanner.to_batches()
        except (pa.ArrowException, OSError) as error:
            reason = str(error).splitlines()[0].rstrip(".")
            raise InputError(f"The Arrow data set cannot be read to its end: {reason}.") from None


class ParquetFiles(TableSource):
    """Files behind a pattern such as ``sales/*.parquet``, or those of a folder.

    The files must have the same columns with the same types. Strings are read as dictionaries,
    as they are stored.
    """

    def __init__(self, pattern: str) -> None:
        self.title = pattern
        self.paths = _paths(pattern)
        self._schema = _common_schema(self.paths)

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        return self._schema

    @property
    def files(self) -> list[Path]:
        """Return the files, in their order."""
        return self.paths

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield all rows, file after file."""
        texts = [name for name in columns if is_text(self._schema.field(name).type)]
        for path in self.paths:
            try:
                # With a buffer pages are read one by one, without it whole row groups.
                file = pq.ParquetFile(path, read_dictionary=texts, buffer_size=BUFFER_BYTES)
                with file:
                    yield from file.iter_batches(
                        batch_rows(len(columns)), columns=list(columns), use_threads=False
                    )
            except FileNotFoundError:
                raise gone(path) from None
            except (pa.ArrowException, OSError) as error:
                reason = str(error).splitlines()[0].rstrip(".")
                raise InputError(
                    f"The file {path} cannot be read to its end: {reason}; write it again."
                ) from None


def _paths(pattern: str) -> list[Path]:
    folder = Path(pattern).expanduser()
    if folder.is_dir():
        pattern = str(folder / "*.parquet")
    found = [Path(name) for name in sorted(glob.glob(str(Path(pattern).expanduser())))]
    paths = [path for path in found if path.is_file()]
    if not paths:
        raise InputError(f"There is no Parquet file {pattern}; give a pattern that matches files.")
    return paths


def _common_schema(paths: list[Path]) -> pa.Schema:
    first = _schema(paths[0])
    for path in paths[1:]:
        other = _schema(path)
        if other.names != first.names:
            odd = sorted({*first.names} ^ {*other.names}) or other.names
            raise InputError(
                f"All files must have the columns of {paths[0]}, in the same order, but {path} "
                f"differs in {', '.join(map(repr, odd[:5]))}."
            )
        for was, now in zip(first, other, strict=True):
            if _plain(was.type) != _plain(now.type):
                raise InputError(
                    f"Column {was.name!r} must have one type in all files, but is "
                    f"{_plain(was.type)} in {paths[0]} and {_plain(now.type)} in {path}; write "
                    "the files with one type."
                )
    return first


def _schema(path: Path) -> pa.Schema:
    try:
        return pq.read_schema(path)
    except (pa.ArrowException, OSError):
        raise InputError(
            f"{path} must be a Parquet file, as its name says, but is not, or is damaged."
        ) from None


def _plain(kind: Any) -> Any:
    """Return the type of the values, whether they are stored as a dictionary or not."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.string() if is_text(kind) else kind
