"""Interface of a table outside memory: it is read in batches, or asked by scans."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..._errors import InputError
from .batches import numbers_of, prefetched

#: Rows and values of a batch that are processed at once.
BATCH_ROWS, BATCH_VALUES = 1 << 16, 1 << 22
#: Bytes of memory for what scans count, unless the user says otherwise.
MEMORY = 2_000_000_000
Floats = NDArray[np.float64]
State = TypeVar("State")


def batch_rows(n_columns: int) -> int:
    """Return how many rows of so many columns are processed at once.

    >>> batch_rows(20), batch_rows(2_000)
    (65536, 2097)
    """
    return min(BATCH_ROWS, max(1, BATCH_VALUES // max(1, n_columns)))


class Scan(ABC, Generic[State]):
    """Question that one reading of the rows answers.

    Each worker starts a state, adds its rows, and the states are merged in the order of the parts.
    A scan is sent to the workers, so it holds what they need to know and no rows.
    """

    #: The columns to read, and the one of the number of rows that each row represents.
    columns: Sequence[str]
    weight: str | None

    @property
    def needed(self) -> list[str]:
        """Every column that must be read."""
        return [*self.columns, *([self.weight] if self.weight else [])]

    @abstractmethod
    def start(self) -> State:
        """Return the state before the first row."""

    def read(self, batch: pa.RecordBatch, weight: Floats | None) -> Any:
        """Prepare a batch for :meth:`add`, in another thread, while the last one is added."""
        return batch, weight

    @abstractmethod
    def add(self, state: State, part: Any) -> State:
        """Return the state with the rows of a batch."""

    def merge(self, state: State, other: State) -> State:
        """Return the state of the rows of both; those of ``other`` come later."""
        state += other  # type: ignore[operator]
        return state


@dataclass
class Scanned(Generic[State]):
    """State of a scan after some rows, and how many these were."""

    n_rows: int
    state: State


def read_all(scan: Scan[State], batches: Iterable[pa.RecordBatch]) -> Scanned[State]:
    """Return the state of a scan after these batches; rows of weight 0 are left out.

    Scanned and preparing run in a thread of their own, ahead of the adding.
    """
    found, size = Scanned(0, scan.start()), batch_rows(len(scan.needed))

    def parts() -> Iterator[Any]:
        for batch in batches:
            found.n_rows += batch.num_rows
            own = None if scan.weight is None else _weights(batch.column(scan.weight), scan.weight)
            if own is not None and not own.all():
                batch, own = batch.filter(pa.array(own > 0.0)), own[own > 0.0]
            for start in range(0, batch.num_rows, size):
                rows = slice(start, start + size)
                yield scan.read(batch.slice(start, size), None if own is None else own[rows])

    for part in prefetched(parts()):
        found.state = scan.add(found.state, part)
    return found


def _weights(column: Any, name: str) -> Floats:
    own = numbers_of(column, name)
    if np.isnan(own).any() or (own < 0.0).any():
        raise InputError(
            f"`sample_weight` must name a column of numbers of at least 0, but {name!r} has "
            "unknown or negative ones."
        )
    return own


class TableSource(ABC):
    """Table outside memory.

    A source can be read any number of times. The order of its rows may differ from time to time:
    nothing that is computed from it may depend on the order or on the size of the batches. Its
    rows may not change: each reading is compared with the first.
    """

    #: Name in messages.
    title: str
    #: Bytes that what scans count may take in one process.
    memory: int = MEMORY
    #: States that a process holds at once: where two are merged, also what one of them came in.
    held: ClassVar[int] = 3
    #: Size and time of modification of each file, and the number of rows, when first read.
    _stamps: dict[Path, tuple[int, int]] | None = None
    _n_rows: int | None = None

    @property
    def files(self) -> Sequence[Path]:
        """Return the files of the table, where they are known."""
        return ()

    @property
    def state_bytes(self) -> int:
        """Bytes that a state may take."""
        return self.memory // self.held

    def check_state(self, size: int, what: str) -> None:
        """Refuse a state of so many numbers that cannot be counted in several scans."""
        if 8 * size > self.state_bytes:
            raise InputError(
                f"`memory` must be at least {8e-9 * size * self.held:.1f} GB for {what}, but is "
                f"{self.memory / 1e9:.2g} GB; allow more with `fewest.load(..., memory=...)`, or "
                "choose fewer columns first, such as the best by information-gain."
            )

    @property
    @abstractmethod
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""

    @abstractmethod
    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield all rows of these columns, in batches of any size."""

    def answered(self, scan: Scan[State]) -> Scanned[State]:
        """Return the state of a scan after all rows; engines answer where the rows lie."""
        return read_all(scan, self.batches(self.read_by(scan)))

    def read_by(self, scan: Scan[Any]) -> list[str]:
        """Return the columns to read; rows without columns cannot be counted everywhere."""
        return scan.needed or self.schema.names[:1]

    def reduce(self, scan: Scan[State]) -> State:
        """Return the same; refuse a table that is no longer what it was."""
        self._check_files()
        found = self.answered(scan)
        self._check_files()
        self._n_rows = found.n_rows if self._n_rows is None else self._n_rows
        if found.n_rows != self._n_rows:
            was = self._n_rows
            raise changed(f"{self.title} had {was} rows and now has {found.n_rows}")
        return found.state

    def _check_files(self) -> None:
        stamps = {path: _stamp(path) for path in self.files}
        self._stamps = stamps if self._stamps is None else self._stamps
        for path, stamp in stamps.items():
            if stamp != self._stamps[path]:
                raise changed(f"the file {path} was written again")


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        raise gone(path) from None
    return found.st_size, found.st_mtime_ns


def gone(path: Path) -> InputError:
    """Return the error of a file that is no longer there."""
    return InputError(
        f"The file {path} was there when the run began, but is gone; put it back and run again, "
        "with the same journal to continue."
    )


def changed(what: str) -> InputError:
    """Return the error of a table whose rows are not those of the first reading."""
    return InputError(
        f"The data changed during the run: {what}. Scores of different data cannot be compared: "
        "load the table again and start a new run. A journal keeps what was scored."
    )
