"""Frames as rows of small whole numbers: nominal as they are, continuous cut, unknown a level."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from ..data._columns import Column, is_unknown, read_columns
from ..data._discretise import Discretisation, Discretiser
from ..data._feature_names import Features, feature_positions
from ..data._schema import Schema, schema_of
from ..data._table import Table

#: The level that stands for unknown values where the learned frame had some.
UNKNOWN = "?"
#: Levels that a variable can have.
MOST_LEVELS = 255
#: Most different values of a column of whole numbers that is taken as categories.
FEW_VALUES = 10


@dataclass(frozen=True, eq=False)
class DiscreteFrame:
    """Conversion of a frame to a table of nominal features without unknown values.

    schema: the columns as they were learned.
    levels: tuple of tuples; for each column its levels; the last is ``"?"`` where values were
        unknown.
    few: columns of whole numbers that were taken as categories, because they have few values.
    """

    schema: Schema
    cuts: Discretisation
    levels: tuple[tuple[Any, ...], ...]
    few: tuple[str, ...] = ()

    @staticmethod
    def learn(
        X: Any, discretiser: Discretiser, nominal: Features | None = None
    ) -> tuple[DiscreteFrame, Table]:
        """Learn the discrete form of a frame; return it and the frame in this form."""
        found = read_columns(X)
        chosen = set(feature_positions(nominal, found.names, "nominal"))
        few = [j for j, column in enumerate(found.columns) if j not in chosen and _few(column)]
        schema = schema_of(found, sorted({*chosen, *few}))
        values = schema._encode(found)
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
        frame = DiscreteFrame(schema, cuts, levels, tuple(schema.names[j] for j in few))
        return frame, frame._table(cut)

    @property
    def cut_points(self) -> dict[str, list[float]]:
        """Cut points of the columns that were cut, by name."""
        named = zip(self.schema.names, self.cuts.cuts, strict=True)
        return {name: cuts.tolist() for name, cuts in named if cuts is not None}

    @property
    def notes(self) -> list[str]:
        """Notes on what was cut, and where, and what was taken as categories."""
        cuts = [
            f"{name} at {', '.join(f'{cut:g}' for cut in cuts)}" if cuts else f"{name} not at all"
            for name, cuts in self.cut_points.items()
        ]
        notes = [f"Continuous columns were cut: {'; '.join(cuts)}."] if cuts else []
        if self.few:
            which = ", ".join(self.few)
            notes.append(f"Whole numbers with at most {FEW_VALUES} values are categories: {which}.")
        return notes

    def level_at(self, j: int, value: object) -> object:
        """Return the level of a cut column that a number or an interval (low, high] lies in."""
        if is_unknown(value):
            if UNKNOWN in self.levels[j]:
                return UNKNOWN
            raise InputError(
                f"`evidence` gives {self.schema.names[j]} an unknown value ({value!r}); leave it "
                "out, then it is not observed."
            )
        cuts = self.cuts.cuts[j]
        ends = _ends(value)
        if cuts is None or ends is None:
            return value
        # What lies on a cut belongs to its left, so that the left end of an interval does not.
        first = int(np.searchsorted(cuts, ends[0], "left" if ends[0] == ends[1] else "right"))
        last = int(np.searchsorted(cuts, ends[1], "left"))
        if first != last:
            raise InputError(
                f"`evidence` gives {self.schema.names[j]} the interval {value!r}, but it must lie "
                f"in one of {', '.join(str(v) for v in self.levels[j])}."
            )
        return self.levels[j][first]

    def _table(self, cut: Table) -> Table:
        """Return the table with codes for everything; -1 where an unknown value has no level."""
        values = cut.values.copy()
        for j, own in enumerate(self.levels):
            gap = len(own) - 1 if own and own[-1] == UNKNOWN else -1
            values[np.isnan(values[:, j]), j] = gap
        return replace(cut, values=values, levels=self.levels)

    def codes(self, X: Any) -> NDArray[np.int64]:
        """Return the codes of another frame; -1 where an unknown value has no level."""
        table = _bare(self.schema, self.schema.encode(X))
        found: NDArray[np.int64] = self._table(self.cuts.apply(table)).values.astype(np.int64)
        return found


def _few(column: Column) -> bool:
    """Decide if a column holds whole numbers with few values, each twice or more on average."""
    if column.numbers is None:
        return False
    known = column.numbers[~np.isnan(column.numbers)]
    if len(known) == 0 or (known[:100] % 1 != 0).any():
        return False
    values = np.unique(known)
    few = len(values) <= min(FEW_VALUES, len(known) // 2)
    return few and bool((values % 1 == 0).all())


def _ends(value: object) -> tuple[float, float] | None:
    """Return the ends of a number, a pair or an interval; None for anything else."""
    ends: tuple[Any, ...] = (value, value)
    if isinstance(value, tuple) and len(value) == 2:
        ends = value
    elif hasattr(value, "left") and hasattr(value, "right"):
        ends = (value.left, value.right)
    numbers = all(isinstance(v, int | float | np.number) and not isinstance(v, bool) for v in ends)
    return (float(ends[0]), float(ends[1])) if numbers else None


def _bare(schema: Schema, values: NDArray[np.float64]) -> Table:
    """Return a table without a target."""
    return Table(schema.names, values, schema.levels, np.zeros(len(values)), None)
