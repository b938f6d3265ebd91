"""Encoded rows with continuous features cut into intervals, for classifiers that count."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..data.discretise import Discretisation, Discretiser
from ..data.schema import Schema
from ..data.table import Table
from .base import Floats, Rows


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
        """The code of every value, -1 where it is unknown."""
        codes = np.where(np.isnan(values), -1, values).astype(np.int64)
        for j, cuts in enumerate(self.cuts.cuts):
            if cuts is not None:
                own = np.searchsorted(cuts, values[:, j], side="left") if len(cuts) else 0
                codes[:, j] = np.where(np.isnan(values[:, j]), -1, own)
        return codes
