"""Feature weights from a few levels or as real numbers, and the constraints on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._errors import InputError
from ...measures._measure import Candidates
from .space import Space
from .subsets import Constrained, Subsets


class _Weights(Space):
    """Base of the spaces of weights: a feature is in where its weight is above 0."""

    n_features: int
    include: tuple[int, ...]
    exclude: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]

    @cached_property
    def support(self) -> Subsets:
        """Subsets of features with weights above 0."""
        return Subsets(
            self.n_features, self.include, self.exclude, self.groups,
            self.min_features, self.max_features, self.costs, self.budget,
        )  # fmt: skip

    @cached_property
    def _held(self) -> tuple[tuple[int, ...], ...]:
        """Units that must be in, free only to change their weight above 0."""
        grouped = {f: tuple(sorted(g)) for g in self.groups for f in g}
        return tuple(dict.fromkeys(grouped.get(f, (f,)) for f in sorted(self.include)))

    def _bits(self, candidates: Candidates) -> NDArray[np.bool_]:
        bits: NDArray[np.bool_] = np.asarray(candidates)[:, : self.support.n_units] > 0
        return bits

    def cost(self, candidates: Candidates) -> NDArray[np.float64]:
        return self.support.cost(self._bits(candidates))

    def feasible(self, candidates: Candidates) -> NDArray[np.bool_]:
        return self.support.feasible(self._bits(candidates))

    def small_enough(self, candidates: Candidates) -> NDArray[np.bool_]:
        return self.support.small_enough(self._bits(candidates))

    def large_enough(self, candidates: Candidates) -> NDArray[np.bool_]:
        return self.support.large_enough(self._bits(candidates))


@dataclass(frozen=True, eq=False)
class Levels(_Weights):
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
    def _held(self) -> tuple[tuple[int, ...], ...]:
        return () if len(self.values) == 2 else super()._held

    @cached_property
    def cardinalities(self) -> NDArray[np.int64]:
        """Number of levels of a free unit; one less for a unit that must be in."""
        r = len(self.values)
        return np.array([r] * self.support.n_units + [r - 1] * len(self._held), dtype=np.int64)

    def expand(self, candidates: Candidates) -> Candidates:
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

    def sample(self, n: int, rng: np.random.Generator, p: float = 0.5) -> Candidates:
        """Draw ``n`` candidates; with p = 0.5 every level of a unit is equally likely.

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


@dataclass(frozen=True, eq=False)
class Box(_Weights, Constrained):
    """Weights between 0 and 1 for ``n_features`` features; 0 leaves a feature out.

    Parameters
    ----------
    n_features : int
    include, exclude, groups, min_features, max_features, costs, budget
        As for :class:`Subsets`, of the features whose weight is above 0. The features of a
        group share one weight; a feature that must be in has at least the weight ``least``.
    least : float
        The smallest weight of a feature that must be in, and of one that ``min_features`` adds.
    starts : array of shape (starts, n_features) or None
        Weights with which the first population of a search begins.

    Examples
    --------
    >>> space = Box(3, groups=((0, 2),), max_features=2)
    >>> space.n_units
    2
    >>> fixed = space.repair(np.array([[0.3, 0.9], [1.7, -1.0]]), np.random.default_rng(0))
    >>> space.expand(fixed)
    array([[0. , 0.9, 0. ],
           [1. , 0. , 1. ]])
    """

    kind: ClassVar[str] = "box"

    least: float = 0.01
    starts: NDArray[np.float64] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not 0.0 < self.least <= 1.0:
            raise InputError(f"`least` must be above 0 and at most 1, but is {self.least!r}.")
        _ = self.support  # the constraints are checked now, not at the first candidate

    @cached_property
    def cardinalities(self) -> NDArray[np.int64]:
        """0 for every unit: its values cannot be counted."""
        return np.zeros(self.support.n_units + len(self._held), dtype=np.int64)

    def expand(self, candidates: Candidates) -> Candidates:
        given = np.asarray(candidates, dtype=np.float64)
        weights = np.zeros((len(given), self.n_features))
        for u, unit in enumerate((*self.support.units, *self._held)):
            weights[:, list(unit)] = given[:, u, None]
        return weights

    def nearest(self, weights: NDArray[np.float64]) -> Candidates:
        """Return the candidates of weights of all features; a group gets the mean of its own."""
        units = (*self.support.units, *self._held)
        means = [weights[:, list(unit)].mean(axis=1) for unit in units]
        return np.array(means).reshape(len(units), len(weights)).T

    def feasible(self, candidates: Candidates) -> NDArray[np.bool_]:
        """Mark the candidates inside the box that keep the sizes and the budget."""
        given = np.asarray(candidates)
        inside = ((given >= 0.0) & (given <= 1.0)).all(axis=1)
        held = (given[:, self.support.n_units :] >= self.least).all(axis=1)
        return np.asarray(inside & held & super().feasible(given))

    def sample(self, n: int, rng: np.random.Generator, p: float = 1.0) -> Candidates:
        """Draw ``n`` candidates, each weight uniform between 0 and 1; 0 with chance 1 - ``p``."""
        weights = rng.random((n, self.n_units))
        if p < 1.0:
            weights[:, : self.support.n_units] *= rng.random((n, self.support.n_units)) < p
        return self.repair(weights, rng)

    def repair(self, candidates: Candidates, rng: np.random.Generator) -> Candidates:
        """Clip to the box; then the smallest weights go until it is small enough.

        Weights that ``min_features`` requires are ``least``, at random.
        """
        weights = np.clip(np.nan_to_num(np.asarray(candidates, dtype=np.float64)), 0.0, 1.0)
        weights += 0.0  # no negative zeros: equal candidates have equal bytes
        free = self.support.n_units
        weights[:, free:] = np.maximum(weights[:, free:], self.least)
        for row in np.flatnonzero(~self.small_enough(weights)):
            self._drop_smallest(weights[row : row + 1])
        bits = self._bits(weights)
        wanted = self.support.repair(bits, rng)
        weights[:, :free][bits & ~wanted] = 0.0
        weights[:, :free][wanted & ~bits] = self.least
        return weights

    def _drop_smallest(self, weights: NDArray[np.float64]) -> None:
        for unit in np.argsort(weights[0, : self.support.n_units], kind="stable"):
            if self.small_enough(weights)[0]:
                return
            weights[0, unit] = 0.0

    def layout(self, names: Sequence[str]) -> dict[str, Any]:
        """Describe keys: 8 bytes for the weight of each unit, after the names."""
        units = [list(unit) for unit in (*self.support.units, *self._held)]
        return {"names": list(names), "values": "float64", "units": units}
