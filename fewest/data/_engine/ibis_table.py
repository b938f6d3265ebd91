"""Ibis table expressions: DuckDB here, and any engine that Ibis speaks to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..._errors import InputError
from .source import BATCH_ROWS, TableSource
from .spread import SparkTable, no_answer


class IbisTable(TableSource):
    """Ibis table expression as a source: its rows are read in Arrow batches."""

    def __init__(self, table: Any, files: Sequence[Path] = ()) -> None:
        self.table, self._files = table, files
        self.title = f"the {self._run(table.get_backend).name} table"

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        return self._run(lambda: self.table.schema().to_pyarrow())

    @property
    def files(self) -> Sequence[Path]:
        """Return the file of a DuckDB database that was opened by its path."""
        return self._files

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield all rows, as the engine sends them."""
        rows = self.table.select(list(columns))
        reader = self._run(lambda: rows.to_pyarrow_batches(chunk_size=BATCH_ROWS))
        while True:
            batch = self._run(lambda: next(reader, None))
            if batch is None:
                return
            yield batch

    def _run(self, step: Any) -> Any:
        try:
            return step()
        except InputError:
            raise
        except Exception as error:  # every engine has errors of its own
            raise no_answer(getattr(self, "title", "the table"), error) from error


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
