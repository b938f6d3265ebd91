"""Arrow data sets: files of any format that Arrow reads, local or in a cloud."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from ...errors import InputError
from .source import BATCH, Source


class ArrowDataset(Source):
    """A ``pyarrow.dataset.Dataset``; ``batch`` is the number of rows read at once."""

    def __init__(self, dataset: Any, batch: int = BATCH) -> None:
        self.dataset, self.batch = dataset, batch
        self.title = "the Arrow data set"

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        return self.dataset.schema

    @property
    def files(self) -> list[Path]:
        """The files of the data set that are on this machine."""
        found = (Path(name) for name in getattr(self.dataset, "files", ()))
        return [path for path in found if path.is_file()]

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """All rows; few are read ahead, so that memory stays small."""
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
