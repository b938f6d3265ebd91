"""Best-first search."""

from __future__ import annotations

import heapq
import math
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .._parameters import flag, number, one_of, whole
from ..measures._measure import Candidates, Scores
from ._better import Better
from ._search import Proposals, Search, Verdict
from ._sequential import (
    Moves,
    Step,
    allowed,
    around,
    down,
    feasible_end,
    first_step,
    highest,
    lowest,
    middle,
    up,
    walk_into_feasible,
)
from ._spaces.space import Space


@dataclass
class BestFirst(Search):
    """Expand the best subset not yet expanded, until several expansions in a row find no better.

    Parameters
    ----------
    patience : int
        How many expansions in a row without an improvement end the search.
    least_gain : float
        What counts as an improvement: a value that is higher by more than this.
    direction : "forward", "backward" or "middle"
        Start with nothing, with everything, or, for weights, with the middle weight for all.
    against : "best" or "parent"
        Whether an expansion must improve on the best so far, or only on the candidate that was
        expanded.
    compound : bool
        After each expansion also try the best changes together: the best two, the best three,
        ... for as long as the value improves.

    Notes
    -----
    Kohavi and John (1997), sections 3.2 and 4.2: a neighbour differs in one feature, added or
    removed; 5 expansions without improvement end it. Section 4.3 adds the compound operators; the
    wrapper of MLC++, used by Hsu (2004), section 5, is
    ``BestFirst(compound=True, least_gain=0.001, patience=5)`` over five folds.

    Examples
    --------
    >>> from fewest.search import BestFirst, Subsets
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> values = {(): 0.5, (0,): 0.4, (0, 1): 0.4, (0, 1, 2): 1.0}
    >>> scorer = TableMeasure(values, default=0.3).bind(toy_table(n_features=3))
    >>> drive(BestFirst(), Subsets(3), scorer).best_value
    1.0
    """

    name: ClassVar[str] = "best-first"
    source: ClassVar[str] = "Kohavi and John (1997), sections 3.2 and 4.3; Hsu (2004), section 5"
    spaces: ClassVar[tuple[str, ...]] = ("subsets", "levels")

    patience: int = whole(5, low=1)
    least_gain: float = number(0.0, low=0.0)
    direction: str = one_of("forward", "backward", "middle")
    compound: bool = flag(False)
    against: str = one_of("best", "parent")

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """Yield one batch per expansion: the neighbours that were not scored before."""
        start, step = {
            "forward": (lowest, up), "backward": (highest, down), "middle": (middle, down)
        }[self.direction]  # fmt: skip
        best = yield from walk_into_feasible(space, better, start(space), step)
        yield from feasible_end(space, best, rng)
        frontier = _Frontier(space, better)
        frontier.add(best)
        stale = 0
        while frontier.open and stale < self.patience:
            parent = -frontier.open[0][0]
            found = yield from frontier.expand(self.compound)
            bar = best.value if self.against == "best" else parent
            gained = found is not None and better.improves(found.value, bar + self.least_gain)
            stale = 0 if gained else stale + 1
            if found is not None and better.improves(found.value, best.value):
                best = found
        if frontier.open:
            return Verdict(f"no improvement in {stale} expansions")
        return Verdict("every subset within reach was scored")


@dataclass
class _Frontier:
    """Scored candidates that were not expanded yet, the best first.

    An entry is its rank (value, cost, key) and how it came about: the expanded candidate that it
    is a neighbour of, and the change; so a frontier of many wide candidates stays small.
    """

    space: Space
    better: Better
    open: list[tuple[float, float, bytes, int, int, int]] = field(default_factory=list)
    expanded: list[Candidates] = field(default_factory=list)
    seen: set[bytes] = field(default_factory=set)

    def add(self, step: Step) -> None:
        """Add a candidate that is no neighbour of an expanded one."""
        self.expanded.append(step.candidate)
        key = self.space.keys(step.candidate[None])[0]
        cost = float(self.space.cost(step.candidate[None])[0])
        self.seen.add(key)
        at = len(self.expanded) - 1
        heapq.heappush(self.open, (-_rank(step.value), cost, key, at, -1, 0))

    def expand(self, compound: bool) -> Generator[Candidates, Scores, Step | None]:
        """Score the new neighbours of the best candidate; return the best of them."""
        at = self._pop()
        here = self.expanded[at]
        moves = around(self.space, here)
        best, ranked = None, []
        for part, block in moves.blocks(here):
            new = self._new(here, block)
            if not new.any():
                continue
            block, done = block[new], moves.take(part).take(new)
            value = (yield block).value
            self._push(at, block, value, done)
            ranked += list(zip(-_ranks(value), done.units, done.levels, strict=True))
            best = _better_of(self.better, best, block, value)
        if compound and best is not None:
            best = yield from self._compound(here, best, sorted(ranked))
        return best

    def _pop(self) -> int:
        """Return the position of the candidate that is expanded now."""
        *_, at, unit, level = heapq.heappop(self.open)
        if unit < 0:
            return at
        candidate = self.expanded[at].copy()
        candidate[unit] = level
        self.expanded.append(candidate)
        return len(self.expanded) - 1

    def _new(self, here: Candidates, block: Candidates) -> NDArray[np.bool_]:
        unseen = [key not in self.seen for key in self.space.keys(block)]
        return np.array(unseen, dtype=bool) & allowed(self.space, here, block)

    def _push(self, at: int, block: Candidates, value: NDArray[np.float64], moves: Moves) -> None:
        keys = self.space.keys(block)
        self.seen.update(keys)
        rows = zip(
            (-_ranks(value)).tolist(), self.space.cost(block).tolist(), keys,
            moves.units.tolist(), moves.levels.tolist(), strict=True,
        )  # fmt: skip
        for rank, cost, key, unit, level in rows:
            heapq.heappush(self.open, (rank, cost, key, at, unit, level))

    def _compound(
        self, here: Candidates, best: Step, ranked: list[tuple[float, int, int]]
    ) -> Generator[Candidates, Scores, Step]:
        """Yield the best changes together, one more at a time, while the value improves."""
        candidate = here.copy()
        for count, (_, unit, level) in enumerate(ranked):
            candidate = candidate.copy()
            candidate[unit] = level
            if count == 0 or not self._new(here, candidate[None])[0]:
                continue
            step = yield from first_step(candidate)
            if not self.better.improves(step.value, best.value):
                break
            best = step
            self.add(step)
        return best


def _ranks(value: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.isnan(value), -np.inf, np.round(value, 12))


def _rank(value: float) -> float:
    return -math.inf if math.isnan(value) else round(value, 12)


def _better_of(
    better: Better, best: Step | None, block: Candidates, value: NDArray[np.float64]
) -> Step:
    row = better.best(block, value)
    if best is not None and not better.improves(float(value[row]), best.value):
        return best
    return Step(block[row].copy(), float(value[row]))
