"""Floating search: steps one way, and steps back for as long as they pay."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field

import numpy as np

from ...errors import InputError
from ...measures.base import Candidates, Scores
from ..base import Proposals, Verdict
from ..better import Better
from ..spaces.base import Space
from .steps import Step, best_step, first_step
from .walks import Direction, check_size, feasible_end


@dataclass
class _Float:
    """The best candidate of each height; the height is the number of steps from the start.

    ``best`` only ever improves, and a step back is taken only where it improves: that is why
    the search ends.
    """

    space: Space
    better: Better
    best: dict[int, Step] = field(default_factory=dict)
    height: int = 0
    turned: bool = False

    def reach(self, height: int, step: Step) -> bool:
        """Go to a height with a candidate, or with a better one known there; tell if it is new."""
        known = self.best.get(height)
        self.height = height
        new = known is None or self.better.improves(step.value, known.value)
        if new:
            self.best[height] = step
        return new

    @property
    def here(self) -> Step:
        return self.best[self.height]

    def back(self, direction: Direction) -> Generator[Candidates, Scores, None]:
        """Steps back while each is better than the best known at its height."""
        while self.height > 1:
            candidate = self.here.candidate
            moves = direction(self.space, candidate)
            step = yield from best_step(self.space, self.better, candidate, moves)
            known = self.best[self.height - 1]
            if step is None or not self.better.improves(step.value, known.value):
                return
            self.turned = True
            self.reach(self.height - 1, step)

    def greedy(self, onward: Direction, size: int | None) -> Generator[Candidates, Scores, bool]:
        """The walk without steps back; go where it knows better, and tell if it does.

        A step back can lead to a better subset from which the way on is worse.
        """
        current, height, gained = self.best[0], 0, 0
        while not _reached(self.space, self.best[0].candidate, current.candidate, size):
            moves = onward(self.space, current.candidate)
            step = yield from best_step(self.space, self.better, current.candidate, moves)
            worse = step is None or self.better.improves(current.value, step.value)
            stop = size is None and self.space.feasible(current.candidate[None])[0]
            if step is None or (worse and stop):
                break
            current, height = step, height + 1
            if self.reach(height, step):
                gained = height
        self.height = gained or max(self.best)
        return gained > 0

    def top(self) -> Step | None:
        """The best feasible candidate of any height."""
        steps = [s for s in self.best.values() if self.space.feasible(s.candidate[None])[0]]
        if not steps:
            return None
        value = np.array([s.value for s in steps])
        return steps[self.better.best(np.stack([s.candidate for s in steps]), value)]

    def of_size(self, size: int) -> Step:
        """The best candidate with so many features."""
        steps = [s for s in self.best.values() if self.space.size(s.candidate[None])[0] == size]
        if not steps:
            raise InputError(
                f"`size` cannot be {size} here: with these `groups`, `max_features` and `budget` "
                "no step leads to so many features."
            )
        return max(steps, key=lambda s: s.value)


def float_on(
    space: Space,
    better: Better,
    rng: np.random.Generator,
    start: Candidates,
    onward: Direction,
    backward: Direction,
    size: int | None,
    patience: int | None,
) -> Proposals:
    """Float from ``start``; see :class:`SFFS` for the rules."""
    check_size(space, size)
    state = _Float(space, better)
    state.reach(0, (yield from first_step(start)))
    stale = yield from _float(state, start, onward, backward, size, patience)
    if state.turned and (yield from state.greedy(onward, size)):
        yield from state.back(backward)
        stale = yield from _float(state, start, onward, backward, size, patience)
    return (yield from _end(state, rng, size, stale))


def _float(
    state: _Float,
    start: Candidates,
    onward: Direction,
    backward: Direction,
    size: int | None,
    patience: int | None,
) -> Generator[Candidates, Scores, int]:
    """Steps onward, each followed by steps back; how many of the last ones brought nothing."""
    space, better = state.space, state.better
    stale = 0
    while patience is None or stale < patience or size is not None:
        before = state.top()
        moves = onward(space, state.here.candidate)
        step = yield from best_step(space, better, state.here.candidate, moves)
        if step is None:
            break
        if state.reach(state.height + 1, step):
            yield from state.back(backward)
        found = state.top()
        grown = before is None or (found and better.improves(found.value, before.value))
        stale = 0 if grown else stale + 1
        if _reached(space, start, state.here.candidate, size, 3):
            break
    return stale


def _reached(
    space: Space, start: Candidates, here: Candidates, size: int | None, beyond: int = 0
) -> bool:
    """Whether the walk is at the wanted size, or so many features beyond it."""
    if size is None:
        return False
    first, now = space.size(np.stack([start, here]))
    return bool(now >= size + beyond if first <= size else now <= size - beyond)


def _end(state: _Float, rng: np.random.Generator, size: int | None, stale: int) -> Proposals:
    if size is not None:
        return Verdict(f"{size} features reached", answer=state.of_size(size).candidate)
    yield from feasible_end(state.space, state.top() or state.here, rng)
    if stale:
        return Verdict(f"no improvement in the last {stale} steps")
    return Verdict("no further step is allowed")
