"""The proof of ``exact``: cuts grow until a smallest hitting set of them is an answer."""

from __future__ import annotations

import math
from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...measures.base import Scores
from ..monotone import Monotone, Within, unit_costs, unit_features, unreachable
from ..spaces.base import Space
from .background import Stopper, in_background
from .hitting import CLOSE, Prices
from .master import Master

Mask = NDArray[np.bool_]
#: How many cuts are asked for at a failing candidate.
CUTS = 300
#: After so many failing hitting sets they are cut off in batches, each larger than the last.
PATIENT, MANY, MOST = 10, 256, 16_384
#: How often a smaller answer is tried for before the proof begins.
ATTEMPTS = 30
#: Up to so many sets of one size are looked at by a measure that can do so by itself.
SETS = 20_000_000
#: Units of no cost still count a little, so that none is taken for nothing.
NEXT_TO_NOTHING = 1e-6


class Proof:
    """The state of one proof."""

    def __init__(self, space: Space, monotone: Monotone, threads: int) -> None:
        self.space, self.monotone = space, monotone
        costs = unit_costs(space)
        sizes = unit_features(space).sum(axis=1).astype(np.float64)
        positive = costs[costs > 0]
        least = NEXT_TO_NOTHING * (positive.min() if len(positive) else 1.0)
        nothing = np.zeros((1, space.n_units), dtype=bool)
        self.base = float(space.cost(nothing)[0])
        self.base_size = int(np.asarray(space.expand(nothing)).sum())
        most = getattr(space, "max_features", None)
        self.least: int = getattr(space, "min_features", 0)
        self.priced = getattr(space, "costs", None) is not None
        # Without costs size and cost are one, and the largest size is checked at the end.
        limit = most - self.base_size if most is not None and self.priced else math.inf
        self.sizes, self.many = sizes, MANY
        self.master = Master(
            Prices(np.maximum(costs, least), sizes, limit), threads, self._raise_lower
        )

    def start(self) -> Generator[Mask, Scores, None]:
        """Make sure that there is an answer, and find a small one quickly."""
        everything = np.ones(self.space.n_units, dtype=bool)
        if not (yield from self._reaches(everything)):
            raise unreachable(self.monotone)
        if self.space.n_units == 0:
            return
        nothing = np.zeros(self.space.n_units, dtype=bool)
        if not (yield from self._reaches(nothing)):
            yield from self._cut(nothing, 10 * CUTS)
        small = yield from self._thin(everything)
        for _ in range(ATTEMPTS):
            limit = self.master.prices.costs[small].sum() - CLOSE * 2
            found = yield from self.master.within(limit, 20_000)
            if found is None:
                return
            if (yield from self._check(found)):
                small = found

    def prove(self) -> Generator[Mask, Scores, Mask]:
        """Raise the lower bound until it meets an answer."""
        bounds = self.monotone.bounds
        yield from self._look_within()
        asked_for_all = False
        failed = 0
        while self.space.n_units:
            upper = bounds.upper - self.base
            chosen = yield from self.master.cheapest(self._price(upper))
            self._raise_lower(self.master.lower)
            if chosen is not None:
                if (yield from self._check(chosen)):
                    # Nothing cheaper hits the cuts: this is the answer, or there is none.
                    self.master.lower = float(self.master.prices.costs[chosen].sum())
                    if not self.space.feasible(chosen[None])[0]:
                        self._refuse_if_hopeless()
                        raise unreachable(self.monotone)
                    bounds.raise_lower(bounds.upper)
                elif (failed := failed + 1) > PATIENT:
                    yield from self._cut_many(float(self.master.prices.costs[chosen].sum()))
            elif self.master.lower >= self._price(upper) - CLOSE:
                break
            elif self.master.hard and not asked_for_all:
                asked_for_all = True
                nothing = np.zeros(self.space.n_units, dtype=bool)
                self.master.add(self.monotone.cuts(nothing, 0))
            self._refuse_if_hopeless()
            if bounds.upper <= bounds.lower + CLOSE:
                break
        return self._answer()

    def _look_within(self) -> Generator[Mask, Scores, None]:
        """Ask for ever smaller answers, where the measure looks at all subsets of a size itself."""
        within = self.monotone.within
        while within is not None and not self.priced and self.space.n_units:
            most = self._one_less()
            few = math.comb(self.space.n_units, max(0, most)) <= SETS
            if most < max(1, self.least - self.base_size) or not few:
                return
            found = yield from self._background(within, most)
            if found is None:
                self.master.lower = max(self.master.lower, most + 1.0)
                self._raise_lower(self.master.lower)
                self._refuse_if_hopeless()
                return
            if not (yield from self._reaches(found)) or self._one_less() >= most:
                return

    def _background(self, within: Within, most: int) -> Generator[Mask, Scores, Mask | None]:
        def look(stopper: Stopper) -> Mask | None:
            return within(most, self.master.threads, stopper.flag)

        return (yield from in_background(look, self.space.n_units))

    def _one_less(self) -> int:
        """How many units the next answer may have at most."""
        answer = self.monotone.bounds.answer
        if answer is not None:
            return int(answer.sum()) - 1
        most: int = getattr(self.space, "max_features", None) or self.space.n_units
        return min(most - self.base_size, self.space.n_units)

    def _raise_lower(self, lower: float) -> None:
        self.monotone.bounds.raise_lower(min(self.base + lower, self.monotone.bounds.upper))

    def _price(self, upper: float) -> float:
        """The cost of the best answer as the master counts it."""
        answer = self.monotone.bounds.answer
        if answer is None:
            return float(self.master.prices.costs.sum()) + 1.0
        return float(self.master.prices.costs[answer].sum())

    def _answer(self) -> Mask:
        answer = self.monotone.bounds.answer
        if answer is None:
            raise unreachable(self.monotone)
        return answer

    def _refuse_if_hopeless(self) -> None:
        """Say so as soon as the lower bound passes what is allowed."""
        lower = self.base + self.master.lower
        most = getattr(self.space, "max_features", None)
        budget = getattr(self.space, "budget", None)
        if not self.priced and most is not None and lower > most + CLOSE:
            raise InputError(
                f"`max_features` must be at least {lower:g} for the threshold "
                f"{self.monotone.threshold:.6g} (proven), but is {most}."
            )
        if budget is not None and lower > budget + 1e-6:
            raise InputError(
                f"`budget` must be at least {lower:g} for the threshold "
                f"{self.monotone.threshold:.6g} (proven), but is {budget:g}."
            )

    def _reaches(self, units: Mask) -> Generator[Mask, Scores, bool]:
        """Score one subset; note it if it is an answer within the constraints."""
        scores = yield units[None]
        if not self.monotone.reaches(scores.value)[0]:
            return False
        if self.space.feasible(units[None])[0]:
            self.monotone.bounds.offer(units, float(self.space.cost(units[None])[0]))
        return True

    def _check(self, units: Mask) -> Generator[Mask, Scores, bool]:
        """Whether a hitting set reaches the threshold and the smallest size; if not, cut it off."""
        if not (yield from self._reaches(units)):
            yield from self._cut(units, CUTS)
            return False
        if self._size(units) < self.least:
            yield from self._fill(units)
            return False
        return True

    def _cut(self, units: Mask, limit: int) -> Generator[Mask, Scores, None]:
        """Take in the cuts of a subset that fails; a measure that knows none is asked more."""
        masks = self.monotone.cuts(units, limit)
        if len(masks) == 1 and (masks[0] == ~units).all():
            masks = ~(yield from self._grow(units))[None]
        self.master.add(masks)

    def _cut_many(self, limit: float) -> Generator[Mask, Scores, None]:
        """Cut off many hitting sets of one cost at once, where one after the other is too slow."""
        sets = yield from self.master.every(limit, self.many)
        self.many = min(2 * self.many, MOST)
        if len(sets) == 0:
            return
        scores = yield sets
        masks = [
            self.monotone.cuts(units, 4) for units in sets[~self.monotone.reaches(scores.value)]
        ]
        if masks:
            self.master.add(np.vstack(masks))

    def _grow(self, units: Mask) -> Generator[Mask, Scores, Mask]:
        """A largest subset that fails and holds ``units``: all that is outside is a cut."""
        for unit in np.flatnonzero(~units):
            more = units.copy()
            more[unit] = True
            if not (yield from self._reaches(more)):
                units = more
        return units

    def _size(self, units: Mask) -> int:
        return self.base_size + int(self.sizes[units].sum())

    def _fill(self, units: Mask) -> Generator[Mask, Scores, None]:
        """Too few features: every answer has one outside a largest set that is still too small."""
        grown = units.copy()
        for unit in np.lexsort((np.arange(len(units)), self.master.prices.costs)):
            if not grown[unit]:
                grown[unit] = self._size(grown) + self.sizes[unit] < self.least
        self.master.add(~grown[None])
        filled = grown.copy()
        filled[int(np.flatnonzero(~grown)[np.argmin(self.master.prices.costs[~grown])])] = True
        yield from self._reaches(filled)
        if not self.priced and (self.sizes == 1).all():
            # All units are alike: no answer can be smaller than the smallest size.
            self.master.lower = max(self.master.lower, float(self.least - self.base_size))

    def _thin(self, units: Mask) -> Generator[Mask, Scores, Mask]:
        """Leave out one unit after the other, the dearest first, while the threshold is held."""
        order = np.lexsort((self._covered(), -self.master.prices.costs))
        for unit in order:
            less = units.copy()
            less[unit] = False
            if units[unit] and (yield from self._reaches(less)):
                units = less
        return units

    def _covered(self) -> NDArray[np.int64]:
        return np.asarray(self.master.masks.sum(axis=0), dtype=np.int64)

    def every(self, most: int) -> Generator[Mask, Scores, Mask]:
        """Every answer that costs what the best one costs, the best one first."""
        best = self._answer()
        limit = float(self.master.prices.costs[best].sum())
        while True:
            sets = yield from self.master.every(limit, most)
            scores = yield sets
            good = self.monotone.reaches(scores.value) & self.space.feasible(sets)
            failing = sets[~self.monotone.reaches(scores.value)]
            if len(failing) == 0:
                others = sets[good & (sets != best).any(axis=1)]
                return np.vstack([best[None], others[: most - 1]])
            for units in failing[:20]:
                yield from self._cut(units, 20)
