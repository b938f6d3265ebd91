"""Rows of a stored table with their folds, sums over the rows of each fold, and all but a fold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..._errors import InputError
from ..._kernels.bayes.hits import row_hashes
from .._class_sums import ClassSums, Moments
from .batches import numbers_of
from .encode import Coding
from .entropies import hashed
from .source import Floats, Scan, Scanned, State, TableSource
from .stored import StoredTable
from .tallies import Tallies


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
    order, and equal rows share a fold; or its value in the column ``folds`` of the table. Another
    ``salt`` makes other folds.
    """

    table: StoredTable
    n_folds: int
    salt: int = 0

    @cached_property
    def codings(self) -> list[Coding | None]:
        """How the labels of each feature are coded; None for numbers."""
        t = self.table
        return [
            None if levels is None else Coding(name, levels, None, None in t.tally.found[name])
            for name, levels in zip(t.names, t.levels, strict=True)
        ]

    def read(self, batch: pa.RecordBatch, weight: Floats | None) -> StoredRows:
        """Return the rows of a batch."""
        values = np.empty((batch.num_rows, len(self.codings)))
        for j, (name, coding) in enumerate(zip(self.table.names, self.codings, strict=True)):
            if coding is None:
                values[:, j] = numbers_of(batch.column(name), name)
            else:
                codes = coding.codes(batch.column(name)).astype(np.float64) - coding.unknown
                values[:, j] = np.where(codes < 0, np.nan, codes)
        own = np.ones(batch.num_rows) if weight is None else weight
        target = self._target(batch)
        return StoredRows(values, target, self._fold(batch, values, target), own)

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
            hashes = row_hashes(values, target)
            hashes = hashed(hashes + np.uint64(self.salt)) if self.salt else hashes
            return np.asarray(hashes % np.uint64(self.n_folds), dtype=np.int64)
        known = sorted(v for v in self.table.tally.found[self.table.folds] if v is not None)  # type: ignore[type-var]
        coding = Coding(self.table.folds, tuple(known), None, False)
        return coding.codes(batch.column(self.table.folds)).astype(np.int64)


@dataclass(frozen=True, eq=False)
class RowScan(Scan[State]):
    """Scan of rows with their folds."""

    rows: FoldedRows

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "rows": replace(self.rows, table=self.rows.table.bare())}

    @property
    def columns(self) -> list[str]:  # type: ignore[override]
        t = self.rows.table
        return [*t.names, t.target_name, *([t.folds] if t.folds else [])]

    @property
    def weight(self) -> str | None:  # type: ignore[override]
        return self.rows.table.weight

    def read(self, batch: pa.RecordBatch, weight: Floats | None) -> StoredRows:
        return self.rows.read(batch, weight)


class ClassScan(RowScan[ClassSums]):
    """Scan for the sums of every class in every fold."""

    def start(self) -> ClassSums:
        t = self.rows.table
        most = int(t.cardinalities.max(initial=0))
        return ClassSums.nothing(t.nominal, most, self.rows.n_folds, t.n_classes)

    def add(self, state: ClassSums, part: StoredRows) -> ClassSums:
        state.add(part.values, part.target.astype(np.int64), part.fold, part.weight)
        return state


@dataclass(frozen=True, eq=False)
class MomentScan(RowScan[list[Moments]]):
    """Scan for the moments of each fold: of the features and, if it is numeric, of the target.

    With ``by_class`` every class is a group.
    """

    by_class: bool

    @property
    def shape(self) -> tuple[int, int]:
        """Number of groups and of columns."""
        table = self.rows.table
        return table.n_classes if self.by_class else 1, table.n_features + (not self.by_class)

    def start(self) -> list[Moments]:
        groups, d = self.shape
        nothing = Moments(np.zeros(groups), np.zeros((groups, d)), np.zeros((groups, d, d)))
        return [nothing] * self.rows.n_folds

    def add(self, state: list[Moments], part: StoredRows) -> list[Moments]:
        check_numbers(self.rows.table, np.isnan(part.values).any(axis=0))
        columns = part.values if self.by_class else np.column_stack([part.values, part.target])
        for fold in np.unique(part.fold).tolist():
            inside = part.fold == fold
            of = part.target[inside].astype(np.int64) if self.by_class else None
            groups = len(state[fold].weight)
            state[fold] += Moments.of(columns[inside], of, groups, part.weight[inside])
        return state

    def merge(self, state: list[Moments], other: list[Moments]) -> list[Moments]:
        return [own + more for own, more in zip(state, other, strict=True)]


