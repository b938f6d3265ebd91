"""Feature weights from a few levels, and the constraints on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...measures.base import Candidates
from .base import Space
from .subsets import Subsets


@dataclass(frozen=True, eq=False)
class Levels(Space):
    """Weights for ``n_features`` features, each one of a few; 0 leaves a feature out.

    Parameters
    ----------
    n_features : int
    values : tuple of float
        The weights that a feature can have, rising from 0; candidates hold their positions.
    include, exclude, groups, min_features, max_features, costs, budget
        As for :class:`Subsets`, of the features whose weight is above 0. The features of a
        group share one weight; a feature that must be in has one of the weights above 0.
    starts : array of shape (starts, n_features) or None
        Weights with which the first population of a search begins, moved to the nearest levels.

    Examples
    --------
    >>> space = Levels(3, include=(2,))
    >>> space.cardinalities
    array([3, 3, 2])
    >>> space.expand(np.array([[0, 2, 0]], dtype=np.uint8))
    array([[0. , 1. , 0.5]])
    """

    kind: ClassVar[str] = "levels"

    n_features: int
    values: tuple[float, ...] = (0.0, 0.5, 1.0)
    include: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()
    min_features: int = 0
    max_features: int | None = None
    costs: tuple[float, ...] | None = None
    budget: float | None = None
    starts: NDArray[np.float64] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        rising = all(a < b for a, b in zip(self.values, self.values[1:], strict=False))
        if not 2 <= len(self.values) <= 255 or self.values[0] != 0 or not rising:
            raise InputError(
                "`values` must be two or more weights that rise from 0, such as (0, 0.5, 1), "
                f"but is {self.values!r}."
            )
        _ = self.support  # the constraints are checked now, not at the first candidate

    @cached_property
    def support(self) -> Subsets:
        """The subsets of features with weights above 0."""
        return Subsets(
            self.n_features, self.include, self.exclude, self.groups,
            self.min_features, self.max_features, self.costs, self.budget,
        )  # fmt: skip

    @cached_property
    def _held(self) -> tuple[tuple[int, ...], ...]:
        """The units that must be in, free only to change their weight above 0."""
        if len(self.values) == 2:
            return ()
        grouped = {f: tuple(sorted(g)) for g in self.groups for f in g}
        return tuple(dict.fromkeys(grouped.get(f, (f,)) for f in sorted(self.include)))

    @cached_property
    def cardinalities(self) -> NDArray[np.int64]:
        """All levels for a free unit; one less for a unit that must be in."""
        r = len(self.values)
        return np.array([r] * self.support.n_units + [r - 1] * len(self._held), dtype=np.int64)

    def _bits(self, candidates: Candidates) -> NDArray[np.bool_]:
        bits: NDArray[np.bool_] = np.asarray(candidates)[:, : self.support.n_units] > 0
        return bits

    def expand(self, candidates: Candidates) -> Candidates:
        """The weights of all features."""
        codes = np.asarray(candidates)
        values = np.asarray(self.values)
        # What the support has in and no unit switches keeps the largest weight.
        weights = np.where(self.support.expand(self._bits(codes)), values[-1], 0.0)
        for u, unit in enumerate(self.support.units):
            weights[:, list(unit)] = values[codes[:, u], None]
        for h, unit in enumerate(self._held, start=self.support.n_units):
            weights[:, list(unit)] = values[codes[:, h] + 1, None]
        return weights

    def nearest(self, weights: NDArray[np.float64]) -> Candidates:
        """Return the candidates whose levels are nearest to weights of all features."""
        codes = np.empty((len(weights), len(self.cardinalities)), dtype=np.uint8)
        for u, unit in enumerate((*self.support.units, *self._held)):
            allowed = np.asarray(self.values[int(u >= self.support.n_units) :])
            away = np.abs(weights[:, list(unit)].mean(axis=1)[:, None] - allowed)
            codes[:, u] = away.argmin(axis=1)
        return codes

    def cost(self, candidates: Candidates) -> NDArray[np.float64]:
        """Sum of the costs, or the number of features, of those above 0."""
        return self.support.cost(self._bits(candidates))

    def feasible(self, candidates: Candidates) -> NDArray[np.bool_]:
        """Which candidates keep the sizes and the budget."""
        return self.support.feasible(self._bits(candidates))

    def small_enough(self, candidates: Candidates) -> NDArray[np.bool_]:
        """Which candidates keep the largest size and the budget."""
        return self.support.small_enough(self._bits(candidates))

    def large_enough(self, candidates: Candidates) -> NDArray[np.bool_]:
        """Which candidates keep the smallest size."""
        return self.support.large_enough(self._bits(candidates))

    def sample(self, n: int, rng: np.random.Generator, p: float = 0.5) -> Candidates:
        """``n`` candidates; with p = 0.5 every level of a unit is equally likely.

        In general the odds of a unit to be above 0 are p / (1 - p) for each of its levels, as for
        the one level of a unit of :class:`Subsets`.
        """
        above = len(self.values) - 1
        codes = rng.integers(1, above + 1, (n, len(self.cardinalities)), dtype=np.uint8)
        codes[:, self.support.n_units :] -= 1
        share = p * above / (p * above + 1.0 - p)
        codes[:, : self.support.n_units] *= rng.random((n, self.support.n_units)) < share
        return self.repair(codes, rng)

    def repair(self, candidates: Candidates, rng: np.random.Generator) -> Candidates:
        """Set random units to 0 until small enough, then raise random ones until large enough."""
        codes = np.array(candidates, dtype=np.uint8)
        bits = self._bits(codes)
        wanted = self.support.repair(bits, rng)
        free = codes[:, : self.support.n_units]
        free[bits & ~wanted] = 0
        raised = wanted & ~bits
        free[raised] = rng.integers(1, len(self.values), raised.sum(), dtype=np.uint8)
        return codes
