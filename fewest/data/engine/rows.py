"""Rows of a stored table as numbers, batch after batch, each with its fold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...errors import InputError
from ...kernels.bayes.hits import row_hashes
from .arrow_columns import numbers_of
from .encode import Coding
from .learn import Floats, weighed
from .prefetch import prefetched
from .source import BATCH
from .stored import StoredTable


class Rows(NamedTuple):
    """Some rows: values as in :class:`~fewest.data.table.Table`, target, fold and weight."""

    values: Floats
    target: NDArray[np.float64]
    fold: NDArray[np.int64]
    weight: Floats


@dataclass(frozen=True, eq=False)
class FoldedRows:
    """All rows of a table in ``n_folds`` folds.

    The fold of a row is a hash of its content, so that it is the same on every engine and in every
    order, and equal rows share a fold; or its value in the column ``folds`` of the table.
    """

    table: StoredTable
    n_folds: int

    def batches(self) -> Iterator[Rows]:
        """Read all rows once."""
        return prefetched(self._read())

    def _read(self) -> Iterator[Rows]:
        t = self.table
        needed = [name for name in (*t.names, t.target_name, t.weight, t.folds) if name]
        codings = [
            None if levels is None else Coding(name, levels, None, None in t.tally.found[name])
            for name, levels in zip(t.names, t.levels, strict=True)
        ]
        for whole, weight in weighed(t.source.scan(needed), t.weight):
            for start in range(0, whole.num_rows, BATCH):
                batch = whole.slice(start, BATCH)
                own = np.ones(batch.num_rows) if weight is None else weight[start : start + BATCH]
                values = self._values(batch, codings)
                target = self._target(batch)
                yield Rows(values, target, self._fold(batch, values, target), own)

    def _values(self, batch: pa.RecordBatch, codings: list[Coding | None]) -> Floats:
        values = np.empty((batch.num_rows, len(codings)))
        for j, (name, coding) in enumerate(zip(self.table.names, codings, strict=True)):
            if coding is None:
                values[:, j] = numbers_of(batch.column(name), name)
            else:
                codes = coding.codes(batch.column(name)).astype(np.float64) - coding.unknown
                values[:, j] = np.where(codes < 0, np.nan, codes)
        return values

    def _target(self, batch: pa.RecordBatch) -> Floats:
        coding, name = self.table.target_coding, self.table.target_name
        column = batch.column(name)
        if coding is not None:
            return coding.codes(column).astype(np.float64)
        target = numbers_of(column, name)
        if np.isnan(target).any():
            raise InputError(
                "`y` must be known in every row, but is unknown in some; leave these rows out."
            )
        return target

    def _fold(self, batch: pa.RecordBatch, values: Floats, target: Floats) -> NDArray[np.int64]:
        if self.table.folds is None:
            hashes = row_hashes(values, target) % np.uint64(self.n_folds)
            return np.asarray(hashes, dtype=np.int64)
        known = sorted(v for v in self.table.tally.found[self.table.folds] if v is not None)  # type: ignore[type-var]
        coding = Coding(self.table.folds, tuple(known), None, False)
        return coding.codes(batch.column(self.table.folds)).astype(np.int64)