def fold_moments(rows: FoldedRows, by_class: bool) -> list[Moments]:
    """Return the moments of each fold, in one scan."""
    scan = MomentScan(rows, by_class)
    groups, columns = scan.shape
    # Those of the training rows of each fold lie beside.
    size = 2 * rows.n_folds * groups * columns**2
    rows.table.source.check_state(size, f"the products of {columns} columns in each fold")
    return rows.table.source.reduce(scan)


def check_numbers(table: StoredTable, unknown: Any) -> None:
    """Refuse labels and features with ``unknown`` values, for models of numbers."""
    if table.nominal.any():
        name = table.names[int(np.flatnonzero(table.nominal)[0])]
        raise InputError(
            f"The estimator takes numbers, but column {name!r} holds labels; leave it out, or use "
            "naive-bayes."
        )
    if unknown.any():
        name = table.names[int(np.argmax(unknown))]
        raise InputError(
            f"The estimator takes known values only, but column {name!r} has unknown ones; leave "
            "it out, or use naive-bayes."
        )


@dataclass(frozen=True, eq=False)
class TrainingScan(RowScan[State]):
    """Any scan, of the rows that are not in one fold."""

    scan: Scan[State]
    fold: int

    @property
    def columns(self) -> list[str]:  # type: ignore[override]
        return list(dict.fromkeys([*super().columns, *self.scan.columns]))

    @property
    def weight(self) -> str | None:  # type: ignore[override]
        return self.scan.weight

    def outside(self, batch: pa.RecordBatch) -> NDArray[np.bool_]:
        """Return which rows are not in the fold."""
        return np.asarray(self.rows.read(batch, None).fold != self.fold)

    def start(self) -> State:
        return self.scan.start()

    def read(self, batch: pa.RecordBatch, weight: Floats | None) -> Any:
        kept = self.outside(batch)
        own = None if weight is None else weight[kept]
        return self.scan.read(batch.filter(pa.array(kept)), own) if kept.any() else None

    def add(self, state: State, part: Any) -> State:
        return state if part is None else self.scan.add(state, part)

    def merge(self, state: State, other: State) -> State:
        return self.scan.merge(state, other)


class TrainingRows(TableSource):
    """Table without the rows of one fold, which are left out where they lie."""

    def __init__(self, rows: FoldedRows, fold: int) -> None:
        self.rows, self.fold, self.whole = rows, fold, rows.table.source
        self.title, self.memory = self.whole.title, self.whole.memory
        # What changes between two folds is noticed, too.
        self._stamps, self._n_rows = self.whole._stamps, self.whole._n_rows

    @property
    def held(self) -> int:  # type: ignore[override]
        """States that a process holds at once."""
        return self.whole.held

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        return self.whole.schema

    @property
    def files(self) -> Sequence[Path]:
        """Return the files of the whole table."""
        return self.whole.files

    def answered(self, scan: Scan[State]) -> Scanned[State]:
        """Return the state of a scan after all rows but those of the fold."""
        return self.whole.answered(TrainingScan(self.rows, scan, self.fold))

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these rows."""
        scan = TrainingScan(self.rows, Tallies(tuple(columns), None), self.fold)
        for batch in self.whole.batches(scan.needed):
            yield batch.filter(pa.array(scan.outside(batch))).select(list(columns))
