"""A split of the rows by one feature: its levels, or intervals between cut points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Split:
    """A test of one feature. The last branch is for unknown values.

    Parameters
    ----------
    feature : int
    cuts : array or None
        Where the intervals of a continuous feature end; None for a nominal feature.
    n_branches : int
        Levels or intervals, and one more for unknown values.

    Examples
    --------
    >>> split = Split.at(0, np.array([2.5]))
    >>> split.branches(np.array([1.0, 2.5, 3.0, np.nan]))
    array([0, 0, 1, 2])
    >>> split.conditions(None)
    ['<= 2.5', '> 2.5', 'unknown']
    """

    feature: int
    cuts: Floats | None
    n_branches: int

    @classmethod
    def at(cls, feature: int, cuts: Floats) -> Split:
        """A split of a continuous feature at these cut points."""
        return cls(feature, cuts, len(cuts) + 2)

    @classmethod
    def by_level(cls, feature: int, n_levels: int) -> Split:
        """A split of a nominal feature into its levels."""
        return cls(feature, None, n_levels + 1)

    def branches(self, column: Floats) -> NDArray[np.int64]:
        """The branch of every value of the feature."""
        known = ~np.isnan(column)
        found = np.full(len(column), self.n_branches - 1, dtype=np.int64)
        codes = column[known] if self.cuts is None else np.searchsorted(self.cuts, column[known])
        found[known] = codes
        return found

    def counts(
        self, column: Floats, target: NDArray[np.int64], weight: Floats, n_classes: int
    ) -> Floats:
        """The weight of each class in each branch, shape (branches, classes)."""
        cells = self.branches(column) * n_classes + target
        flat = np.bincount(cells, weight, minlength=self.n_branches * n_classes)
        return flat.reshape(self.n_branches, n_classes).astype(np.float64)

    def conditions(self, levels: tuple[object, ...] | None) -> list[str]:
        """Each branch in words, given the levels of a nominal feature."""
        if self.cuts is None:
            named = levels if levels else ("?",)
            return [*(f"= {v}" for v in named), "unknown"]
        if not len(self.cuts):
            return ["known", "unknown"]
        between = zip(self.cuts, self.cuts[1:], strict=False)
        middle = [f"in ({low:.6g}, {high:.6g}]" for low, high in between]
        return [f"<= {self.cuts[0]:.6g}", *middle, f"> {self.cuts[-1]:.6g}", "unknown"]


def half_way(low: float, high: float) -> float:
    """The middle of two values; the lower one where rounding would give the higher one."""
    middle = low + (high - low) / 2.0
    return float(low if middle >= high else middle)
