"""From Arrow batches to codes: labels by their place among the levels, numbers by the cuts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .arrow_columns import dictionary_of, numbers_of
from .learn import Floats, spelled, weighed
from .prefetch import prefetched
from .source import BATCH, Source, changed

Codes = NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class Coding:
    """How the values of one column become codes.

    Where unknown values occur they have the code 0, and the others follow.

    Parameters
    ----------
    name : str
    levels : tuple or None
        The labels, in order; None for a column of numbers, which ``cuts`` parts into intervals.
    cuts : float64 array or None
        Ascending; a value on a cut belongs to its left.
    unknown : bool
        Whether unknown values occur.
    """

    name: str
    levels: tuple[object, ...] | None
    cuts: Floats | None
    unknown: bool

    @property
    def size(self) -> int:
        """Number of codes."""
        known = len(self.levels) if self.cuts is None else len(self.cuts) + 1  # type: ignore
        return known + self.unknown

    def of_text(self) -> dict[str | None, int]:
        """The code of every label as an engine spells it."""
        codes: dict[str | None, int] = {
            str(int(level)) if isinstance(level, bool) else str(level): code
            for code, level in enumerate(self.levels or (), self.unknown)
        }
        return {**codes, None: 0} if self.unknown else codes

    def codes(self, column: pa.Array) -> Codes:
        """The code of every row."""
        if self.cuts is not None:
            numbers = numbers_of(column, self.name)
            place = np.searchsorted(self.cuts, numbers, side="left") + self.unknown
            return np.where(np.isnan(numbers), 0, place).astype(np.uint16)
        values, indices = dictionary_of(column)
        code_of = {level: code for code, level in enumerate(self.levels or (), self.unknown)}
        if self.unknown:
            code_of[None] = 0
        known = np.array([code_of.get(value, -1) for value in values])
        codes = known[indices]
        if (codes < 0).any():
            odd = values[int(indices[int(np.argmin(codes))])]
            raise changed(f"column {self.name!r} now holds {odd!r}, which was not there before")
        return codes.astype(np.uint16)


@dataclass(frozen=True, eq=False)
class Coder:
    """The codes of several columns, the class and the weight, batch after batch."""

    source: Source
    features: tuple[Coding, ...]
    target: Coding | None
    weight: str | None = None

    @property
    def counted_there(self) -> bool:
        """Whether a remote engine can count: all columns hold labels that have one spelling."""
        codings = [c for c in (*self.features, self.target) if c is not None]
        kinds = self.source.schema
        exact = all(c.cuts is None and spelled(kinds.field(c.name).type) for c in codings)
        return self.source.remote and self.target is not None and exact

    def batches(self) -> Iterator[tuple[Codes, Codes, Floats | None]]:
        """Codes of shape (features, rows), the class of every row, and the weights if any."""
        return prefetched(self._coded())

    def _coded(self) -> Iterator[tuple[Codes, Codes, Floats | None]]:
        needed = [coding.name for coding in self.features]
        needed += [name for name in (self.target and self.target.name, self.weight) if name]
        for whole, weight in weighed(self.source.scan(needed), self.weight):
            for start in range(0, whole.num_rows, BATCH):
                batch = whole.slice(start, BATCH)
                own = None if weight is None else weight[start : start + BATCH]
                yield self._features(batch), self._classes(batch), own

    def _features(self, batch: pa.RecordBatch) -> Codes:
        codes = np.empty((len(self.features), batch.num_rows), dtype=np.uint16)
        for j, coding in enumerate(self.features):
            codes[j] = coding.codes(batch.column(coding.name))
        return codes

    def _classes(self, batch: pa.RecordBatch) -> Codes:
        if self.target is None:
            return np.zeros(batch.num_rows, dtype=np.uint16)
        return self.target.codes(batch.column(self.target.name))
