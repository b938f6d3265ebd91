"""Floating search: steps one way, and steps back for as long as they pay."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from .._errors import InputError
from .._parameters import whole
from ..measures._measure import Candidates, Scores
from ._better import Better
from ._search import Proposals, Search, Verdict
from ._sequential import (
    Direction,
    Step,
    best_step,
    check_size,
    down,
    feasible_end,
    first_step,
    highest,
    lowest,
    up,
)
from ._spaces.space import Space


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


@dataclass
class SFFS(Search):
    """Add the best feature, then remove features for as long as that beats what was known.

    Parameters
    ----------
    size : int or None
        Answer with the best subset of so many features, whatever the value.
    patience : int or None
        End after so many added features without a better subset; None goes on to all of them.

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
    source: ClassVar[str] = "Pudil, Novovičová and Kittler (1994)"

    size: int | None = whole(None, low=0, optional=True)
    patience: int | None = whole(5, low=1, optional=True)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """One batch a step: all features that can be added, or all that can be removed."""
        return (
            yield from float_on(
                space, better, rng, lowest(space), up, down, self.size, self.patience
            )
        )


@dataclass
class SBFS(Search):
    """Remove the worst feature, then add features for as long as that beats what was known.

    Parameters
    ----------
    size : int or None
        Answer with the best subset of so many features, whatever the value.
    patience : int or None
        End after so many removed features without a better subset; None goes on to none.

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
    source: ClassVar[str] = "Pudil, Novovičová and Kittler (1994)"

    size: int | None = whole(None, low=0, optional=True)
    patience: int | None = whole(5, low=1, optional=True)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """One batch a step: all features that can be removed, or all that can be added."""
        return (
            yield from float_on(
                space, better, rng, highest(space), down, up, self.size, self.patience
            )
        )
