"""Values as cells: the levels, or the distinct values in order, and one cell for unknown ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .base import Floats, Rows

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Cells:
    """Training rows by cell, so that the classes behind every value are one count.

    Parameters
    ----------
    of : int64 array of shape (rows, features)
        The cell of every value.
    first : int64 array of shape (features + 1,)
        Where the cells of each feature begin; its last cell is for unknown values.
    values : list of arrays
        The codes of the levels, or the distinct values in rising order, of each feature.
    """

    of: Ints
    first: Ints
    values: list[Floats]

    @classmethod
    def count(cls, rows: Rows) -> Cells:
        """The cells of these rows."""
        of = np.empty(rows.values.shape, dtype=np.int64)
        first, distinct = [0], []
        for j, levels in enumerate(rows.cardinalities):
            column = rows.values[:, j]
            known = ~np.isnan(column)
            values = np.arange(float(levels)) if levels else np.unique(column[known])
            of[:, j] = first[-1] + len(values)
            of[known, j] = first[-1] + np.searchsorted(values, column[known])
            distinct.append(values)
            first.append(first[-1] + len(values) + 1)
        return cls(of, np.array(first, dtype=np.int64), distinct)

    def class_weights(self, rows: Rows, inside: NDArray[np.intp]) -> Floats:
        """The weight of each class in each cell, over the rows ``inside``."""
        cells = self.of[inside] * rows.n_classes + rows.target[inside, None]
        weights = np.broadcast_to(rows.weight[inside, None], cells.shape)
        size = int(self.first[-1]) * rows.n_classes
        flat = np.bincount(cells.ravel(), weights.ravel(), minlength=size)
        return flat.reshape(-1, rows.n_classes).astype(np.float64)
