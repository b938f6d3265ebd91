"""Interface of a table outside memory: it knows its columns and is read in batches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..._errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


#: Rows of a batch that are processed at once.
BATCH_ROWS = 1 << 16


class TableSource(ABC):
    """Table outside memory.

    A source can be read any number of times. The order of its rows may differ from time to time:
    nothing that is computed from it may depend on the order or on the size of the batches. Its
    rows may not change: :meth:`scan` compares each reading with the first.
    """

    #: Name in messages.
    title: str
    #: Whether the engine is elsewhere, so that it should count instead of sending its rows.
    remote: bool = False
    #: Size and time of modification of each file, and the numbers of rows, when first read.
    _stamps: dict[Path, tuple[int, int]] | None = None
    _n_rows: dict[str | None, int] | None = None

    @property
    def files(self) -> Sequence[Path]:
        """Return the files of the table, where they are known."""
        return ()

    @property
    @abstractmethod
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""

    @abstractmethod
    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield all rows of these columns, in batches of any size."""

    def scan(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Return the same batches; refuse a table that is no longer what it was."""
        self._check_files()
        n_rows = 0
        for batch in self.batches(columns):
            n_rows += batch.num_rows
            yield batch
        self._check_files()
        self.check_rows(n_rows)

    def check_rows(self, n_rows: int, weight: str | None = None) -> None:
        """Raise unless this is the number of rows (of weight above 0) of the first reading."""
        self._n_rows = {} if self._n_rows is None else self._n_rows
        before = self._n_rows.setdefault(weight, n_rows)
        if n_rows != before:
            raise changed(f"{self.title} had {before} rows and now has {n_rows}")

    def _check_files(self) -> None:
        stamps = {path: _stamp(path) for path in self.files}
        self._stamps = stamps if self._stamps is None else self._stamps
        for path, stamp in stamps.items():
            if stamp != self._stamps[path]:
                raise changed(f"the file {path} was written again")

    def count_groups(
        self, groups: Sequence[Sequence[str]], weight: str | None
    ) -> Iterator[tuple[int, tuple[Any, ...], int, float]]:
        """Count how often each combination of values occurs, for each group of columns.

        Yields the number of the group, the values as text (None where unknown, 1 and 0 for truth),
        the number of rows, and the sum of the ``weight`` column (the number of rows without one).
        Called for remote sources only.
        """
        raise NotImplementedError


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
