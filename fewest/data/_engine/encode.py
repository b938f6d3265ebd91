"""From Arrow batches to codes: labels by their place among the levels, numbers by the cuts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .batches import dictionary_of, numbers_of
from .source import Floats, Scan, State, changed

Codes = NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class Coding:
    """Coding of the values of one column.

    Where unknown values occur they have the code 0, and the others follow.

    Parameters
    ----------
    name : str
    levels : tuple or None
        The labels, in order; None for a column of numbers, which ``cuts`` divides into intervals.
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

    def codes(self, column: pa.Array) -> Codes:
        """Return the code of every row."""
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
    """Codings of several columns and of the class, and the name of the weight."""

    features: tuple[Coding, ...]
    target: Coding | None
    weight: str | None = None

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of codes of each feature."""
        return np.array([coding.size for coding in self.features], dtype=np.int64)

    @property
    def n_classes(self) -> int:
        """Number of classes; 1 without a target."""
        return 1 if self.target is None else self.target.size


@dataclass(frozen=True, eq=False)
class CodedScan(Scan[State]):
    """Scan of codes of shape (features, rows), classes, and weights if any."""

    coder: Coder

    @property
    def columns(self) -> list[str]:  # type: ignore[override]
        target = self.coder.target
        return [coding.name for coding in (*self.coder.features, *([target] if target else []))]

    @property
    def weight(self) -> str | None:  # type: ignore[override]
        return self.coder.weight

    def read(
        self, batch: pa.RecordBatch, weight: Floats | None
    ) -> tuple[Codes, Codes, Floats | None]:
        codes = np.empty((len(self.coder.features), batch.num_rows), dtype=np.uint16)
        for j, coding in enumerate(self.coder.features):
            codes[j] = coding.codes(batch.column(coding.name))
        target = self.coder.target
        if target is None:
            return codes, np.zeros(batch.num_rows, dtype=np.uint16), weight
        return codes, target.codes(batch.column(target.name)), weight
