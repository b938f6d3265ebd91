"""View of a monotone measure for a search: its threshold and its cuts, over free units."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError, MismatchError
from ..measures._measure import Scorer
from ._better import SAME_SCORE_TOLERANCE
from ._spaces.space import Space

Mask = NDArray[np.bool_]
#: ``cuts(candidate, limit)``: masks of units of which every answer holds at least one.
FindCuts = Callable[[Mask, int], NDArray[np.bool_]]
#: ``within(most, threads, stop)``: an answer of ``most`` units, or None (see ``find_subset``).
Within = Callable[[int, int, NDArray[np.int64]], Mask | None]


@dataclass
class Bounds:
    """Bounds of the answer while a search runs; the run reads them at any time.

    ``lower`` is the smallest size (or cost) not yet excluded, ``upper`` that of ``answer``,
    the best subset so far that reaches the threshold, over the free units. ``value`` is the
    highest value not yet excluded, and ``sizes`` the same for each size (size, best value,
    highest value), where a search proves the best value.
    """

    lower: float = 0.0
    upper: float = math.inf
    answer: Mask | None = None
    value: float | None = None
    sizes: list[tuple[int, float, float]] | None = None

    @property
    def gap(self) -> float:
        """Largest distance of the answer from the smallest; 0 when it is proven."""
        return max(0.0, self.upper - self.lower)

    def raise_lower(self, lower: float) -> None:
        """Exclude everything below ``lower``."""
        self.lower = max(self.lower, lower)

    def offer(self, answer: Mask, cost: float) -> bool:
        """Keep ``answer`` if it is cheaper than the one before; return if it was."""
        if not cost < self.upper - SAME_SCORE_TOLERANCE:
            return False
        self.upper, self.answer = float(cost), np.asarray(answer, dtype=bool).copy()
        return True


@dataclass
class Monotone:
    """Threshold and cuts of a monotone measure, over the free units of a space.

    ``full_value`` is the value of the full set.
    """

    threshold: float
    cuts: FindCuts
    bounds: Bounds = field(default_factory=Bounds)
    within: Within | None = None
    full_value: float = math.inf

    def reaches(self, value: NDArray[np.float64]) -> Mask:
        """Mark the values that reach the threshold."""
        return np.asarray(value >= self.threshold - SAME_SCORE_TOLERANCE)


def unit_features(space: Space) -> NDArray[np.bool_]:
    """Return the features that each free unit brings, shape (units, features)."""
    nothing = np.zeros((1, space.n_units), dtype=bool)
    alone = np.asarray(space.expand(np.eye(space.n_units, dtype=bool)), dtype=bool)
    brings: NDArray[np.bool_] = alone & ~np.asarray(space.expand(nothing), dtype=bool)
    return brings


def unit_costs(space: Space) -> NDArray[np.float64]:
    """Return what each free unit adds to the cost of a candidate."""
    nothing = space.cost(np.zeros((1, space.n_units), dtype=bool))
    return np.asarray(space.cost(np.eye(space.n_units, dtype=bool)) - nothing, dtype=np.float64)


def monotone_of(scorer: Scorer, space: Space, bounds: Bounds | None = None) -> Monotone:
    """Return a search's view of a scorer with a threshold.

    Candidates are expanded to features for the scorer; its masks of features come back as masks
    of units. A mask that the features that must be in already hit excludes nothing and is dropped;
    one that no free unit hits means that there is no answer at all.
    """
    if scorer.threshold is None:
        raise MismatchError("The scorer has no threshold: the measure is not monotone.")
    brings = unit_features(space)
    first, several = brings.argmax(axis=1), brings.sum(axis=1) != 1
    nothing = np.zeros((1, space.n_units), dtype=bool)
    fixed = np.asarray(space.expand(nothing), dtype=bool)[0]

    def cuts(candidate: Mask, limit: int = 1) -> NDArray[np.bool_]:
        whole = np.asarray(space.expand(np.asarray(candidate, dtype=bool)[None, :]), dtype=bool)
        masks = scorer.cuts(whole[0], limit)
        if (fixed & masks.any(axis=0)).any():
            masks = masks[~(masks & fixed).any(axis=1)]
        units = masks[:, first]
        for u in np.flatnonzero(several):
            units[:, u] = masks[:, brings[u]].any(axis=1)
        if len(units) and not units.any(axis=1).all():
            raise InputError(
                "No subset under these constraints reaches the threshold "
                f"{scorer.threshold:.6g}: remove features from `exclude`, or lower the threshold."
            )
        return units

    def within(most: int, threads: int, stop: NDArray[np.int64]) -> Mask | None:
        found = scorer.find_subset(fixed, np.asarray(brings.any(axis=0)), most, threads, stop)
        return None if found is None else found[first]

    looks = scorer.finds_subsets and not several.any()
    return Monotone(float(scorer.threshold), cuts, bounds or Bounds(), within if looks else None)


def unreachable(monotone: Monotone) -> InputError:
    """Return the error for a threshold that no subset under the constraints reaches."""
    return InputError(
        "No subset under these constraints reaches the threshold "
        f"{monotone.threshold:.6g}: allow more features (`max_features`, `budget`, `exclude`), "
        "or lower the threshold."
    )
