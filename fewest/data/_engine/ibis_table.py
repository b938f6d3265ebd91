"""Ibis table expressions: DuckDB here, and any engine that Ibis speaks to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..._errors import InputError
from .source import BATCH_ROWS, TableSource

#: Engines that run in this process: their rows come as cheaply as counts.
EMBEDDED_ENGINES = frozenset({"duckdb", "polars", "datafusion", "sqlite"})
#: Groups of columns that are counted by one statement.
GROUPS_PER_STATEMENT = 16


class IbisTable(TableSource):
    """Ibis table expression as a source.

    The rows of an embedded engine (DuckDB) are read in Arrow batches and counted here, which is
    faster than its own grouping; a remote engine (Spark, PostgreSQL, ...) counts itself.
    """

    def __init__(self, table: Any, files: Sequence[Path] = ()) -> None:
        self.table, self._files = table, files
        engine = self._run(table.get_backend)
        self.title = f"the {engine.name} table"
        self.remote = engine.name not in EMBEDDED_ENGINES

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

    def count_groups(
        self, groups: Sequence[Sequence[str]], weight: str | None
    ) -> Iterator[tuple[int, tuple[Any, ...], int, float]]:
        """Count in the engine, many groups in one statement."""
        for start in range(0, len(groups), GROUPS_PER_STATEMENT):
            part = list(enumerate(groups))[start : start + GROUPS_PER_STATEMENT]
            counted = self._run(lambda part=part: self._statement(part, weight).to_pyarrow())
            n_rows = dict.fromkeys((place for place, _ in part), 0)
            for row in counted.to_pylist():
                n_rows[row["place"]] += row["many"]
                values = tuple(row[f"v{i}"] for i in range(len(groups[row["place"]])))
                yield row["place"], values, row["many"], row["n"]
            for n in n_rows.values():
                self.check_rows(n, weight)

    def _statement(self, groups: list[tuple[int, Sequence[str]]], weight: str | None) -> Any:
        import ibis

        most = max(len(columns) for _, columns in groups)
        parts = []
        for place, columns in groups:
            keys = {f"v{i}": _text(self.table[name]) for i, name in enumerate(columns)}
            rows = self.table if weight is None else self.table.filter(self.table[weight] > 0)
            many = rows.count()
            n = many if weight is None else rows[weight].sum()
            counted = rows.group_by(**keys).agg(many=many, n=n.cast("float64"))
            empty = {f"v{i}": ibis.literal(None, "string") for i in range(len(columns), most)}
            kept = [*(f"v{i}" for i in range(most)), "many", "n", "place"]
            parts.append(counted.mutate(place=ibis.literal(place, "int64"), **empty).select(kept))
        return ibis.union(*parts) if len(parts) > 1 else parts[0]

    def _run(self, step: Any) -> Any:
        try:
            return step()
        except InputError:
            raise
        except Exception as error:  # every engine has errors of its own
            reason = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
            title = getattr(self, "title", "the table")
            raise InputError(
                f"The engine of {title} did not answer ({type(error).__name__}: {reason}); check "
                "that it can be reached and run again, with the same journal to continue."
            ) from error


def _text(column: Any) -> Any:
    kind = column.type()
    return column.cast("int64").cast("string") if kind.is_boolean() else column.cast("string")


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
