"""Consistency-based searches: FocusM, ABB, SetCover, LVF and QBB."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .._parameters import one_of, whole
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


@dataclass
class LVF(ThresholdSearch):
    """Small subsets that reach the threshold, at random; all of the smallest size are kept.

    Parameters
    ----------
    tries : int
        How many subsets are drawn.
    sampling : "uniform" or "shrinking"
        Every subset is equally likely, and those larger than the best so far are drawn but not
        evaluated; or the size is drawn first, between 1 and that of the best so far.

    Notes
    -----
    Las Vegas filter (Dash and Liu, 2003, section 4.4). ``"uniform"`` is the listing of the paper:
    ``tries`` counts draws (MaxTries), whether they are evaluated or not. Where many features are
    irrelevant nearly all draws are about half of them, and it stays far above the smallest size.
    ``"shrinking"`` wastes no draw on subsets that are too large, and ends with much smaller
    subsets (5 features instead of 15 on lung-cancer, with 5,000 draws). The listing compares
    with the best so far after each evaluation; here a few subsets, ever more as improvements
    become rare, are evaluated at once. All answers of the smallest size are alternatives.
    """

    name: ClassVar[str] = "lvf"
    source: ClassVar[str] = "Dash and Liu (2003), section 4.4"

    tries: int = whole(5000, low=1)
    sampling: str = one_of("uniform", "shrinking")

    def propose_monotone(
        self, space: Space, better: Better, rng: np.random.Generator, monotone: Monotone
    ) -> Proposals:
        """Yield batches of random subsets that get smaller."""
        found = yield from las_vegas(space, rng, monotone, self.tries, self.sampling)
        if not found.smallest:
            raise unreachable(monotone)
        return Verdict(
            f"{self.tries} subsets were drawn",
            answer=found.smallest[0],
            alternatives=others(found.smallest),
        )


def others(found: list[Mask]) -> Mask:
    """Return the answers beside the first one."""
    distinct = {units.tobytes(): units for units in found[1:] if (units != found[0]).any()}
    return np.array(list(distinct.values()), dtype=bool).reshape(len(distinct), len(found[0]))


def las_vegas(
    space: Space, rng: np.random.Generator, monotone: Monotone, tries: int, sampling: str
) -> Generator[Mask, Scores, Smallest]:
    """Draw ``tries`` subsets; return those that reached the threshold and were small enough."""
    found = Smallest(space, monotone)
    found.offer(np.ones(space.n_units, dtype=bool))
    left, patience = tries, 1
    while left > 0:
        if sampling == "uniform":
            drawn = np.asarray(space.sample(min(left, 256), rng), dtype=bool)
        else:
            drawn = _of_random_size(space, rng, min(left, patience + 15), found)
        left -= len(drawn)
        while len(drawn := drawn[space.cost(drawn) <= found.cost + 1e-9]):
            batch, drawn = drawn[:patience], drawn[patience:]
            patience = 1 if (yield from _offer_all(batch, found, monotone)) else 2 * patience
    return found


def _offer_all(batch: Mask, found: Smallest, monotone: Monotone) -> Generator[Mask, Scores, bool]:
    """Evaluate some subsets and note those that reach the threshold; return if one is smaller."""
    before = found.cost
    scores = yield batch
    for row in np.flatnonzero(monotone.reaches(scores.value)):
        found.offer(batch[row])
    return found.cost < before


def _of_random_size(space: Space, rng: np.random.Generator, n: int, found: Smallest) -> Mask:
    """Draw feasible subsets, each of a random size up to that of the smallest found."""
    most = int(found.smallest[0].sum()) if found.smallest else space.n_units
    sizes = rng.integers(1, max(most, 1) + 1, size=n)
    ranks = rng.random((n, space.n_units)).argsort(axis=1).argsort(axis=1)
    return np.asarray(space.repair(ranks < sizes[:, None], rng), dtype=bool)


@dataclass
class QBB(ThresholdSearch):
    """Small subset that reaches the threshold: random first, then branch and bound below it.

    Parameters
    ----------
    tries : int
        Half of them are random draws, half are evaluations below what those found.
    sampling : "uniform" or "shrinking"
        How subsets are drawn; see :class:`~fewest.search.LVF`.

    Notes
    -----
    Dash and Liu (2003, section 4.5): half of the tries go to LVF, half to ABB on each of the
    subsets that LVF gave, the smallest first; what was evaluated once is not evaluated again.
    The listing returns the subset of LVF below which the smallest one was found; here it is the
    smallest one itself. All answers of the smallest size are alternatives.
    """

    name: ClassVar[str] = "qbb"
    source: ClassVar[str] = "Dash and Liu (2003), section 4.5"

    tries: int = whole(5000, low=2)
    sampling: str = one_of("uniform", "shrinking")

    def propose_monotone(
        self, space: Space, better: Better, rng: np.random.Generator, monotone: Monotone
    ) -> Proposals:
        """Yield from LVF, then from ABB on its answers in turn."""
        drawn = yield from las_vegas(space, rng, monotone, self.tries // 2, self.sampling)
        if not drawn.smallest:
            raise unreachable(monotone)
        descent = Descent(space, monotone)
        left = self.tries - self.tries // 2
        for start in reversed(drawn.outputs.values()):
            if descent.used < left:
                yield from descent.below(start, left - descent.used)
        found = descent.smallest.smallest
        return Verdict(
            f"{self.tries} subsets were tried", answer=found[0], alternatives=others(found)
        )
