"""The greedy walk of the sequential searches: the best step, again and again."""

from __future__ import annotations

from collections.abc import Callable, Generator

import numpy as np

from ...errors import InputError
from ...measures.base import Candidates, Scores
from ..base import Proposals, Verdict
from ..better import Better
from ..spaces.base import Space
from .steps import Moves, Step, best_step, first_step, highest, lowest

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
    """The best steps in one direction until the sizes and the budget are kept."""
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
    """Where a walk ends between the constraints, propose the subset nearest to its end.

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
    """The moves that do not jump over the size (a group brings several features)."""
    moves = direction(space, current.candidate)
    keep = [sign * (space.size(b) - size) <= 0 for b in moves.neighbours(current.candidate)]
    return moves.take(np.concatenate(keep)) if keep else moves
