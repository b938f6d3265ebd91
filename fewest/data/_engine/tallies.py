"""First scan: the values of the columns, and how often each goes with each class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .batches import dictionary_of
from .source import Floats, Scan

#: A column of labels with more values than this is left out: it names the rows.
MOST_LEVELS = 2_000


class Tally:
    """Counts by value and class, added up over batches; values and classes appear on the way.

    ``found`` holds for every column of labels its values (None for unknown) with their counts by
    class, in the order of ``classes``; a row may be shorter where later classes never occur.
    ``too_many`` are columns with more than ``MOST_LEVELS`` values, which are not counted.
    Without a ``target`` all rows are of one class, None.
    """

    def __init__(self, labels: Sequence[str], target: str | None) -> None:
        self.target = target
        self.found: dict[str, dict[object, Floats]] = {name: {} for name in labels}
        self.too_many: set[str] = set()
        self.classes: dict[object, int] = {}
        self.n_rows, self.total = 0, 0.0
        self._of_class: Floats = np.zeros(0)

    def add(self, batch: pa.RecordBatch, weight: Floats | None) -> None:
        """Count the rows of a batch."""
        of = self._classes_of(batch)
        width = len(self.classes)
        self.n_rows += len(of)
        seen = np.bincount(of, weight, minlength=width)
        self.total += float(seen.sum())
        seen[: len(self._of_class)] += self._of_class.astype(seen.dtype)
        self._of_class = seen.astype(np.float64)
        for name, found in self.found.items():
            if name not in self.too_many:
                values, codes = dictionary_of(batch.column(name))
                cells = np.bincount(codes * width + of, weight, minlength=len(values) * width)
                self._merge(name, found, values, cells.reshape(-1, width))

    def join(self, other: Tally) -> None:
        """Count the rows of another tally."""
        places = [self.classes.setdefault(c, len(self.classes)) for c in other.classes]
        self.n_rows, self.total = self.n_rows + other.n_rows, self.total + other.total
        self._of_class = _joined(self._of_class, other._of_class, places)
        self.too_many |= other.too_many
        for name, found in self.found.items():
            for value, row in other.found[name].items():
                found[value] = _joined(found.get(value, np.zeros(0)), row, places)
            self._drop_names(name, found)

    def rows(self, rows: Sequence[Floats], classes: NDArray[Any] | None) -> Floats:
        """Return counts by class, in the order of ``classes``; one column for no classes."""
        wide = np.zeros((len(rows), len(self.classes)))
        for i, row in enumerate(rows):
            wide[i, : len(row)] = row
        if classes is None:
            return np.asarray(wide.sum(axis=1, keepdims=True))
        return np.ascontiguousarray(wide[:, [self.classes[c] for c in classes.tolist()]])

    def class_counts(self, classes: NDArray[Any] | None) -> Floats:
        """Return the number of rows (or the weight) of each class."""
        return np.asarray(self.rows([self._of_class], classes)[0])

    def _classes_of(self, batch: pa.RecordBatch) -> NDArray[np.int64]:
        if self.target is None:
            self.classes.setdefault(None, 0)
            return np.zeros(batch.num_rows, dtype=np.int64)
        values, codes = dictionary_of(batch.column(self.target))
        return np.array([self._class_place(v, codes, i) for i, v in enumerate(values)])[codes]

    def _class_place(self, value: object, codes: NDArray[np.int64], i: int) -> int:
        # None is at the end of every dictionary: it is a class only where it occurs.
        if value is None and not (codes == i).any():
            return 0
        return self.classes.setdefault(value, len(self.classes))

    def _merge(
        self, name: str, found: dict[object, Floats], values: list[object], cells: NDArray[Any]
    ) -> None:
        for value, row in zip(values, cells, strict=True):
            if row.any():
                known = found.get(value, np.zeros(0))
                found[value] = row.astype(np.float64)
                found[value][: len(known)] += known
        self._drop_names(name, found)

    def _drop_names(self, name: str, found: dict[object, Floats]) -> None:
        if len(found) > MOST_LEVELS or name in self.too_many:
            self.too_many.add(name)
            found.clear()


def _joined(row: Floats, other: Floats, places: list[int]) -> Floats:
    """Add counts by class, the class i of ``other`` being the class ``places[i]`` of ``row``."""
    at = places[: len(other)]
    wide = np.zeros(max([len(row), *(place + 1 for place in at)]))
    wide[: len(row)] = row
    wide[at] += other
    return wide


@dataclass(frozen=True)
class Tallies(Scan[Tally]):
    """Scan of the columns of labels and of the target."""

    labels: tuple[str, ...]
    target: str | None
    weight: str | None = None

    @property
    def columns(self) -> list[str]:  # type: ignore[override]
        return [*self.labels, *([self.target] if self.target else [])]

    def start(self) -> Tally:
        return Tally(self.labels, self.target)

    def add(self, state: Tally, part: tuple[pa.RecordBatch, Floats | None]) -> Tally:
        state.add(*part)
        return state

    def merge(self, state: Tally, other: Tally) -> Tally:
        state.join(other)
        return state
