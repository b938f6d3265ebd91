"""Estimate what a selection from a table outside memory costs, from runs on its first rows."""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ._errors import InputError
from .data._engine.frame import StoredFrame
from .data._engine.parquet import ParquetFiles
from .data._engine.source import Scan, Scanned, State, TableSource
from .data._engine.tallies import Tallies

#: Rows of the first run, which loads what is compiled.
FIRST = 4_000
#: Rows and values of the larger of the two runs that are measured, at most; the smaller has 1/8.
MOST_ROWS, MOST_VALUES = 1 << 21, 1 << 27


class FirstRows(TableSource):
    """First rows of a source, with what their scans take."""

    def __init__(self, source: TableSource, n: int) -> None:
        self.source, self.n, self.title, self.memory = source, n, source.title, source.memory
        self.scans, self.read, self.cpu, self.state = 0, 0.0, 0.0, 0

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        return self.source.schema

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield the first rows."""
        left = self.n
        for batch in self.source.batches(columns):
            part = batch.slice(0, left)
            left -= part.num_rows
            self.read += 0 if isinstance(self.source, ParquetFiles) else part.nbytes
            yield part
            if not left:
                return

    def answered(self, scan: Scan[State]) -> Scanned[State]:
        """Return the state of a scan; note its CPU time, its bytes and the size of its state."""
        start = time.process_time()
        found = super().answered(scan)
        self.cpu += time.process_time() - start
        self.scans += 1
        self.state = max(self.state, len(pickle.dumps(found)))
        if isinstance(self.source, ParquetFiles):
            self.read += found.n_rows * _bytes_per_row(self.source, self.read_by(scan))
        return found


def _bytes_per_row(files: ParquetFiles, columns: list[str]) -> float:
    """Return the compressed size of some columns of the first file, by row."""
    found = pq.read_metadata(files.paths[0])
    groups = [found.row_group(i) for i in range(found.num_row_groups)]
    parts = [group.column(j) for group in groups for j in range(found.num_columns)]
    size = sum(part.total_compressed_size for part in parts if part.path_in_schema in columns)
    return float(size / max(1, found.num_rows))


@dataclass(frozen=True)
class Measured:
    """Costs of a selection from the first rows of a table: bytes, seconds of CPU."""

    rows: int
    scans: int
    read: float
    cpu: float  #: Of the scans, which workers can share.
    alone: float  #: Of all else, which the process that asks has to itself.


@dataclass(frozen=True)
class ScanCosts:
    """Model of the costs of a selection: scans grow with the rows, all else stays.

    ``driver`` and ``worker`` are peaks of memory in bytes, or None where they cannot be measured.
    """

    small: Measured
    large: Measured
    state: int
    driver: int | None
    worker: int | None

    def at(self, rows: float) -> Measured:
        """Return the costs for so many rows."""
        a, b = self.small, self.large
        # On a table with few rows, or on a busy machine, the larger run may take no longer.
        steep = max(b.cpu - a.cpu, 0.0) / (b.rows - a.rows) or b.cpu / b.rows
        cpu = b.cpu + steep * (rows - b.rows) if rows > b.rows else b.cpu * rows / b.rows
        return Measured(int(rows), b.scans, b.read * rows / b.rows, cpu, b.alone)

    def describe(self, rows: float, workers: int = 1) -> str:
        """Return the costs in words."""
        found = self.at(rows)
        each = f", {_seconds(found.cpu / workers)} for each of {workers} workers"
        lines = {
            "scans": f"{found.scans}",
            "bytes read": _bytes(found.read),
            "CPU of the scans": _seconds(found.cpu) + (each if workers > 1 else ""),
            "CPU of all else": _seconds(found.alone),
            "memory, driver": "not measured here" if self.driver is None else _bytes(self.driver),
            "memory, worker": "not measured here" if self.worker is None else _bytes(self.worker),
            "state of a scan": f"at most {_bytes(self.state)}",
        }
        head = f"For {rows:,.0f} rows, from runs on {self.small.rows:,} and {self.large.rows:,}:"
        return "\n".join([head, *(f"  {name:<17} {text}" for name, text in lines.items())])


def scan_costs(X: StoredFrame, selector: Any, target: str) -> tuple[ScanCosts, int]:
    """Measure selections from the first rows; return the model and the number of all rows."""
    n_rows = X.source.reduce(Tallies((), None)).n_rows
    if n_rows < 2 * FIRST:
        raise InputError(
            f"{X.source.title} must have at least {2 * FIRST:,} rows to measure costs, but has "
            f"{n_rows:,}; run the selection itself."
        )
    _run(X, selector, target, FIRST)
    before = _peak()
    most = max(2 * FIRST, min(n_rows, MOST_ROWS, MOST_VALUES // len(X.columns)))
    (small, _), (large, state) = (_run(X, selector, target, n) for n in (most // 8, most))
    # The process that asks holds the state of all rows and that of a part.
    driver = None if before is None else before + 2 * state
    return ScanCosts(small, large, state, driver, _peak()), n_rows


def _run(X: StoredFrame, selector: Any, target: str, n: int) -> tuple[Measured, int]:
    rows = FirstRows(X.source, n)
    start = time.process_time()
    selector.fit(StoredFrame(rows, X.columns), target=target)
    alone = time.process_time() - start - rows.cpu
    return Measured(n, rows.scans, rows.read, rows.cpu, max(alone, 0.0)), rows.state


def _peak() -> int | None:
    """Return the largest memory that this process has had, in bytes."""
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def _bytes(size: float) -> str:
    """Return a size in words.

    >>> _bytes(1_250_000)
    '1.2 MB'
    """
    power = 0 if size < 1000.0 else min(4, int(np.log10(size) / 3))
    unit, size = ("bytes", "kB", "MB", "GB", "TB")[power], size / 1000.0**power
    return f"{size:.0f} {unit}" if size >= 100.0 or not power else f"{size:.1f} {unit}"


def _seconds(spent: float) -> str:
    """Return a time in words.

    >>> _seconds(5400.0), _seconds(2.04)
    ('1.5 h', '2.0 s')
    """
    return f"{spent / 3600.0:.1f} h" if spent >= 3600.0 else f"{spent:.1f} s"
