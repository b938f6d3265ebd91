"""Sequential selection, elimination and floating search: the best step, again and again."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._parameters import flag, number, whole
from ..measures._measure import Candidates, Scores
from ..measures._steps import Steps
from ._better import Better
from ._search import Proposals, Search, Verdict
from ._spaces.space import Space

#: Bytes of a batch of neighbours, about.
BLOCK_BYTES = 2**25
#: Neighbours of candidates with more units than this are not written out.
MOST_UNITS_WRITTEN_OUT = 256


@dataclass(frozen=True, eq=False)
class Step:
    """Candidate and its value."""

    candidate: Candidates
    value: float


@dataclass(frozen=True, eq=False)
class Moves:
    """Changes of one unit each: ``units[i]`` gets the value ``levels[i]``."""

    units: NDArray[np.intp]
    levels: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.units)

    def neighbours(self, candidate: Candidates) -> Iterator[Candidates]:
        """Yield the neighbours in batches."""
        for _, block in self.blocks(candidate):
            yield block

    def blocks(self, candidate: Candidates) -> Iterator[tuple[slice, Candidates]]:
        """Yield slices of the moves and their neighbours, in batches that fit in memory.

        Where there are many wide ones they are steps, which are not written out.
        """
        if len(candidate) > MOST_UNITS_WRITTEN_OUT:
            steps: Any = Steps(candidate, self.units, self.levels)
            yield slice(0, len(self)), steps
            return
        rows = max(1, BLOCK_BYTES // max(1, candidate.nbytes))
        for first in range(0, len(self), rows):
            part = slice(first, min(first + rows, len(self)))
            yield part, self.take(part).apply(candidate)

    def take(self, part: slice | NDArray[np.intp] | NDArray[np.bool_]) -> Moves:
        """Return these moves only."""
        return Moves(self.units[part], self.levels[part])

    def apply(self, candidate: Candidates) -> Candidates:
        """Return one row per move."""
        rows = np.repeat(candidate[None, :], len(self), axis=0)
        rows[np.arange(len(self)), self.units] = self.levels
        return rows


def lowest(space: Space) -> Candidates:
    """Return the candidate with nothing in."""
    return np.zeros(space.n_units, dtype=bool if space.kind == "subsets" else np.uint8)


def highest(space: Space) -> Candidates:
    """Return the candidate with everything in, at the highest value."""
    return (space.cardinalities - 1).astype(lowest(space).dtype)


def middle(space: Space) -> Candidates:
    """Return the candidate with every unit at its middle value: ½ of the weights 0, ½ and 1."""
    return (space.cardinalities // 2).astype(lowest(space).dtype)


def up(space: Space, candidate: Candidates) -> Moves:
    """Raise every unit by one value: for subsets, add every unit that is out."""
    units = np.flatnonzero(candidate < space.cardinalities - 1)
    return Moves(units, candidate[units].astype(np.int64) + 1)


def down(space: Space, candidate: Candidates) -> Moves:
    """Lower every unit by one value: for subsets, remove every unit that is in."""
    units = np.flatnonzero(candidate)
    return Moves(units, candidate[units].astype(np.int64) - 1)


def around(space: Space, candidate: Candidates) -> Moves:
    """Return all changes of one unit by one value."""
    both = up(space, candidate), down(space, candidate)
    return Moves(np.concatenate([m.units for m in both]), np.concatenate([m.levels for m in both]))


def allowed(space: Space, candidate: Candidates, neighbours: Candidates) -> NDArray[np.bool_]:
    """Mark the neighbours that do not break a constraint that the candidate keeps.

    So a walk that starts below the smallest size, or above the largest, passes through
    subsets that are not feasible, and never leaves the feasible ones again.
    """
    here = candidate[None, :]
    small = space.small_enough(neighbours) | ~space.small_enough(here)
    large = space.large_enough(neighbours) | ~space.large_enough(here)
    return np.asarray(small & large)


def first_step(candidate: Candidates) -> Generator[Candidates, Scores, Step]:
    """Score one candidate."""
    scores = yield candidate[None, :]
    return Step(candidate, float(scores.value[0]))


def best_step(
    space: Space, better: Better, candidate: Candidates, moves: Moves
) -> Generator[Candidates, Scores, Step | None]:
    """Score all allowed neighbours and return the best; None where there is none."""
    best: Step | None = None
    for block in moves.neighbours(candidate):
        block = block[allowed(space, candidate, block)]
        if not len(block):
            continue
        scores = yield block
        value = scores.value
        if best is not None:
            block = np.concatenate([best.candidate[None, :], block])
            value = np.concatenate([[best.value], value])
        row = better.best(block, value)
        best = Step(block[row].copy(), float(value[row]))
    return best


#: ``up`` or ``down``.
Direction = Callable[[Space, Candidates], Moves]


def check_size(space: Space, size: int | None) -> None:
    """Refuse a size that no subset of the space has."""
    ends = np.stack([lowest(space), highest(space)])
    low, high = (int(n) for n in space.size(ends))
    if size is not None and not low <= size <= high:
        raise InputError(
            f"`size` must be between {low} and {high} (the features that can be in), but is {size}."
        )


def walk_into_feasible(
    space: Space, better: Better, start: Candidates, direction: Direction
) -> Generator[Candidates, Scores, Step]:
    """Take the best steps in one direction until the sizes and the budget are kept."""
    current = yield from first_step(start)
    while not space.feasible(current.candidate[None])[0]:
        step = yield from best_step(
            space, better, current.candidate, direction(space, current.candidate)
        )
        if step is None:
            return current
        current = step
    return current


def feasible_end(
    space: Space, current: Step, rng: np.random.Generator
) -> Generator[Candidates, Scores, None]:
    """Propose the nearest feasible subset where a walk ends between the constraints.

    It happens: the best three features cost more than the budget, and two are too few.
    """
    if not space.feasible(current.candidate[None])[0]:
        yield space.repair(current.candidate[None].copy(), rng)


def climb(
    space: Space,
    better: Better,
    rng: np.random.Generator,
    start: Candidates,
    direction: Direction,
    least_gain: float,
    equal: bool = False,
) -> Proposals:
    """Go on while the value grows (or, with ``equal``, does not fall)."""
    current = yield from walk_into_feasible(space, better, start, direction)
    while True:
        moves = direction(space, current.candidate)
        step = yield from best_step(space, better, current.candidate, moves)
        if step is None:
            yield from feasible_end(space, current, rng)
            return Verdict("no further step is allowed")
        worse = not better.improves(step.value, current.value + least_gain)
        if worse and not (equal and not better.improves(current.value, step.value)):
            return Verdict("no further step improves the value")
        current = step


def walk_to_size(
    space: Space, better: Better, start: Candidates, direction: Direction, size: int
) -> Proposals:
    """Go on to ``size`` features, whatever the value; the answer has that size."""
    check_size(space, size)
    current = yield from first_step(start)
    sign = 1 if space.size(start[None])[0] <= size else -1
    while space.size(current.candidate[None])[0] != size:
        moves = _not_past(space, current, direction, size, sign)
        step = yield from best_step(space, better, current.candidate, moves)
        if step is None:
            raise InputError(
                f"`size` cannot be {size} from here: `groups`, `max_features` or `budget` allow "
                f"no step beyond {space.size(current.candidate[None])[0]} features."
            )
        current = step
    return Verdict(f"{size} features reached", answer=current.candidate)


def _not_past(space: Space, current: Step, direction: Direction, size: int, sign: int) -> Moves:
    """Return the moves that do not jump over the size (a group brings several features)."""
    moves = direction(space, current.candidate)
    keep = [sign * (space.size(b) - size) <= 0 for b in moves.neighbours(current.candidate)]
    return moves.take(np.concatenate(keep)) if keep else moves


@dataclass
class Sequential(Search):
    """Base of the sequential searches.

    Parameters
    ----------
    size : int or None
        Go on to this many features whatever the value, and answer with that subset.
    least_gain : float
        A step must raise the value by more than this.
    """

    source: ClassVar[str] = "Kittler (1978); Inza (2002, thesis), section 6.4.3"
    spaces: ClassVar[tuple[str, ...]] = ("subsets", "levels")

    size: int | None = whole(None, low=0, optional=True)
    least_gain: float = number(0.0, low=0.0)


@dataclass
class SFS(Sequential):
    """Start with nothing and add the best feature while the value improves.

    Notes
    -----
    Kittler (1978); compared in Inza (2002, thesis), section 6.4.3. Below ``min_features`` it
    goes on whatever the value.

    Examples
    --------
    >>> from fewest.search import SFS, Subsets
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> measure = TableMeasure({(): 0.5, (1,): 0.7, (1, 2): 0.9}, default=0.4)
    >>> drive(SFS(), Subsets(3), measure.bind(toy_table(n_features=3))).answer
    array([False,  True,  True])
    """

    name: ClassVar[str] = "sfs"

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """Yield one batch per step: all features that can be added."""
        if self.size is not None:
            return (yield from walk_to_size(space, better, lowest(space), up, self.size))
        return (yield from climb(space, better, rng, lowest(space), up, self.least_gain))


@dataclass
class SBE(Sequential):
    """Start with everything and remove the worst feature while the value does not fall.

    Parameters
    ----------
    least_gain : float
        Where ``equal`` is False, a step must raise the value by more than this.
    equal : bool
        Go on too where the best removal leaves the value as it is: fewer features for nothing.
        False requires an improvement, as the source does.

    Notes
    -----
    Kittler (1978); compared in Inza (2002, thesis), section 6.4.3, where the search stops when no
    removal improves the value: that is ``SBE(equal=False)``, which the reproduction uses. The
    default takes an equal value with fewer features as better, so that a constant column goes.
    Above ``max_features`` or the budget it goes on whatever the value.

    Examples
    --------
    >>> from fewest.search import SBE, Subsets
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> measure = TableMeasure({(0, 1, 2): 0.7, (0, 2): 0.8, (2,): 0.8}, default=0.4)
    >>> drive(SBE(), Subsets(3), measure.bind(toy_table(n_features=3))).answer
    array([False, False,  True])
    """

    name: ClassVar[str] = "sbe"

    equal: bool = flag(True)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """Yield one batch per step: all features that can be removed."""
        start = highest(space)
        if self.size is not None:
            return (yield from walk_to_size(space, better, start, down, self.size))
        return (yield from climb(space, better, rng, start, down, self.least_gain, self.equal))


@dataclass
class _Float:
    """Best candidate of each height; the height is the number of steps from the start.

    ``best`` only ever improves, and a step back is taken only where it improves: that is why
    the search ends.
    """

    space: Space
    better: Better
    onward: Direction
    backward: Direction
    size: int | None
    best: dict[int, Step] = field(default_factory=dict)
    height: int = 0
    turned: bool = False

    def arrive(self, height: int, step: Step) -> bool:
        """Go to a height with a candidate, or a better one known there; return if it is new."""
        known = self.best.get(height)
        self.height = height
        new = known is None or self.better.improves(step.value, known.value)
        if new:
            self.best[height] = step
        return new

    @property
    def here(self) -> Step:
        return self.best[self.height]

    def step(self, direction: Direction, from_: Step) -> Generator[Candidates, Scores, Step | None]:
        moves = direction(self.space, from_.candidate)
        return (yield from best_step(self.space, self.better, from_.candidate, moves))

    def float_on(self, patience: int | None) -> Generator[Candidates, Scores, int]:
        """Step onward, each time followed by steps back; return how many last ones were in vain."""
        stale = 0
        while patience is None or stale < patience or self.size is not None:
            before = self.top()
            step = yield from self.step(self.onward, self.here)
            if step is None:
                break
            if self.arrive(self.height + 1, step):
                yield from self.back()
            found = self.top()
            grown = before is None or (found and self.better.improves(found.value, before.value))
            stale = 0 if grown else stale + 1
            if self.is_at_size(self.here, beyond=3):
                break
        return stale

    def back(self) -> Generator[Candidates, Scores, None]:
        """Step back while each step is better than the best known at its height."""
        while self.height > 1:
            step = yield from self.step(self.backward, self.here)
            known = self.best[self.height - 1]
            if step is None or not self.better.improves(step.value, known.value):
                return
            self.turned = True
            self.arrive(self.height - 1, step)

    def greedy(self) -> Generator[Candidates, Scores, bool]:
        """Walk without steps back; go where that finds better, and return if it does.

        A step back can lead to a better subset from which the way on is worse.
        """
        current, height, gained = self.best[0], 0, 0
        while not self.is_at_size(current):
            step = yield from self.step(self.onward, current)
            worse = step is None or self.better.improves(current.value, step.value)
            stop = self.size is None and self.space.feasible(current.candidate[None])[0]
            if step is None or (worse and stop):
                break
            current, height = step, height + 1
            if self.arrive(height, step):
                gained = height
        self.height = gained or max(self.best)
        return gained > 0

    def is_at_size(self, step: Step, beyond: int = 0) -> bool:
        """Decide if a walk has the wanted size, or is ``beyond`` features past it."""
        if self.size is None:
            return False
        first, now = self.space.size(np.stack([self.best[0].candidate, step.candidate]))
        ahead = now - self.size if first <= self.size else self.size - now
        return bool(ahead >= beyond)

    def top(self) -> Step | None:
        """Return the best feasible candidate of any height."""
        steps = [s for s in self.best.values() if self.space.feasible(s.candidate[None])[0]]
        if not steps:
            return None
        value = np.array([s.value for s in steps])
        return steps[self.better.best(np.stack([s.candidate for s in steps]), value)]

    def of_size(self, size: int) -> Step:
        """Return the best candidate with this many features."""
        steps = [s for s in self.best.values() if self.space.size(s.candidate[None])[0] == size]
        if not steps:
            raise InputError(
                f"`size` cannot be {size} here: with these `groups`, `max_features` and `budget` "
                "no step leads to this size."
            )
        return max(steps, key=lambda s: s.value)


#: Where a walk starts, and its directions forward and back.
Walk = tuple[Callable[[Space], Candidates], Direction, Direction]


@dataclass
class Floating(Search):
    """Base of the floating searches.

    Parameters
    ----------
    size : int or None
        Answer with the best subset of this many features, whatever the value.
    patience : int or None
        End after this many steps onward without a better subset; None goes on to the end.
    """

    source: ClassVar[str] = "Pudil, Novovičová and Kittler (1994)"
    #: Start, steps onward and steps back.
    walk: ClassVar[Walk]

    size: int | None = whole(None, low=0, optional=True)
    patience: int | None = whole(5, low=1, optional=True)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """Yield one batch per step: all features that can be added, or all that can be removed."""
        check_size(space, self.size)
        start, onward, backward = self.walk
        state = _Float(space, better, onward, backward, self.size)
        state.arrive(0, (yield from first_step(start(space))))
        stale = yield from state.float_on(self.patience)
        if state.turned and (yield from state.greedy()):
            yield from state.back()
            stale = yield from state.float_on(self.patience)
        if self.size is not None:
            answer = state.of_size(self.size).candidate
            return Verdict(f"{self.size} features reached", answer=answer)
        yield from feasible_end(space, state.top() or state.here, rng)
        if stale:
            return Verdict(f"no improvement in the last {stale} steps")
        return Verdict("no further step is allowed")


@dataclass
class SFFS(Floating):
    """Add the best feature, then remove features for as long as that beats what was known.

    Notes
    -----
    Pudil, Novovičová and Kittler (1994). For each size the best subset so far is kept; a removal
    is made only where it beats the best of that size, and an addition that does not reach the
    best known of its size goes on from that one. A fixed size is passed by two features so that
    removals can lead back to it. Beyond the paper: a removal can lead to a subset from which the
    way on is worse, so at the end the plain walk of :class:`~fewest.search.SFS` is looked at too,
    and where it knows better the search floats on from there; it never ends below SFS.

    Examples
    --------
    >>> from fewest.search import SFFS, Subsets
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> values = {(0,): 0.7, (0, 1): 0.72, (0, 1, 2): 0.8, (1, 2): 0.9}
    >>> scorer = TableMeasure(values, default=0.5).bind(toy_table(n_features=4))
    >>> drive(SFFS(), Subsets(4), scorer).answer
    array([False,  True,  True, False])
    """

    name: ClassVar[str] = "sffs"
    walk: ClassVar[Walk] = (lowest, up, down)


@dataclass
class SBFS(Floating):
    """Remove the worst feature, then add features for as long as that beats what was known.

    Notes
    -----
    Pudil, Novovičová and Kittler (1994): the mirror image of :class:`~fewest.search.SFFS`.

    Examples
    --------
    >>> from fewest.search import SBFS, Subsets
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> values = {(0, 1, 2): 0.6, (1, 2): 0.7, (2,): 0.6, (0, 2): 0.9}
    >>> scorer = TableMeasure(values, default=0.5).bind(toy_table(n_features=3))
    >>> drive(SBFS(), Subsets(3), scorer).answer
    array([ True, False,  True])
    """

    name: ClassVar[str] = "sbfs"
    walk: ClassVar[Walk] = (highest, down, up)
