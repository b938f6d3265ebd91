"""Values as cells, cuts into intervals, and splits of rows by one feature."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..data._discretise import Discretisation, Discretiser
from ..data._schema import Schema
from ..data._table import Table
from ._base import Rows

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Split:
    """Test of one feature. The last branch is for unknown values.

    cuts: where the intervals of a continuous feature end; None for a nominal feature.
    n_branches: levels or intervals, and one more for unknown values.
    """

    feature: int
    cuts: Floats | None
    n_branches: int

    @classmethod
    def at(cls, feature: int, cuts: Floats) -> Split:
        """Split a continuous feature at these cut points."""
        return cls(feature, cuts, len(cuts) + 2)

    @classmethod
    def by_level(cls, feature: int, n_levels: int) -> Split:
        """Split a nominal feature into its levels."""
        return cls(feature, None, n_levels + 1)

    def branches(self, column: Floats) -> NDArray[np.int64]:
        """Return the branch of every value of the feature."""
        known = ~np.isnan(column)
        found = np.full(len(column), self.n_branches - 1, dtype=np.int64)
        codes = column[known] if self.cuts is None else np.searchsorted(self.cuts, column[known])
        found[known] = codes
        return found

    def counts(self, rows: Rows) -> Floats:
        """Return the weight of each class in each branch, shape (branches, classes)."""
        return rows.weights_by(self.branches(rows.values[:, self.feature]), self.n_branches)

    def conditions(self, levels: tuple[object, ...] | None) -> list[str]:
        """Describe each branch, given the levels of a nominal feature."""
        if self.cuts is None:
            named = levels if levels else ("?",)
            return [*(f"= {v}" for v in named), "unknown"]
        if not len(self.cuts):
            return ["known", "unknown"]
        between = zip(self.cuts, self.cuts[1:], strict=False)
        middle = [f"in ({low:.6g}, {high:.6g}]" for low, high in between]
        return [f"<= {self.cuts[0]:.6g}", *middle, f"> {self.cuts[-1]:.6g}", "unknown"]


def half_way(low: float, high: float) -> float:
    """Return the middle of two values; the lower one where rounding would give the higher one."""
    middle = low + (high - low) / 2.0
    return float(low if middle >= high else middle)


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
        """Count the cells of these rows."""
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
        """Return the weight of each class in each cell, over the rows ``inside``."""
        cells = self.of[inside] * rows.n_classes + rows.target[inside, None]
        weights = np.broadcast_to(rows.weight[inside, None], cells.shape)
        size = int(self.first[-1]) * rows.n_classes
        flat = np.bincount(cells.ravel(), weights.ravel(), minlength=size)
        return flat.reshape(-1, rows.n_classes).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Intervals:
    """Cut points learned from rows, and the codes that they give.

    ``sizes`` is the number of levels or intervals of each feature.
    """

    schema: Schema
    cuts: Discretisation
    sizes: NDArray[np.int64]

    @classmethod
    def learn(cls, rows: Rows, schema: Schema, method: str = "mdl", bins: int = 10) -> Intervals:
        """Cut points from these rows."""
        classes = np.arange(rows.n_classes)
        table = Table(schema.names, rows.values, schema.levels, rows.target, classes)
        # Without weights the columns are cut together, which is many times faster.
        weight = None if (rows.weight == 1.0).all() else rows.weight
        cuts = Discretiser(method=method, bins=bins).fit(table, weight)
        sizes = [
            len(levels or ()) if cut is None else len(cut) + 1
            for levels, cut in zip(schema.levels, cuts.cuts, strict=True)
        ]
        return cls(schema, cuts, np.array(sizes, dtype=np.int64))

    def codes(self, values: Floats) -> NDArray[np.int64]:
        """Return the code of every value, -1 where it is unknown."""
        codes = np.where(np.isnan(values), -1, values).astype(np.int64)
        for j, cuts in enumerate(self.cuts.cuts):
            if cuts is not None:
                own = np.searchsorted(cuts, values[:, j], side="left") if len(cuts) else 0
                codes[:, j] = np.where(np.isnan(values[:, j]), -1, own)
        return codes
