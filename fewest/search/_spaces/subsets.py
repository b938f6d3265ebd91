"""Subsets of features, and the constraints on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._errors import InputError
from ...measures._measure import Candidates
from ...measures._steps import Steps
from .space import Space

Bits = NDArray[np.bool_]


def _random_order(bits: Bits, rng: np.random.Generator) -> NDArray[np.intp]:
    """Return for each row the units that are in, in random order, before those that are not."""
    return np.argsort(rng.random(bits.shape) + ~bits, axis=1)


def drop_until(
    bits: Bits, limits: Iterable[tuple[NDArray[np.float64], float]], rng: np.random.Generator
) -> Bits:
    """Keep units in random order for as long as every weight of ``limits`` fits in its room."""
    order = _random_order(bits, rng)
    inside = np.take_along_axis(bits, order, axis=1)
    for weight, room in limits:
        inside &= np.cumsum(weight[order] * inside, axis=1) <= room
    return _put_back(inside, order)


def add_until(
    bits: Bits, sizes: NDArray[np.int64], missing: NDArray[np.int64], rng: np.random.Generator
) -> Bits:
    """Add units in random order until each row has ``missing`` more; a unit counts its size."""
    order = _random_order(~bits, rng)
    outside = ~np.take_along_axis(bits, order, axis=1)
    gained = np.cumsum(sizes[order] * outside, axis=1) - sizes[order] * outside
    return bits | _put_back(outside & (gained < missing[:, None]), order)


def _put_back(chosen: Bits, order: NDArray[np.intp]) -> Bits:
    placed = np.zeros_like(chosen)
    np.put_along_axis(placed, order, chosen, axis=1)
    return placed


UNIT_NUMBER = np.dtype("<u4")


def sparse_rows(rows: Bits) -> list[bytes]:
    """Return one identity per row; the shorter of its numbers and its bits."""
    return [_identity(np.flatnonzero(row), row) for row in rows]


def sparse_steps(steps: Steps) -> list[bytes]:
    """Return identities of steps, from the numbers of the base with one more or one less."""
    inside = np.flatnonzero(steps.base).astype(UNIT_NUMBER)
    if _is_long(len(inside) + 1, len(steps.base)):
        parts = (sparse_rows(np.asarray(part, dtype=bool)) for part in steps.parts())
        return [identity for part in parts for identity in part]
    held, width = inside.tobytes(), UNIT_NUMBER.itemsize
    place = (width * np.searchsorted(inside, steps.units)).tolist()
    numbers = steps.units.astype(UNIT_NUMBER).tobytes()
    found = []
    for i, (at, gain) in enumerate(zip(place, steps.gains.tolist(), strict=True)):
        number = numbers[width * i : width * (i + 1)] if gain > 0 else b""
        after = at + width if gain < 0 else at
        found.append(b"n" + held[:at] + number + held[after:])
    return found


def _identity(inside: NDArray[np.intp], row: Bits) -> bytes:
    if _is_long(len(inside), len(row)):
        return b"b" + np.packbits(row).tobytes()
    return b"n" + inside.astype(UNIT_NUMBER).tobytes()


def _is_long(count: int, n_units: int) -> bool:
    """Decide if the bits are shorter than this many numbers; alike for neighbours of a subset."""
    return count * UNIT_NUMBER.itemsize * 8 > n_units


#: Most units for which the key of a candidate is its bits; beyond, the numbers of units in it.
MOST_UNITS_AS_BITS = 256


@dataclass(frozen=True, eq=False)
class Constrained(Space):
    """Base of the spaces over features, with what a subset of them must keep."""

    n_features: int
    include: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()
    min_features: int = 0
    max_features: int | None = None
    costs: tuple[float, ...] | None = None
    budget: float | None = None


@dataclass(frozen=True, eq=False)
class Subsets(Constrained):
    """Subsets of ``n_features`` features under constraints.

    Parameters
    ----------
    n_features : int
    include, exclude : tuples of feature indices
        Features that are in, and features that are out, of every subset.
    groups : tuple of tuples of feature indices
        Features that come and go together.
    min_features, max_features : int
        The smallest and the largest size, in features.
    costs : tuple of float, or None
        What each feature costs; without costs, the cost of a subset is its size.
    budget : float or None
        The most that the costs may add up to.

    Examples
    --------
    >>> space = Subsets(4, include=(0,), groups=((1, 2),))
    >>> space.n_units
    2
    >>> space.expand(np.array([[True, False]])).astype(int)
    array([[1, 1, 1, 0]])
    """

    kind: ClassVar[str] = "subsets"

    def __post_init__(self) -> None:
        self._check_units()
        self._check_sizes()
        if self.include or self.exclude or self.groups or self.budget is not None:
            # Sizes alone always leave some subset.
            self._check_reachable()

    def _check_units(self) -> None:
        both = set(self.include) & set(self.exclude)
        if both:
            raise InputError(
                f"`include` and `exclude` must not share features, but both name {sorted(both)}."
            )
        grouped = [f for group in self.groups for f in group]
        if len(set(grouped)) < len(grouped):
            raise InputError("`groups` must not share features, but a feature is in two of them.")
        for group in self.groups:
            if set(group) & set(self.include) and set(group) & set(self.exclude):
                raise InputError(
                    f"`groups` must agree with `include` and `exclude`, but the group "
                    f"{sorted(group)} has features of both."
                )

    def _check_sizes(self) -> None:
        d = self.n_features
        if not 0 <= self.min_features <= d:
            raise InputError(
                f"`min_features` must be between 0 and {d} (the number of features), "
                f"but is {self.min_features}."
            )
        low = max(1, self.min_features)
        if self.max_features is not None and not low <= self.max_features <= d:
            raise InputError(
                f"`max_features` must be between {low} and {d} (the number of features), "
                f"but is {self.max_features}."
            )
        if self.costs is not None and (
            len(self.costs) != d or not np.all(np.isfinite(self.costs)) or min(self.costs) < 0
        ):
            raise InputError(
                f"`costs` must be {d} finite numbers of at least 0 (one per feature), "
                f"but is {self.costs!r}."
            )
        if self.budget is not None and self.costs is None:
            raise InputError("`budget` goes with `costs`: give what each feature costs.")

    def _check_reachable(self) -> None:
        always = self.expand(np.zeros((1, self.n_units), dtype=bool))
        if not self.keeps_limits(always)[0]:
            raise InputError(
                "`include` alone breaks `max_features` or `budget`: "
                "include fewer features, or allow more."
            )
        if self.n_features - len(self._always_out) < self.min_features:
            raise InputError(
                f"`min_features` is {self.min_features}, but `exclude` leaves only "
                f"{self.n_features - len(self._always_out)} features."
            )
        if not self.feasible(self._greedy_fill())[0]:
            raise InputError(
                "`min_features`, `max_features`, `groups` and `budget` cannot hold together: "
                "no subset found that keeps all of them."
            )

    @cached_property
    def units(self) -> tuple[tuple[int, ...], ...]:
        """Free units, each the features that it stands for."""
        grouped = {f: tuple(sorted(g)) for g in self.groups for f in g}
        units = dict.fromkeys(grouped.get(f, (f,)) for f in range(self.n_features))
        fixed = set(self.include) | set(self.exclude)
        return tuple(u for u in units if not fixed & set(u))

    @cached_property
    def _always_in(self) -> frozenset[int]:
        return self._with_groups(self.include)

    @cached_property
    def _always_out(self) -> frozenset[int]:
        return self._with_groups(self.exclude)

    def _with_groups(self, features: tuple[int, ...]) -> frozenset[int]:
        touched = [set(g) for g in self.groups if set(g) & set(features)]
        return frozenset(set(features).union(*touched))

    @cached_property
    def _unit_of(self) -> NDArray[np.intp]:
        """Unit that switches each feature; one past the units for always in, two for out."""
        owner = np.full(self.n_features, len(self.units), dtype=np.intp)
        for u, features in enumerate(self.units):
            owner[list(features)] = u
        owner[sorted(self._always_out)] = len(self.units) + 1
        return owner

    @cached_property
    def n_units(self) -> int:
        """Number of free units."""
        return len(self.units)

    @property
    def cardinalities(self) -> NDArray[np.int64]:
        """Return two for every free unit: out or in."""
        return np.full(len(self.units), 2, dtype=np.int64)

    @cached_property
    def _unit_sizes(self) -> NDArray[np.int64]:
        return np.array([len(u) for u in self.units], dtype=np.int64)

    @cached_property
    def _unit_costs(self) -> NDArray[np.float64]:
        costs = self._feature_costs
        return np.array([costs[list(u)].sum() for u in self.units])

    @cached_property
    def _feature_costs(self) -> NDArray[np.float64]:
        return np.ones(self.n_features) if self.costs is None else np.asarray(self.costs, float)

    def expand(self, candidates: Candidates) -> Candidates:
        """Return the feature masks of the candidates; steps stay steps where no unit is a group."""
        if isinstance(candidates, Steps) and not self.groups:
            base = self.expand(candidates.base[None])[0]
            steps: Any = Steps(base, self._first_feature[candidates.units], candidates.levels)
            return steps  # type: ignore[no-any-return]
        bits = np.asarray(candidates).astype(bool)
        if bits.shape[1] == self.n_features and not self.groups and not self._fixed:
            return bits
        m = len(bits)
        wide = np.column_stack([bits, np.ones(m, dtype=bool), np.zeros(m, dtype=bool)])
        return wide[:, self._unit_of]

    @cached_property
    def _fixed(self) -> bool:
        return bool(self.include or self.exclude)

    @cached_property
    def _first_feature(self) -> NDArray[np.intp]:
        return np.array([unit[0] for unit in self.units], dtype=np.intp)

    def cost(self, candidates: Candidates) -> NDArray[np.float64]:
        """Sum of the costs, or the number of features."""
        if isinstance(candidates, Steps) and self.costs is not None:
            base = self.cost(candidates.base[None])[0]
            return np.asarray(base + candidates.gains * self._unit_costs[candidates.units])
        if self.costs is None:
            return self.size(candidates).astype(np.float64)
        fixed = self._feature_costs[sorted(self._always_in)].sum()
        cost: NDArray[np.float64] = np.asarray(candidates).astype(np.float64) @ self._unit_costs
        return np.asarray(cost + fixed)

    def size(self, candidates: Candidates) -> NDArray[np.int64]:
        if isinstance(candidates, Steps):
            base = self.size(candidates.base[None])[0]
            return np.asarray(base + candidates.gains * self._unit_sizes[candidates.units])
        bits = np.asarray(candidates).astype(bool, copy=False)
        sizes: NDArray[Any]
        if self.groups:
            sizes = bits.astype(np.float64) @ self._unit_sizes.astype(np.float64)
        elif bits.shape[1] <= MOST_UNITS_AS_BITS:
            # The fastest sum, and exact for so few.
            sizes = bits.astype(np.float32) @ np.ones(bits.shape[1], dtype=np.float32)
        else:
            # Much faster than a product of whole numbers.
            sizes = np.add.reduce(bits, axis=1, dtype=np.int64)
        return np.asarray(sizes.astype(np.int64, copy=False) + len(self._always_in))

    def keeps_limits(self, masks: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Mark the feature masks that keep the largest size and the budget."""
        ok = np.ones(len(masks), dtype=bool)
        if self.max_features is not None:
            ok &= masks.sum(axis=1) <= self.max_features
        if self.budget is not None:
            ok &= masks @ self._feature_costs <= self.budget * (1 + 1e-12)
        return ok

    def small_enough(self, candidates: Candidates) -> NDArray[np.bool_]:
        ok = np.ones(len(candidates), dtype=bool)
        if self.max_features is not None:
            ok &= self.size(candidates) <= self.max_features
        if self.budget is not None:
            ok &= self.cost(candidates) <= self.budget * (1 + 1e-12)
        return ok

    def large_enough(self, candidates: Candidates) -> NDArray[np.bool_]:
        return self.size(candidates) >= self.min_features

    def feasible(self, candidates: Candidates) -> NDArray[np.bool_]:
        size = self.size(candidates)
        ok = size >= self.min_features
        if self.max_features is not None:
            ok &= size <= self.max_features
        if self.budget is not None:
            ok &= self.cost(candidates) <= self.budget * (1 + 1e-12)
        return np.asarray(ok)

    def sample(self, n: int, rng: np.random.Generator, p: Any = 0.5) -> Candidates:
        """Draw ``n`` feasible subsets; before the repair each unit is in with probability ``p``.

        ``p`` is a number, or an array of shape (n, 1) with one for each subset.
        """
        return self.repair(rng.random((n, self.n_units)) < p, rng)

    def repair(self, candidates: Candidates, rng: np.random.Generator) -> Candidates:
        """Drop random units until small enough, then add random ones until large enough."""
        fixed = np.array(candidates, dtype=bool)
        large = np.flatnonzero(~self.small_enough(fixed))
        if len(large):
            fixed[large] = drop_until(fixed[large], self._limits(), rng)
        small = np.flatnonzero(~self.large_enough(fixed))
        if len(small):
            missing = self.min_features - self.size(fixed[small])
            added = add_until(fixed[small], self._unit_sizes, missing, rng)
            # A group or an expensive unit may not fit: those rows are filled with more care.
            ok = self.feasible(added)
            fixed[small[ok]] = added[ok]
            for row in small[~ok]:
                fixed[row] = self._fill(fixed[row], rng)
        return fixed

    def _limits(self) -> list[tuple[NDArray[np.float64], float]]:
        """Return what each unit takes of the largest size and of the budget, and what there is."""
        nothing = np.zeros((1, self.n_units), dtype=bool)
        limits = []
        if self.max_features is not None:
            room = float(self.max_features - self.size(nothing)[0])
            limits.append((self._unit_sizes.astype(np.float64), room))
        if self.budget is not None:
            room = float(self.budget * (1 + 1e-12) - self.cost(nothing)[0])
            limits.append((self._unit_costs, room))
        return limits

    def _fill(self, bits: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.bool_]:
        """Add random units that fit until large enough, or take the cheap way up."""
        for unit in rng.permutation(np.flatnonzero(~bits)):
            if self.large_enough(bits[None])[0]:
                break
            bits[unit] = True
            bits[unit] = self.small_enough(bits[None])[0]
        return bits if self.feasible(bits[None])[0] else self._greedy_fill()[0]

    def _greedy_fill(self) -> NDArray[np.bool_]:
        """Fill up to the smallest size cheaply: a feasible subset wherever one is easily had."""
        bits = np.zeros((1, self.n_units), dtype=bool)
        for unit in np.lexsort((-self._unit_sizes, self._unit_costs / self._unit_sizes)):
            if self.large_enough(bits)[0]:
                break
            bits[0, unit] = True
            bits[0, unit] = self.small_enough(bits)[0]
        return bits

    def packed(self, candidates: Candidates) -> NDArray[np.uint8]:
        if isinstance(candidates, Steps):
            rows = np.repeat(self.packed(candidates.base[None]), len(candidates), axis=0)
            bit = np.uint8(128) >> (candidates.units % 8).astype(np.uint8)
            changed = (candidates.levels > 0) != candidates.base[candidates.units]
            rows[np.arange(len(rows)), candidates.units // 8] ^= np.where(changed, bit, 0)
            return rows
        return np.packbits(np.asarray(candidates).astype(bool, copy=False), axis=1)

    def identities(self, candidates: Candidates) -> list[bytes]:
        """Return the key, or for few of very many units their numbers."""
        if self.n_units <= MOST_UNITS_AS_BITS:
            return self.keys(candidates)
        if isinstance(candidates, Steps):
            return sparse_steps(candidates)
        return sparse_rows(np.asarray(candidates).astype(bool, copy=False))

    def layout(self, names: Sequence[str]) -> dict[str, Any]:
        """Describe keys: the names of the features, and which of them each bit stands for.

        >>> Subsets(3, include=(2,)).layout("abc")
        {'names': ['a', 'b', 'c'], 'units': [[0], [1]], 'always': [2]}
        """
        if len(self.units) == self.n_features:
            return {"names": list(names)}
        units = [list(unit) for unit in self.units]
        return {"names": list(names), "units": units, "always": sorted(self._always_in)}
