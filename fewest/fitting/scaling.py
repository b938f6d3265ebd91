"""Columns whose plain Euclidean distance is a weighted distance of a mixed table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..classifiers.neighbours.ranges import range_scale
from ..data.table import Table

Floats = NDArray[np.float64]

#: A known value lies 1/12 from the middle of the range in the mean of squares, if all values are
#: alike probable; this is what is left to a distance of 1.
BESIDE = 11.0 / 12.0


@dataclass(frozen=True, eq=False)
class WeightedColumns:
    """How each feature with a weight becomes columns."""

    features: tuple[int, ...]
    levels: tuple[int, ...]
    factor: Floats
    middle: Floats
    height: Floats
    unknown: tuple[bool, ...]
    names: tuple[str, ...]

    @staticmethod
    def learn(table: Table, weights: Floats) -> WeightedColumns:
        """From the ranges and levels of the rows that the weights were found with."""
        scale, width = range_scale(table.doubles, table.nominal)
        kept = np.flatnonzero(weights > 0)
        names: list[str] = []
        low = np.where(table.missing, np.inf, table.doubles).min(axis=0)
        for j in kept:
            levels, name = table.levels[j], table.names[j]
            names += [name] if levels is None else [f"{name}={level}" for level in levels]
            names += [f"{name}=unknown"] if table.missing[:, j].any() else []
        return WeightedColumns(
            tuple(kept.tolist()),
            tuple(int(table.cardinalities[j]) for j in kept),
            np.sqrt(weights[kept]) * scale[kept],
            np.where(np.isfinite(low), low, 0.0)[kept] + width[kept] / 2,
            np.sqrt(weights[kept]),
            tuple(bool(table.missing[:, j].any()) for j in kept),
            tuple(names),
        )

    def transform(self, values: Floats) -> Floats:
        """The columns of encoded rows."""
        columns: list[Floats] = []
        for i, j in enumerate(self.features):
            given, lost = values[:, j], np.isnan(values[:, j])
            if self.levels[i]:
                height = self.height[i] * np.sqrt(0.5)
                columns += [height * (given == level) for level in range(self.levels[i])]
            else:
                height = self.height[i] * np.sqrt(BESIDE)
                columns.append(self.factor[i] * np.where(lost, self.middle[i], given))
            if self.unknown[i]:
                columns.append(height * lost)
        return np.column_stack(columns) if columns else np.zeros((len(values), 0))
