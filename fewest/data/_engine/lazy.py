"""Polars' lazy frames, collected in batches by its streaming engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from ..._errors import InputError
from .source import BATCH_ROWS, TableSource


class LazyTable(TableSource):
    """``polars.LazyFrame`` as a source."""

    def __init__(self, frame: Any) -> None:
        if not hasattr(frame, "collect_batches"):
            raise InputError(
                "A polars LazyFrame needs polars 1.34 or newer (`collect_batches`); update polars, "
                "or collect the frame."
            )
        self.frame = frame
        self.title = "the LazyFrame"

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        return self._run(lambda: self.frame.head(0).collect().to_arrow().schema)

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield all rows, as the streaming engine makes them."""
        parts = self._run(
            lambda: self.frame.select(list(columns)).collect_batches(chunk_size=BATCH_ROWS)
        )
        while True:
            part = self._run(lambda: next(parts, None))
            if part is None:
                return
            yield from part.to_arrow().to_batches()

    def _run(self, step: Any) -> Any:
        import polars.exceptions

        try:
            return step()
        except (polars.exceptions.PolarsError, OSError) as error:
            reason = str(error).splitlines()[0].rstrip(".")
            raise InputError(f"The LazyFrame cannot be read: {reason}.") from None
