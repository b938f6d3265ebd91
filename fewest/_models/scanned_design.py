"""Columns of a linear model of a table outside memory: their products, in two scans."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..data._engine.fold_sums import FoldedRows, RowScan, StoredRows
from ..data._engine.source import Floats
from ..data._engine.stored import StoredTable
from .posterior_inclusion import CONSTANT, columns_of, frequent

#: A base of the targets is left out where its length is this small beside the longest: squares
#: keep half of the digits.
NOTHING = 1e-7


@dataclass(frozen=True, eq=False)
class DesignScan(RowScan[Floats]):
    """Scan for sums, weights of known values and largest values; then for products about ``mean``.

    The columns of the target, one for each of ``classes``, are the last.
    """

    values: list[tuple[int, int]]
    classes: list[int] | None
    mean: Floats | None = None
    largest: Floats | None = None

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.values) + (1 if self.classes is None else len(self.classes))

    def start(self) -> Floats:
        return np.zeros((self.width if self.mean is not None else 4, self.width))

    def add(self, state: Floats, part: StoredRows) -> Floats:
        target = part.target[:, None]
        own = target if self.classes is None else target == np.array(self.classes, dtype=int)
        columns = np.column_stack([columns_of(part.values, self.values), own])
        if self.mean is None or self.largest is None:
            known = np.nan_to_num(columns)
            sums = part.weight @ known, part.weight @ ~np.isnan(columns)
            squares = np.full(self.width, (part.weight**2).sum())
            return self.merge(state, np.array([*sums, np.abs(known).max(axis=0), squares]))
        away = np.nan_to_num((columns - self.mean) / self.largest)
        state += (away * part.weight[:, None]).T @ away
        return state

    def merge(self, state: Floats, other: Floats) -> Floats:
        joined = state + other
        if self.mean is None:
            joined[2] = np.maximum(state[2], other[2])
        return joined


@dataclass(frozen=True, eq=False)
class ScannedDesign:
    """Columns of features, with their products and those with the target."""

    values: list[tuple[int, int]]
    both: Floats
    weight: float
    rows: float

    @classmethod
    def of(cls, table: StoredTable, features: list[int]) -> ScannedDesign:
        """Return the design of some features."""
        values: list[tuple[int, int]] = []
        for j in features:
            labels = table.levels[j] is not None
            values += [(j, v) for v in frequent(table.label_counts(j))] if labels else [(j, -1)]
        classes = None
        if table.classes is not None:
            classes = frequent(table.tally.class_counts(table.classes))
        scan = DesignScan(FoldedRows(table, 1), values, classes)
        table.source.check_state(scan.width**2, f"the products of {scan.width} columns")
        total, known, largest, squares = table.source.reduce(scan)
        mean = total / np.where(known > 0.0, known, 1.0)
        scan = replace(scan, mean=mean, largest=np.where(largest > 0.0, largest, 1.0))
        weight = float(table.total)
        rows = weight**2 / float(squares[0]) if scan.width else weight
        return cls(values, table.source.reduce(scan), weight, rows)

    def products(self) -> tuple[Floats, NDArray[np.bool_]]:
        """Return products of columns of length 1 with the targets, and which columns vary."""
        c = len(self.values)
        own, base = np.linalg.eigh(self.both[c:, c:])
        length = np.sqrt(np.maximum(own, 0.0))
        least = max(CONSTANT * np.sqrt(self.weight), NOTHING * length.max(initial=0.0))
        some = length > least
        square = np.diag(self.both)[:c]
        varies = np.sqrt(square) > CONSTANT * np.sqrt(self.weight)
        right = self.both[:c, c:] @ (base[:, some] / length[some])
        return right / np.where(varies, np.sqrt(square), 1.0)[:, None], varies

    def gram(self, chosen: list[int]) -> Floats:
        """Return products of some columns about their means."""
        return np.asarray(self.both[np.ix_(chosen, chosen)])
