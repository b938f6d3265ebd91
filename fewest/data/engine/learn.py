"""The first scan: which values the columns have, and how often each goes with each class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...errors import InputError
from .arrow_columns import dictionary_of, numbers_of
from .prefetch import prefetched
from .source import Source

#: A column of labels with more values than this is left out: it names the rows.
MOST_LEVELS = 2_000
Floats = NDArray[np.float64]


class Tally:
    """Counts by value and class, added up over batches; values and classes appear on the way.

    ``found`` has for every column of labels its values (None for unknown) with their counts by
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

    def rows(self, rows: Sequence[Floats], classes: NDArray[Any] | None) -> Floats:
        """Rows of counts by class, in the order of ``classes``; one column for no classes."""
        wide = np.zeros((len(rows), len(self.classes)))
        for i, row in enumerate(rows):
            wide[i, : len(row)] = row
        if classes is None:
            return np.asarray(wide.sum(axis=1, keepdims=True))
        return np.ascontiguousarray(wide[:, [self.classes[c] for c in classes.tolist()]])

    def add_class(self, place: int, n: float) -> None:
        """So many more rows (or so much weight) of a class."""
        wide = np.zeros(max(place + 1, len(self._of_class)))
        wide[: len(self._of_class)] = self._of_class
        wide[place] += n
        self._of_class = wide
        self.total += n

    def add_value(self, name: str, value: object, place: int, n: float) -> None:
        """So many more rows of a class with this value."""
        known = self.found[name].get(value, np.zeros(0))
        wide = np.zeros(max(place + 1, len(known)))
        wide[: len(known)] = known
        wide[place] += n
        self.found[name][value] = wide

    def class_counts(self, classes: NDArray[Any] | None) -> Floats:
        """How many rows (or what weight) each class has."""
        return np.asarray(self.rows([self._of_class], classes)[0])

    def _classes_of(self, batch: pa.RecordBatch) -> NDArray[np.int64]:
        if self.target is None:
            self.classes.setdefault(None, 0)
            return np.zeros(batch.num_rows, dtype=np.int64)
        values, codes = dictionary_of(batch.column(self.target))
        return np.array([self._place(v, codes, i) for i, v in enumerate(values)])[codes]

    def _place(self, value: object, codes: NDArray[np.int64], i: int) -> int:
        # None stands at the end of every dictionary: it is a class only where it occurs.
        if value is None and not (codes == i).any():
            return 0
        return self.classes.setdefault(value, len(self.classes))

    def _merge(
        self, name: str, found: dict[object, Floats], values: list[object], cells: NDArray[Any]
    ) -> None:
        for value, row in zip(values, cells, strict=True):
            if row.any():
                known = found.get(value)
                if known is None:
                    found[value] = row.astype(np.float64)
                else:
                    row = row.astype(np.float64)
                    row[: len(known)] += known
                    found[value] = row
        if len(found) > MOST_LEVELS:
            self.too_many.add(name)
            found.clear()


def learn(
    source: Source, labels: Sequence[str], target: str | None, weight: str | None = None
) -> Tally:
    """Scan the columns of labels and the target once; rows of weight 0 are left out."""
    tally = Tally(labels, target)
    if source.remote and target is not None and all(map(spelled, _kinds(source, labels, target))):
        _count_there(source, tally, target, weight)
        return tally
    needed = [name for name in (*labels, target, weight) if name is not None]
    for batch, own in weighed(prefetched(source.scan(needed)), weight):
        tally.add(batch, own)
    return tally


def _kinds(source: Source, labels: Sequence[str], target: str) -> list[Any]:
    return [source.schema.field(name).type for name in (*labels, target)]


def _count_there(source: Source, tally: Tally, target: str, weight: str | None) -> None:
    """Let the engine count the values of every column with the class, and the class alone."""
    columns = list(tally.found)
    read = {name: spelled(source.schema.field(name).type) for name in (*columns, target)}
    groups = [(target,), *((c, target) for c in columns)]
    for place, values, many, n in source.count_groups(groups, weight):
        label = _value(read[target], values[-1])
        at = tally.classes.setdefault(label, len(tally.classes))
        if place == 0:
            tally.add_class(at, n)
            tally.n_rows += int(many)
        else:
            name = columns[place - 1]
            tally.add_value(name, _value(read[name], values[0]), at, n)
    for name, found in tally.found.items():
        if len(found) > MOST_LEVELS:
            tally.too_many.add(name)
            found.clear()


def _value(read: Callable[[str], object] | None, text: str | None) -> object:
    return None if text is None or read is None else read(text)


def spelled(kind: Any) -> Callable[[str], object] | None:
    """How the text that an engine makes of a value is read; None where it may not be exact.

    >>> spelled(pa.bool_())("1"), spelled(pa.int8())("7"), spelled(pa.float64())
    (True, 7, None)
    """
    if pa.types.is_dictionary(kind):
        return spelled(kind.value_type)
    if pa.types.is_boolean(kind):
        return lambda text: text == "1"
    if pa.types.is_integer(kind):
        return int
    return str if pa.types.is_string(kind) or pa.types.is_large_string(kind) else None


def weighed(
    batches: Iterable[pa.RecordBatch], weight: str | None
) -> Iterable[tuple[pa.RecordBatch, Floats | None]]:
    """Every batch with the weights of its rows, without the rows of weight 0."""
    for batch in batches:
        if weight is None:
            yield batch, None
            continue
        own = _weights(batch.column(weight), weight)
        if not own.all():
            batch, own = batch.filter(pa.array(own > 0.0)), own[own > 0.0]
        if len(own):
            yield batch, own


def _weights(column: Any, name: str) -> Floats:
    own = numbers_of(column, name)
    if np.isnan(own).any() or (own < 0.0).any():
        raise InputError(
            f"`sample_weight` must name a column of numbers of at least 0, but {name!r} has "
            "unknown or negative ones."
        )
    return own
