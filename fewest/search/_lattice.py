"""Consistency-based searches over the lattice of subsets: FocusM, ABB and SetCover."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..measures._measure import Scores
from ._better import Better
from ._monotone import Monotone, unit_costs, unreachable
from ._search import Proposals, Search, Verdict
from ._spaces.space import Space

#: How many subsets go into one batch.
BATCH_SUBSETS = 2048


class ThresholdSearch(Search):
    """Base of the searches for the smallest subset that reaches a threshold."""

    needs_monotone: ClassVar[bool] = True
    example: ClassVar[str] = """
    >>> from fewest.search import {name}, Subsets
    >>> from fewest.testing import MonotoneTableMeasure, drive, toy_table
    >>> measure = MonotoneTableMeasure(lambda mask: float(mask[[1, 3]].all()), threshold=1.0)
    >>> drive({name}(), Subsets(4), measure.bind(toy_table(n_features=4))).answer
    array([False,  True, False,  True])
    """


@dataclass
class FocusM(ThresholdSearch):
    """Smallest subset that reaches the threshold, by trying all from the smallest on.

    Notes
    -----
    Breadth first from the empty set (Dash and Liu, 2003, section 4.1; Almuallim and Dietterich,
    1994). Fast where few features are enough. With costs or groups the subsets of each number of
    units are tried, and those that cost no less than the best so far are left out, until every
    larger one costs more.
    """

    name: ClassVar[str] = "focus-m"
    source: ClassVar[str] = "Dash and Liu (2003), section 4.1"
    complete: ClassVar[bool] = True

    def propose_monotone(
        self, space: Space, better: Better, rng: np.random.Generator, monotone: Monotone
    ) -> Proposals:
        """Yield the subsets size by size, a batch at a time."""
        bounds = monotone.bounds
        costs = np.sort(unit_costs(space))
        base = float(space.cost(np.zeros((1, space.n_units), dtype=bool))[0])
        tried = first = 0
        for size in range(space.n_units + 1):
            least = base + float(costs[:size].sum())
            if least >= bounds.upper:
                break
            bounds.raise_lower(least)
            for batch in _of_size(space, size):
                batch = batch[space.feasible(batch) & (space.cost(batch) < bounds.upper)]
                scores = yield batch
                reached = np.flatnonzero(monotone.reaches(scores.value))
                if len(reached) and not first:
                    first = tried + int(reached[0]) + 1
                tried += len(batch)
                for row in reached:
                    bounds.offer(batch[row], float(space.cost(batch[row : row + 1])[0]))
                if bounds.upper <= least:
                    break
        if bounds.answer is None:
            raise unreachable(monotone)
        bounds.raise_lower(bounds.upper)
        # A batch goes on past the first success: the number of evaluations is larger.
        reason = (
            f"every smaller subset was tried and failed the threshold; subset number {first:,} "
            "was the first to reach it"
        )
        return Verdict(reason, True, bounds.upper, bounds.answer)


def _of_size(space: Space, size: int) -> Iterator[NDArray[np.bool_]]:
    """Yield all subsets of this many units, in lexicographic order, in batches."""
    choices = combinations(range(space.n_units), size)
    while chunk := list(islice(choices, BATCH_SUBSETS)):
        batch = np.zeros((len(chunk), space.n_units), dtype=bool)
        for row, units in enumerate(chunk):
            batch[row, list(units)] = True
        yield batch


Mask = NDArray[np.bool_]
#: Costs that differ by less are equal.
SAME_COST_TOLERANCE = 1e-9


@dataclass
class ABB(ThresholdSearch):
    """Smallest subset that reaches the threshold, by leaving out one feature at a time.

    Notes
    -----
    Automatic branch and bound (Dash and Liu, 2003, section 4.2): depth first from the full set;
    a subset that fails is pruned, and so is, without being evaluated, every subset with one
    feature less than a pruned one (the legitimacy test, a look-up of the subsets at Hamming
    distance 1 in a hash set). Every subset is visited once: below a node only features after
    the one just left out are left out. Fast where nearly all features are needed.
    """

    name: ClassVar[str] = "abb"
    source: ClassVar[str] = "Dash and Liu (2003), section 4.2"
    complete: ClassVar[bool] = True

    def propose_monotone(
        self, space: Space, better: Better, rng: np.random.Generator, monotone: Monotone
    ) -> Proposals:
        """Descend from all units."""
        everything = np.ones(space.n_units, dtype=bool)
        yield from Descent(space, monotone).below(everything)
        if monotone.bounds.answer is None:
            raise unreachable(monotone)
        monotone.bounds.raise_lower(monotone.bounds.upper)
        return Verdict(
            "every subset was tried or lies below one that failed the threshold",
            True,
            monotone.bounds.upper,
            monotone.bounds.answer,
        )


class Descent:
    """Branch and bound below one subset after another; nothing is evaluated twice.

    ``smallest`` keeps what it meets, ``used`` counts the subsets that it evaluated.
    """

    def __init__(self, space: Space, monotone: Monotone) -> None:
        self.space, self.monotone = space, monotone
        self.smallest = Smallest(space, monotone)
        self.used = 0
        #: What is known to fail, and what reaches the threshold, each subset as one number.
        self._failed: set[int] = set()
        self._reached: set[int] = set()
        #: From which unit on the children of a subset were looked at.
        self._expanded: dict[int, int] = {}

    def below(self, start: Mask, most: float = np.inf) -> Generator[Mask, Scores, None]:
        """Search below ``start``, which reaches the threshold; evaluate at most ``most``."""
        self.smallest.offer(start)
        most += self.used
        stack = [(_number(start), 0)]
        while stack and self.used < most:
            node, first = stack.pop()
            if self._expanded.get(node, self.space.n_units) <= first:
                continue
            self._expanded[node] = first
            units = self._legitimate(node, first)
            new = [u for u in units if node ^ 1 << u not in self._reached]
            yield from self._evaluate(node, new[: int(min(most - self.used, len(new)))])
            # The first child on top: depth first, in the order of the features left out.
            for unit in reversed(units):
                if node ^ 1 << unit in self._reached:
                    stack.append((node ^ 1 << unit, unit + 1))

    def _legitimate(self, node: int, first: int) -> list[int]:
        """Return the units, from ``first`` on, without which the node is not known to fail."""
        units = []
        for unit in range(first, self.space.n_units):
            if not node >> unit & 1:
                continue
            child = node ^ 1 << unit
            if self._inside_a_failed_one(child):
                self._failed.add(child)
            else:
                units.append(unit)
        return units

    def _inside_a_failed_one(self, child: int) -> bool:
        """Decide if a subset with one unit more has failed, or the child itself has."""
        if child in self._failed:
            return True
        outside = ~child & (1 << self.space.n_units) - 1
        while outside:
            bit = outside & -outside
            if child | bit in self._failed:
                return True
            outside ^= bit
        return False

    def _evaluate(self, node: int, units: list[int]) -> Generator[Mask, Scores, None]:
        """Score the children without each of these units."""
        if not units:
            return
        batch = np.repeat(_mask(node, self.space.n_units)[None], len(units), axis=0)
        batch[np.arange(len(units)), units] = False
        scores = yield batch
        self.used += len(units)
        reached = self.monotone.reaches(scores.value)
        for unit, good in zip(units, reached.tolist(), strict=True):
            (self._reached if good else self._failed).add(node ^ 1 << unit)
        # Most children cost more than what is known: one look at all of them leaves these out.
        for row in np.flatnonzero(
            reached & (self.space.cost(batch) <= self.smallest.cost + SAME_COST_TOLERANCE)
        ):
            self.smallest.offer(batch[row])


def _number(units: Mask) -> int:
    """Return the units as one number, the first unit as its lowest bit."""
    return int.from_bytes(np.packbits(units, bitorder="little").tobytes(), "little")


def _mask(number: int, n_units: int) -> Mask:
    raw = np.frombuffer(number.to_bytes((n_units + 7) // 8, "little"), dtype=np.uint8)
    return np.unpackbits(raw, count=n_units, bitorder="little").astype(bool)


class Smallest:
    """Subsets met so far that reach the threshold and keep the constraints.

    ``outputs`` are those that were no more expensive than any before, in the order in which they
    came; ``smallest`` the cheapest of them.
    """

    def __init__(self, space: Space, monotone: Monotone) -> None:
        self.space, self.bounds = space, monotone.bounds
        self.outputs: dict[bytes, Mask] = {}
        self.smallest: list[Mask] = []
        self.cost = np.inf

    def offer(self, units: Mask) -> None:
        """Note a subset that reaches the threshold."""
        if units.tobytes() in self.outputs or not self.space.feasible(units[None])[0]:
            return
        cost = float(self.space.cost(units[None])[0])
        self.bounds.offer(units, cost)
        if cost < self.cost - SAME_COST_TOLERANCE:
            self.smallest, self.cost = [], cost
        if cost <= self.cost + SAME_COST_TOLERANCE:
            self.smallest.append(units.copy())
            self.outputs[units.tobytes()] = self.smallest[-1]


@dataclass
class SetCover(Search):
    """Small subset that reaches the threshold, greedily and fast; it may not be the smallest.

    Notes
    -----
    Johnson's algorithm over the measure (Dash and Liu, 2003, section 4.3): add the feature whose
    subset scores best; with costs, the one that gains most for what it costs. Correlated
    features can mislead it. Unlike the listing in the paper, which appends the last feature
    looked at, the best one is appended.

    Examples
    --------
    >>> from fewest.search import SetCover, Subsets
    >>> from fewest.testing import MonotoneTableMeasure, drive, toy_table
    >>> measure = MonotoneTableMeasure(lambda mask: float(mask[[1, 3]].sum()), threshold=2.0)
    >>> drive(SetCover(), Subsets(4), measure.bind(toy_table(n_features=4))).answer
    array([False,  True, False,  True])
    """

    name: ClassVar[str] = "set-cover"
    source: ClassVar[str] = "Dash and Liu (2003), section 4.3"
    needs_monotone: ClassVar[bool] = True

    def propose_monotone(
        self, space: Space, better: Better, rng: np.random.Generator, monotone: Monotone
    ) -> Proposals:
        """Yield all subsets with one unit more, take the best, and go on."""
        costs = np.maximum(unit_costs(space), 1e-9)
        cover = np.zeros(space.n_units, dtype=bool)
        scores = yield cover[None]
        value = float(scores.value[0])
        while not (monotone.reaches(np.array([value]))[0] and space.feasible(cover[None])[0]):
            units = np.flatnonzero(~cover)
            batch = np.repeat(cover[None], len(units), axis=0)
            batch[np.arange(len(units)), units] = True
            batch = batch[space.small_enough(batch)]
            if len(batch) == 0:
                raise unreachable(monotone)
            scores = yield batch
            best = self._choose(scores.value, value, costs[(batch & ~cover).argmax(axis=1)])
            cover, value = batch[best], float(scores.value[best])
        monotone.bounds.offer(cover, float(space.cost(cover[None])[0]))
        return Verdict("the threshold was reached", answer=cover)

    @staticmethod
    def _choose(value: np.ndarray, before: float, costs: np.ndarray) -> int:
        """Return the first of those with the largest gain for the cost."""
        gain = np.round((value - before) / costs, 12)
        # Where nothing gains, the cheapest.
        return int(np.lexsort((costs, -gain))[0])
