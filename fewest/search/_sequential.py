"""Sequential forward selection and backward elimination: the best step, again and again."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
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
