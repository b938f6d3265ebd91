"""Frames as rows of small whole numbers: nominal as they are, continuous cut, unknown a level."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.discretise import Discretisation, Discretiser
from ..data.feature_names import Features
from ..data.schema import Schema, learn_encode
from ..data.table import Table
from ..errors import InputError

#: The level that stands for unknown values where the learned frame had some.
UNKNOWN = "?"
#: Levels that a variable can have.
MOST_LEVELS = 255


@dataclass(frozen=True, eq=False)
class DiscreteFrame:
    """How a frame becomes a table of nominal features without unknown values.

    Parameters
    ----------
    schema : Schema
        The columns as they were learned.
    cuts : Discretisation
    levels : tuple of tuples
        For each column its levels; the last is ``"?"`` where values were unknown.
    """

    schema: Schema
    cuts: Discretisation
    levels: tuple[tuple[Any, ...], ...]

    @staticmethod
    def learn(
        X: Any, discretiser: Discretiser, nominal: Features | None = None
    ) -> tuple[DiscreteFrame, Table]:
        """The discrete form of a frame, and the frame in this form."""
        schema, values = learn_encode(X, nominal)
        table = _bare(schema, values)
        cuts = discretiser.fit(table)
        cut = cuts.apply(table)
        unknown = np.asarray(cut.missing.any(axis=0))
        levels = tuple(
            (*(own or ()), UNKNOWN) if unknown[j] else tuple(own or ())
            for j, own in enumerate(cut.levels)
        )
        for name, own in zip(schema.names, levels, strict=True):
            if len(own) > MOST_LEVELS:
                raise InputError(
                    f"`X` must have at most {MOST_LEVELS} values in each nominal column, but "
                    f"{name!r} has {len(own)}; leave it out or group its values."
                )
        found = DiscreteFrame(schema, cuts, levels)
        return found, found._table(cut)

    def _table(self, cut: Table) -> Table:
        """The table with codes for everything; -1 where an unknown value has no level."""
        values = cut.values.copy()
        for j, own in enumerate(self.levels):
            gap = len(own) - 1 if own and own[-1] == UNKNOWN else -1
            values[np.isnan(values[:, j]), j] = gap
        return replace(cut, values=values, levels=self.levels)

    def codes(self, X: Any) -> NDArray[np.int64]:
        """The codes of another frame; -1 where a value is unknown and has no level for that."""
        table = _bare(self.schema, self.schema.encode(X))
        found: NDArray[np.int64] = self._table(self.cuts.apply(table)).values.astype(np.int64)
        return found


def _bare(schema: Schema, values: NDArray[np.float64]) -> Table:
    """A table without a target."""
    return Table(schema.names, values, schema.levels, np.zeros(len(values)), None)
