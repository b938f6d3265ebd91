"""Rows of a stored table with their folds, and sums over the rows of each fold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..._errors import InputError
from ..._kernels.bayes.hits import row_hashes
from .._class_sums import ClassSums, Moments
from .batches import numbers_of, prefetched
from .encode import Coding
from .learn import Floats, weighed
from .source import BATCH_ROWS
from .stored import StoredTable


class StoredRows(NamedTuple):
    """Some rows: values as in :class:`~fewest.data._table.Table`, target, fold and weight."""

    values: Floats
    target: NDArray[np.float64]
    fold: NDArray[np.int64]
    weight: Floats


@dataclass(frozen=True, eq=False)
class FoldedRows:
    """Rows of a table in ``n_folds`` folds.

    The fold of a row is a hash of its content, so that it is the same on every engine and in every
    order, and equal rows share a fold; or its value in the column ``folds`` of the table.
    """

    table: StoredTable
    n_folds: int

    def batches(self) -> Iterator[StoredRows]:
        """Read all rows once."""
        return prefetched(self._read())

    def _read(self) -> Iterator[StoredRows]:
        t = self.table
        needed = [name for name in (*t.names, t.target_name, t.weight, t.folds) if name]
        codings = [
            None if levels is None else Coding(name, levels, None, None in t.tally.found[name])
            for name, levels in zip(t.names, t.levels, strict=True)
        ]
        for whole, weight in weighed(t.source.scan(needed), t.weight):
            for start in range(0, whole.num_rows, BATCH_ROWS):
                batch = whole.slice(start, BATCH_ROWS)
                own = (
                    np.ones(batch.num_rows)
                    if weight is None
                    else weight[start : start + BATCH_ROWS]
                )
                values = self._values(batch, codings)
                target = self._target(batch)
                yield StoredRows(values, target, self._fold(batch, values, target), own)

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


def class_sums(rows: FoldedRows) -> ClassSums:
    """Scan the rows once."""
    t = rows.table
    sums = ClassSums.nothing(
        t.nominal, int(t.cardinalities.max(initial=0)), rows.n_folds, t.n_classes
    )
    for part in rows.batches():
        sums.add(part.values, part.target.astype(np.int64), part.fold, part.weight)
    return sums


def fold_moments(rows: FoldedRows, by_class: bool) -> list[Moments]:
    """Return for each fold the moments of the features and, if it is numeric, of the target.

    With ``by_class`` every class is a group.
    """
    groups = rows.table.n_classes if by_class else 1
    found: list[Moments | None] = [None] * rows.n_folds
    for part in rows.batches():
        check_numbers(rows, part)
        columns = part.values if by_class else np.column_stack([part.values, part.target])
        for fold in range(rows.n_folds):
            inside = part.fold == fold
            of = part.target[inside].astype(np.int64) if by_class else None
            own = Moments.of(columns[inside], of, groups, part.weight[inside])
            known = found[fold]
            found[fold] = own if known is None else known + own
    return [moments for moments in found if moments is not None]


def check_numbers(rows: FoldedRows, part: StoredRows) -> None:
    """Refuse labels and unknown values, for models of numbers."""
    table = rows.table
    if table.nominal.any():
        name = table.names[int(np.flatnonzero(table.nominal)[0])]
        raise InputError(
            f"The estimator takes numbers, but column {name!r} holds labels; leave it out, or use "
            "naive-bayes."
        )
    unknown = np.isnan(part.values).any(axis=0)
    if unknown.any():
        name = table.names[int(np.argmax(unknown))]
        raise InputError(
            f"The estimator takes known values only, but column {name!r} has unknown ones; leave "
            "it out, or use naive-bayes."
        )
