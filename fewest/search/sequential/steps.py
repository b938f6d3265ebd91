"""One step from a candidate: its neighbours, which of them are allowed, and the best one."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...measures.base import Candidates, Scores
from ...measures.steps import Steps
from ..better import Better
from ..spaces.base import Space

#: Neighbours are proposed in batches of about so many bytes, however many features there are.
BLOCK_BYTES = 2**25
#: Neighbours of candidates with more units than this are not written out.
LAZY_FROM = 256


@dataclass(frozen=True, eq=False)
class Step:
    """One candidate and its value."""

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
        """The neighbours in batches."""
        for _, block in self.blocks(candidate):
            yield block

    def blocks(self, candidate: Candidates) -> Iterator[tuple[slice, Candidates]]:
        """The neighbours, in batches that fit in memory; the slice says which moves they are.

        Where there are many wide ones they are steps, which are not written out.
        """
        if len(candidate) > LAZY_FROM:
            steps: Any = Steps(candidate, self.units, self.levels)
            yield slice(0, len(self)), steps
            return
        rows = max(1, BLOCK_BYTES // max(1, candidate.nbytes))
        for first in range(0, len(self), rows):
            part = slice(first, min(first + rows, len(self)))
            yield part, self.take(part).apply(candidate)

    def take(self, part: slice | NDArray[np.intp] | NDArray[np.bool_]) -> Moves:
        """These moves only."""
        return Moves(self.units[part], self.levels[part])

    def apply(self, candidate: Candidates) -> Candidates:
        """One row a move."""
        rows = np.repeat(candidate[None, :], len(self), axis=0)
        rows[np.arange(len(self)), self.units] = self.levels
        return rows


def lowest(space: Space) -> Candidates:
    """The candidate with nothing in."""
    return np.zeros(space.n_units, dtype=bool if space.kind == "subsets" else np.uint8)


def highest(space: Space) -> Candidates:
    """The candidate with everything in, at the highest value."""
    return (space.cardinalities - 1).astype(lowest(space).dtype)


def middle(space: Space) -> Candidates:
    """The candidate with every unit at its middle value: ½ of the weights 0, ½ and 1."""
    return (space.cardinalities // 2).astype(lowest(space).dtype)


def up(space: Space, candidate: Candidates) -> Moves:
    """Every unit one value higher: for subsets, every unit that is out is added."""
    units = np.flatnonzero(candidate < space.cardinalities - 1)
    return Moves(units, candidate[units].astype(np.int64) + 1)


def down(space: Space, candidate: Candidates) -> Moves:
    """Every unit one value lower: for subsets, every unit that is in is removed."""
    units = np.flatnonzero(candidate)
    return Moves(units, candidate[units].astype(np.int64) - 1)


def around(space: Space, candidate: Candidates) -> Moves:
    """All changes of one unit by one value."""
    both = up(space, candidate), down(space, candidate)
    return Moves(np.concatenate([m.units for m in both]), np.concatenate([m.levels for m in both]))


def allowed(space: Space, candidate: Candidates, neighbours: Candidates) -> NDArray[np.bool_]:
    """Which neighbours do not break a constraint that the candidate keeps.

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
