"""Exact: the smallest subset that reaches a threshold, or the best subset, with a proof."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._parameters import flag, whole
from ..measures._measure import Scorer
from ._better import SAME_SCORE_TOLERANCE, Better
from ._exhaustive import prove_best
from ._hitting_sets import SAME_COST_TOLERANCE, Desk, HittingSets, Prices, in_background
from ._monotone import Bounds, Monotone, unit_costs, unit_features, unreachable
from ._search import Proposals, Search, Verdict
from ._spaces.space import Space

Mask = NDArray[np.bool_]


@dataclass
class Exact(Search):
    """Smallest subset that reaches the threshold, or the best by least squares, proven.

    Parameters
    ----------
    all_optima : bool
        Whether to find every smallest subset; the others come as alternatives, and the result
        names the features that are in all of them (``result.extra["in_all_optima"]``).
    max_optima : int
        Largest number of them.
    threads : int
        How many threads share the proof; the answer does not depend on it.
    each_size : bool
        For criteria of least squares: whether the best subset of each size is proven, not only
        the best of all; ``result.extra["sizes"]`` lists them.

    Notes
    -----
    With a monotone measure such as ``"inconsistency"``, the smallest (cheapest) subset that
    reaches its threshold. With ``"aic"``, ``"bic"``, ``"adjusted-r2"``, ``"mallows-cp"`` and
    ``"rss"``, the subset with the best score, by leaps and bounds (Furnival and Wilson, 1974); a
    run that is stopped has the best subset so far, and ``result.bound`` is the highest score that
    is not excluded. Scores of least squares are equal where the residual sums of squares differ
    by less than 1e-10 of them.

    A subset that fails the threshold comes with cuts: sets of features of which every answer
    has at least one. An answer is then a minimum hitting set of all cuts, and a hitting set of
    those known so far gives a lower bound (Moreno-Centeno and Karp, 2013, section 2). The
    hitting sets are found by CP-SAT where structure helps, and by a compiled branch and bound
    over the masks where the table looks random. Dash and Liu (2003, section 4) search the
    subsets themselves.

    Examples
    --------
    >>> from fewest.data._as_table import as_table
    >>> from fewest.measures._consistency.inconsistency import Inconsistency
    >>> from fewest.search import Exact, Subsets
    >>> from fewest.testing import drive
    >>> X = [[a, b, c] for a in "01" for b in "01" for c in "01"]
    >>> y = [int(a != b) for a, b, c in X]
    >>> drive(Exact(), Subsets(3), Inconsistency().bind(as_table(X, y))).answer
    array([ True,  True, False])
    """

    name: ClassVar[str] = "exact"
    source: ClassVar[str] = (
        "Dash and Liu (2003), section 4; Moreno-Centeno and Karp (2013); Furnival and Wilson (1974)"
    )
    needs_monotone: ClassVar[bool] = True
    complete: ClassVar[bool] = True

    all_optima: bool = flag(False)
    max_optima: int = whole(1000, low=1)
    threads: int = whole(2, low=1)
    each_size: bool = flag(False)

    def start_on(
        self, scorer: Scorer | None, space: Space, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals | None:
        """Start the proof of the best subset, where the measure has one."""
        if scorer is None or not scorer.proves_best:
            return None
        return prove_best(space, rng, scorer, self.each_size, bounds)

    def propose_monotone(
        self, space: Space, better: Better, rng: np.random.Generator, monotone: Monotone
    ) -> Proposals:
        """Grow the set of cuts until a smallest hitting set of them reaches the threshold."""

        def work(desk: Desk) -> tuple[Mask, bool]:
            proof = HittingProof(space, monotone, desk, self.threads)
            answer = proof.prove()
            return proof.every(self.max_optima) if self.all_optima else (answer[None], False)

        answers, complete = yield from in_background(work, space.n_units)
        answer = answers[0]
        others = answers[1:] if self.all_optima else None
        shared = np.asarray(answers.all(axis=0)) if complete else None
        cost = float(space.cost(answer[None])[0])
        return Verdict(
            "proven: no smaller subset reaches the threshold", True, cost, answer, others, shared
        )


#: Cuts requested of the measure at a failing candidate.
CUTS_PER_FAILURE = 300
#: Failing hitting sets after which they are cut off in batches, each larger than the last.
FAILURES_BEFORE_BATCHES, FIRST_BATCH, LARGEST_BATCH = 10, 256, 16_384
#: Attempts at a smaller answer before the proof begins.
ATTEMPTS_BEFORE_PROOF = 30
#: Most sets of one size that a measure which can do so looks through by itself.
MOST_SETS_OF_A_SIZE = 20_000_000
#: Most units for which all subsets are scored where cuts exclude little.
MOST_UNITS_FOR_ALL = 14
#: Cost of a unit without cost, as a share of the smallest: none is taken for nothing.
LEAST_COST_SHARE = 1e-6
#: Most supersets that are looked at to find every answer.
MOST_SUPERSETS = 1_000_000


class HittingProof:
    """Proof that runs in the background; ``desk`` scores subsets for it."""

    def __init__(self, space: Space, monotone: Monotone, desk: Desk, threads: int) -> None:
        self.space, self.monotone, self.desk = space, monotone, desk
        costs = unit_costs(space)
        self.sizes = unit_features(space).sum(axis=1).astype(np.float64)
        positive = costs[costs > 0]
        least = LEAST_COST_SHARE * (positive.min() if len(positive) else 1.0)
        self.nothing = np.zeros(space.n_units, dtype=bool)
        self.base = float(space.cost(self.nothing[None])[0])
        self.base_size = int(np.asarray(space.expand(self.nothing[None])).sum())
        self.priced = space.costs is not None
        # Without costs size and cost are one, and the largest size is checked at the end.
        most = space.max_features
        limit = most - self.base_size if most is not None and self.priced else math.inf
        self.prices = Prices(np.maximum(costs, least), self.sizes, limit)
        self.hitting = HittingSets(self.prices, desk, threads, self._raise_lower)
        self.many = FIRST_BATCH

    def prove(self) -> Mask:
        """Find the cheapest answer: raise the lower bound until it meets it."""
        # A value above the threshold leaves room, and cuts that hold in spite of it say little.
        room = self.monotone.full_value > self.monotone.threshold + SAME_SCORE_TOLERANCE
        self.all = room and self.space.n_units <= MOST_UNITS_FOR_ALL
        if self.all:
            self._try_all()
        elif self.space.n_units:
            self._start()
            self._look_within()
            self._close_the_gap()
        return self._answer()

    def _answer(self) -> Mask:
        answer = self.monotone.bounds.answer
        if answer is None:
            raise unreachable(self.monotone)
        return answer

    def _try_all(self) -> None:
        """Score the subsets from the cheapest on until no cheaper one is left."""
        bounds = self.monotone.bounds
        sets, price = self._all_sets()
        first = 0
        while first < len(sets) and price[first] < self._price() - SAME_COST_TOLERANCE:
            batch = sets[first : first + FIRST_BATCH]
            for row in np.flatnonzero(self.monotone.reaches(self.desk.score(batch).value)):
                self._offer(batch[row])
            first += FIRST_BATCH
        self._answer()
        bounds.raise_lower(bounds.upper)

    def _all_sets(self) -> tuple[Mask, NDArray[np.float64]]:
        """Yield all feasible sets of units and their prices, the cheapest first."""
        n = self.space.n_units
        sets = (np.arange(2**n)[:, None] >> np.arange(n) & 1).astype(bool)
        sets = sets[self.space.feasible(sets)]
        price = sets @ self.prices.costs
        order = np.argsort(price, kind="stable")
        return sets[order], price[order]

    def _start(self) -> None:
        """Find a small answer quickly."""
        if not self._reaches(self.nothing):
            self._cut(self.nothing, 10 * CUTS_PER_FAILURE)
        small = self._thin(~self.nothing)
        for _ in range(ATTEMPTS_BEFORE_PROOF):
            limit = self.prices.of(small) - SAME_COST_TOLERANCE * 2
            found = self.hitting.find_quickly(limit, 20_000)
            if found is None:
                return
            if self._check(found):
                small = found

    def _close_the_gap(self) -> None:
        bounds, hitting = self.monotone.bounds, self.hitting
        asked_for_all, failed = False, 0
        while bounds.answer is None or bounds.upper > bounds.lower + SAME_COST_TOLERANCE:
            chosen = hitting.cheapest(self._price())
            self._raise_lower(hitting.lower)
            if chosen is not None:
                if self._check(chosen):
                    # Nothing cheaper hits the cuts: this is the answer, or there is none.
                    hitting.lower = self.prices.of(chosen)
                    if not self.space.feasible(chosen[None])[0]:
                        self._refuse_if_hopeless()
                        raise unreachable(self.monotone)
                    bounds.raise_lower(bounds.upper)
                elif (failed := failed + 1) > FAILURES_BEFORE_BATCHES:
                    self._cut_many(self.prices.of(chosen))
            elif hitting.lower >= self._price() - SAME_COST_TOLERANCE:
                return
            elif hitting.hard and not asked_for_all:
                asked_for_all = True
                hitting.add(self.monotone.cuts(self.nothing, 0))
            self._refuse_if_hopeless()

    def _look_within(self) -> None:
        """Ask for ever smaller answers, where the measure looks at all subsets of a size itself."""
        within = self.monotone.within
        while within is not None and not self.priced:
            most = self._one_less()
            few = math.comb(self.space.n_units, max(0, most)) <= MOST_SETS_OF_A_SIZE
            if most < max(1, self.space.min_features - self.base_size) or not few:
                return
            found = within(most, self.hitting.threads, self.desk.flag)
            self.desk.check()
            if found is None:
                self.hitting.lower = max(self.hitting.lower, most + 1.0)
                self._raise_lower(self.hitting.lower)
                self._refuse_if_hopeless()
                return
            if not self._reaches(found) or self._one_less() >= most:
                return

    def _one_less(self) -> int:
        """Return how many units the next answer may have at most."""
        answer = self.monotone.bounds.answer
        if answer is not None:
            return int(answer.sum()) - 1
        most = self.space.max_features or self.space.n_units
        return min(most - self.base_size, self.space.n_units)

    def _raise_lower(self, lower: float) -> None:
        self.monotone.bounds.raise_lower(min(self.base + lower, self.monotone.bounds.upper))

    def _price(self) -> float:
        """Return the price of the best answer so far; without one, more than that of all units."""
        answer = self.monotone.bounds.answer
        return float(self.prices.costs.sum()) + 1.0 if answer is None else self.prices.of(answer)

    def _refuse_if_hopeless(self) -> None:
        """Say so as soon as the lower bound passes what is allowed."""
        lower = self.base + self.hitting.lower
        most, budget = self.space.max_features, self.space.budget
        if not self.priced and most is not None and lower > most + SAME_COST_TOLERANCE:
            raise InputError(
                f"`max_features` must be at least {lower:g} for the threshold "
                f"{self.monotone.threshold:.6g} (proven), but is {most}."
            )
        if budget is not None and lower > budget + 1e-6:
            raise InputError(
                f"`budget` must be at least {lower:g} for the threshold "
                f"{self.monotone.threshold:.6g} (proven), but is {budget:g}."
            )

    def _reaches(self, units: Mask) -> bool:
        """Score one subset; note it if it is an answer within the constraints."""
        reaches = bool(self.monotone.reaches(self.desk.score(units[None]).value)[0])
        if reaches:
            self._offer(units)
        return reaches

    def _offer(self, units: Mask) -> None:
        """Note an answer within the constraints; of two that cost the same, without free units."""
        if not self.space.feasible(units[None])[0]:
            return
        bounds, cost = self.monotone.bounds, float(self.space.cost(units[None])[0])
        kept = bounds.offer(units, cost) or cost > bounds.upper + SAME_SCORE_TOLERANCE
        if not kept and self.prices.of(units) < self._price() - SAME_COST_TOLERANCE:
            bounds.answer = units.copy()

    def _check(self, units: Mask) -> bool:
        """Decide if a hitting set reaches the threshold and the smallest size, or cut it off."""
        if not self._reaches(units):
            self._cut(units, CUTS_PER_FAILURE)
            return False
        if self._size(units) < self.space.min_features:
            self._fill(units)
            return False
        return True

    def _cut(self, units: Mask, limit: int) -> None:
        """Take in the cuts of a subset that fails; a measure without cuts is scored more often."""
        masks = self.monotone.cuts(units, limit)
        if len(masks) == 1 and (masks[0] == ~units).all():
            masks = ~self._grow(units)[None]
        self.hitting.add(masks)

    def _cut_many(self, limit: float) -> None:
        """Cut off many hitting sets of one cost at once, where one after the other is too slow."""
        sets = self.hitting.every(limit, self.many)
        self.many = min(2 * self.many, LARGEST_BATCH)
        if len(sets) == 0:
            return
        failing = sets[~self.monotone.reaches(self.desk.score(sets).value)]
        if len(failing):
            self.hitting.add(np.vstack([self.monotone.cuts(units, 4) for units in failing]))

    def _grow(self, units: Mask) -> Mask:
        """Find a largest subset that fails and holds ``units``: all that is outside is a cut."""
        for unit in np.flatnonzero(~units):
            more = units.copy()
            more[unit] = True
            if not self._reaches(more):
                units = more
        return units

    def _size(self, units: Mask) -> int:
        return self.base_size + int(self.sizes[units].sum())

    def _fill(self, units: Mask) -> None:
        """Cut off a set with too few features by a largest set that is still too small."""
        grown, least = units.copy(), self.space.min_features
        for unit in np.lexsort((np.arange(len(units)), self.prices.costs)):
            if not grown[unit]:
                grown[unit] = self._size(grown) + self.sizes[unit] < least
        self.hitting.add(~grown[None])
        filled = grown.copy()
        filled[int(np.flatnonzero(~grown)[np.argmin(self.prices.costs[~grown])])] = True
        self._reaches(filled)
        if not self.priced and (self.sizes == 1).all():
            # All units are alike: no answer can be smaller than the smallest size.
            self.hitting.lower = max(self.hitting.lower, float(least - self.base_size))

    def _thin(self, units: Mask) -> Mask:
        """Leave out one unit after the other, the dearest first, while the threshold is held."""
        covered = self.hitting.masks.sum(axis=0)
        for unit in np.lexsort((covered, -self.prices.costs)):
            less = units.copy()
            less[unit] = False
            if units[unit] and self._reaches(less):
                units = less
        return units

    def every(self, most: int) -> tuple[Mask, bool]:
        """Find the answers that cost as little as the best one, which comes first; whether all.

        Free units are left out: of two answers of equal cost the smaller one counts.
        """
        best = self._answer()
        if not len(best):
            return best[None], True
        found, complete = self._all_cheapest(most) if self.all else self._all_hitting(most)
        others = found[(found != best).any(axis=1)]
        return np.vstack([best[None], others[: most - 1]]), complete and len(found) < most

    def _all_cheapest(self, most: int) -> tuple[Mask, bool]:
        sets, price = self._all_sets()
        sets = sets[np.abs(price - self._price()) <= SAME_COST_TOLERANCE]
        return sets[self.monotone.reaches(self.desk.score(sets).value)], True

    def _all_hitting(self, most: int) -> tuple[Mask, bool]:
        """Return the minimal hitting sets of that price; larger ones where those are too small."""
        limit, wanted = self._price(), most
        while True:
            sets = self.hitting.every(limit, wanted)
            failing = sets[~self.monotone.reaches(self.desk.score(sets).value)]
            for units in failing[:20]:
                self._cut(units, 20)
            if len(failing):
                continue
            found = self._large_enough(sets, limit, most)
            if len(sets) < wanted or len(found) >= most or wanted > MOST_SUPERSETS:
                break
            wanted *= 4
        answers = np.array(list(found.values()), dtype=bool).reshape(-1, self.space.n_units)
        self.desk.score(answers)
        return answers, len(sets) < wanted

    def _large_enough(self, sets: Mask, limit: float, most: int) -> dict[bytes, Mask]:
        """Return up to ``most`` sets, with units added in every way to those that are too small."""
        found: dict[bytes, Mask] = {}
        looked = (more for units in sets for more in self._supersets(units, limit))
        for units in islice(looked, MOST_SUPERSETS):
            found[units.tobytes()] = units
            if len(found) >= most:
                break
        return found

    def _supersets(self, units: Mask, limit: float) -> Iterator[Mask]:
        """Return the smallest supersets within ``limit`` that keep the constraints."""
        stack = [(units, 0)]
        while stack:
            here, first = stack.pop()
            if self._size(here) >= self.space.min_features:
                if self.space.feasible(here[None])[0]:
                    yield here
                continue
            left = limit + SAME_COST_TOLERANCE - self.prices.of(here)
            for unit in np.flatnonzero(~here[first:] & (self.prices.costs[first:] <= left))[::-1]:
                more = here.copy()
                more[first + unit] = True
                stack.append((more, first + int(unit) + 1))
