"""Floating search: steps one way, and steps back for as long as they pay."""

from __future__ import annotations

from collections.abc import Callable, Generator
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
