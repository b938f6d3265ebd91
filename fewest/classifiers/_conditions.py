"""Conditions on one feature, and rules made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._kernels.trees.rule_conditions import condition_counts
from ..data._schema import Schema
from ._base import Floats, Rows
from ._cells import Cells, Ints, half_way
from ._trees.rule_text import leaf_text

EQUAL, AT_MOST, ABOVE = 0, 1, 2


@dataclass(frozen=True)
class Condition:
    """Level of a feature, or one side of a cut. An unknown value meets no condition."""

    feature: int
    sign: int
    value: float

    def holds(self, values: Floats) -> NDArray[np.bool_]:
        """Mark the rows that meet the condition."""
        column = values[:, self.feature]
        if self.sign == EQUAL:
            return np.equal(column, self.value)
        if self.sign == AT_MOST:
            return np.less_equal(column, self.value)
        return np.greater(column, self.value)

    def to_text(self, schema: Schema) -> str:
        """Write the condition as text."""
        levels = schema.levels[self.feature]
        shown = f"{self.value:.6g}" if levels is None else str(levels[int(self.value)])
        return f"{schema.names[self.feature]} {('=', '<=', '>')[self.sign]} {shown}"


@dataclass(frozen=True, eq=False)
class DecisionRule:
    """Conjunction of conditions; ``counts`` are the training weights by class that meet them."""

    conditions: tuple[Condition, ...]
    counts: Floats

    def covers(self, values: Floats) -> NDArray[np.bool_]:
        """Mark the rows that meet every condition."""
        inside = np.ones(len(values), dtype=bool)
        for condition in self.conditions:
            inside &= condition.holds(values)
        return inside


def rules_text(
    rules: list[DecisionRule], default: Floats, schema: Schema, classes: NDArray[Any]
) -> str:
    """Write a list of rules, one per line, and what holds where none applies."""
    lines = []
    for rule in rules:
        met = " and ".join(c.to_text(schema) for c in rule.conditions) or "true"
        lines.append(f"if {met} then {leaf_text(rule.counts, classes)}")
    return "\n".join([*lines, f"otherwise {leaf_text(default, classes)}"])


@dataclass(frozen=True, eq=False)
class Conditions:
    """Conditions that training rows offer: each level, both sides of each cut.

    A condition is a range of cells of its feature, from ``low`` to ``high``.
    """

    rows: Rows
    cells: Cells
    feature: Ints
    low: Ints
    high: Ints
    sign: Ints

    @classmethod
    def of(cls, rows: Rows) -> Conditions:
        """Find the conditions over these rows."""
        cells = Cells.count(rows)
        parts = [_of_feature(cells, j, bool(rows.nominal[j])) for j in range(len(rows.nominal))]
        return cls(rows, cells, *np.concatenate(parts, axis=1))

    def __len__(self) -> int:
        return len(self.feature)

    def counts(self, inside: NDArray[np.intp]) -> Floats:
        """Return the weight of each class among the rows ``inside`` that meet each condition."""
        rows, n_cells = self.rows, int(self.cells.first[-1])
        counts: Floats = condition_counts(
            self.cells.of, rows.target, rows.weight, inside, n_cells, rows.n_classes,
            self.low, self.high,
        )  # fmt: skip
        return counts.T

    def holds(self, i: int, inside: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Mark the rows ``inside`` that meet condition ``i``."""
        cell = self.cells.of[inside, self.feature[i]]
        found: NDArray[np.bool_] = (cell >= self.low[i]) & (cell <= self.high[i])
        return found

    def __getitem__(self, i: int) -> Condition:
        j = int(self.feature[i])
        values, begin = self.cells.values[j], int(self.cells.first[j])
        if self.sign[i] == EQUAL:
            return Condition(j, EQUAL, float(values[self.low[i] - begin]))
        left = int(self.high[i] if self.sign[i] == AT_MOST else self.low[i] - 1) - begin
        return Condition(j, int(self.sign[i]), half_way(values[left], values[left + 1]))


def _of_feature(cells: Cells, j: int, nominal: bool) -> Ints:
    begin, end = int(cells.first[j]), int(cells.first[j + 1]) - 1
    if nominal:
        levels = np.arange(begin, end)
        return np.array([np.full(len(levels), j), levels, levels, np.full(len(levels), EQUAL)])
    last = np.arange(begin, max(end - 1, begin))
    feature = np.full(2 * len(last), j)
    low = np.concatenate([np.full(len(last), begin), last + 1])
    high = np.concatenate([last, np.full(len(last), end - 1)])
    return np.array([feature, low, high, np.repeat([AT_MOST, ABOVE], len(last))])
