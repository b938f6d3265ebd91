"""Interface of a table outside memory: it knows its columns and is read in batches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa


#: Rows of a batch that are processed at once.
BATCH_ROWS = 1 << 16


class TableSource(ABC):
    """Table outside memory.

    A source can be read any number of times. The order of its rows may differ from time to time:
    nothing that is computed from it may depend on the order or on the size of the batches.
    """

    #: Name in messages.
    title: str
    #: Whether the engine is elsewhere, so that it should count instead of sending its rows.
    remote: bool = False

    @property
    @abstractmethod
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""

    @abstractmethod
    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield all rows of these columns, in batches of any size."""

    def count_groups(
        self, groups: Sequence[Sequence[str]], weight: str | None
    ) -> Iterator[tuple[int, tuple[Any, ...], int, float]]:
        """Count how often each combination of values occurs, for each group of columns.

        Yields the number of the group, the values as text (None where unknown, 1 and 0 for truth),
        the number of rows, and the sum of the ``weight`` column (the number of rows without one).
        Called for remote sources only.
        """
        raise NotImplementedError
