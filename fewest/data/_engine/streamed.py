"""Tables whose rows their engine streams: Ibis expressions (DuckDB, ...), polars' lazy frames."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa

from ..._errors import InputError
from .source import BATCH_ROWS, TableSource
from .spread import SparkTable, no_answer

Found = TypeVar("Found")


class StreamedTable(TableSource):
    """Query of an engine, which is run again for every scan."""

    def __init__(self, query: Any, files: Sequence[Path] = ()) -> None:
        self.query, self._files = query, files

    @property
    def files(self) -> Sequence[Path]:
        """Return the file of a DuckDB database that was opened by its path."""
        return self._files

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield all rows, as the engine sends them."""
        parts = self._run(lambda: self.stream(list(columns)))
        while (part := self._run(partial(next, parts, None))) is not None:
            yield from part

    @abstractmethod
    def stream(self, columns: list[str]) -> Iterator[list[pa.RecordBatch]]:
        """Start the query."""

    def failed(self, error: Exception) -> InputError:
        """Return the sentence of an error of the engine."""
        return no_answer(getattr(self, "title", "the table"), error)

    def _run(self, step: Callable[[], Found]) -> Found:
        try:
            return step()
        except InputError:
            raise
        except Exception as error:  # every engine has errors of its own
            raise self.failed(error) from error


class IbisTable(StreamedTable):
    """Ibis table expression as a source."""

    def __init__(self, table: Any, files: Sequence[Path] = ()) -> None:
        super().__init__(table, files)
        self.title = f"the {self._run(table.get_backend).name} table"

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        return self._run(lambda: self.query.schema().to_pyarrow())

    def stream(self, columns: list[str]) -> Iterator[list[pa.RecordBatch]]:
        """Start the query."""
        rows = self.query.select(columns).to_pyarrow_batches(chunk_size=BATCH_ROWS)
        return ([batch] for batch in rows)


class LazyTable(StreamedTable):
    """``polars.LazyFrame`` as a source, collected by the streaming engine."""

    title = "the LazyFrame"

    def __init__(self, frame: Any) -> None:
        if not hasattr(frame, "collect_batches"):
            raise InputError(
                "A polars LazyFrame needs polars 1.34 or newer (`collect_batches`); update polars, "
                "or collect the frame."
            )
        super().__init__(frame)

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        return self._run(lambda: self.query.head(0).collect().to_arrow().schema)

    def stream(self, columns: list[str]) -> Iterator[list[pa.RecordBatch]]:
        """Start the query."""
        parts = self.query.select(columns).collect_batches(chunk_size=BATCH_ROWS)
        return (part.to_arrow().to_batches() for part in parts)

    def failed(self, error: Exception) -> InputError:
        """Return the sentence of a frame that cannot be read."""
        reason = str(error).splitlines()[0].rstrip(".")
        return InputError(f"The LazyFrame cannot be read: {reason}.")


def ibis_source(table: Any) -> TableSource:
    """Return the source behind an Ibis expression; what it means to Spark is read in Spark."""
    source = IbisTable(table)
    if source.title != "the pyspark table":
        return source
    engine = table.get_backend()
    return SparkTable(engine.raw_sql(engine.compile(table)))


def duckdb_table(path: str, table: str | None) -> IbisTable:
    """Open a table of a DuckDB database file; the only one where none is named."""
    import ibis

    if not Path(path).expanduser().is_file():
        raise InputError(f"There is no file {path}; give the path of a DuckDB database.")
    try:
        connection = ibis.duckdb.connect(str(Path(path).expanduser()), read_only=True)
        names = sorted(connection.list_tables())
    except Exception as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise InputError(f"{path} must be a DuckDB database that can be read: {reason}.") from None
    if table is None and len(names) == 1:
        table = names[0]
    if table not in names:
        listed = ", ".join(names[:5]) or "none"
        raise InputError(
            f"Name a table of {path} as in {path}#{names[0] if names else 'TABLE'}; it has: "
            f"{listed}."
        )
    found = IbisTable(connection.table(table), [Path(path).expanduser()])
    found.title = f"{path}#{table}"
    return found
