"""The cheapest set that hits all cuts known so far: branch and bound and CP-SAT, in turns."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...measures.consistency.cuts import pack
from .background import Desk
from .cp_sat import by_cp_sat, installed, whole_costs
from .decision import CLOSE, UNLIMITED, Decision, Prices

Mask = NDArray[np.bool_]
#: A word holds so many units; for more, CP-SAT is needed.
WORD = 64


@dataclass
class HittingSets:
    """Keeps the cuts and what is proven of every set that hits them.

    ``lower`` only rises: a cost below it is excluded, also for all cuts to come. ``hard`` is
    set when neither a short branch and bound nor a short CP-SAT was enough; it is then better
    to ask the measure for all its cuts before the long search begins. ``notice`` is called with
    the new ``lower`` while a search goes on.
    """

    prices: Prices
    desk: Desk
    threads: int = 2
    notice: Callable[[float], None] = field(default=lambda lower: None)
    nodes: int = 100_000
    effort: float = 5.0
    lower: float = 0.0
    hard: bool = False
    masks: Mask = field(init=False)
    words: NDArray[np.uint64] = field(init=False)

    def __post_init__(self) -> None:
        self.masks = np.zeros((0, self.n_units), dtype=bool)
        self.words = np.zeros(0, dtype=np.uint64)
        if self.n_units > WORD and not installed():
            raise InputError(
                f"The search `exact` over {self.n_units} units (more than 64) needs OR-Tools: "
                'install the extra with `pip install "fewest[exact]"`, or use search="qbb".'
            )

    @property
    def n_units(self) -> int:
        """Number of units to choose from."""
        return len(self.prices.costs)

    def add(self, masks: Mask) -> None:
        """Take in cuts."""
        joined = np.vstack([self.masks, masks])
        words = pack(joined)
        columns = words[:, 0] if words.shape[1] == 1 else words
        _, first = np.unique(columns, axis=0, return_index=True)
        first = first[np.argsort(joined[first].sum(axis=1), kind="stable")]
        self.masks, self.words = joined[first], words[first, :1].ravel()

    def within(self, limit: float, nodes: int) -> Mask | None:
        """Some set within ``limit`` that a short search finds, or None."""
        if self.n_units > WORD:
            return None
        found = self._decide(limit, nodes)
        return found[0] if found is not None and len(found) else None

    def every(self, limit: float, most: int) -> Mask:
        """All minimal sets within ``limit``, at most ``most``."""
        if self.n_units <= WORD:
            found = self._decide(limit, most=most)
            assert found is not None
            return found
        sets: list[Mask] = []
        while len(sets) < most:
            chosen, _, _ = by_cp_sat(self.masks, self.prices, self.desk.flag, None, tuple(sets))
            self.desk.check()
            if chosen is None or self.prices.of(chosen) > limit + CLOSE:
                break
            sets.append(chosen)
        return np.array(sets, dtype=bool).reshape(-1, self.n_units)

    def cheapest(self, upper: float) -> Mask | None:
        """A cheapest set that costs less than ``upper``, or None if there is none.

        Sets ``lower`` on the way. Gives up with ``hard`` when it was not set before.
        """
        if self.n_units <= WORD:
            done, chosen = self._climb(upper, UNLIMITED if self.hard else self.nodes)
            if done:
                return chosen
        if self.n_units > WORD or (installed() and not self.hard):
            done, chosen = self._cp_sat(upper)
            if done:
                return chosen
        self.hard = True
        return None

    def _decide(self, limit: float, nodes: int = UNLIMITED, most: int = 1) -> Mask | None:
        decision = Decision(self.words, self.prices, limit, most, nodes, self.threads)
        found = decision(self.desk.flag)
        self.desk.check()
        return found

    def _climb(self, upper: float, nodes: int) -> tuple[bool, Mask | None]:
        """Raise the limit step by step where costs have few levels, else lower it from above."""
        step = self._step()
        if step is None or (upper - self.lower) / step > 1000:
            return self._descend(upper, nodes)
        while self.lower < upper - CLOSE:
            found = self._decide(self.lower, nodes)
            if found is None:
                return False, None
            if len(found):
                return True, found[0]
            self.lower += step
            self.notice(self.lower)
        return True, None

    def _step(self) -> float | None:
        costs = whole_costs(self.prices.costs)
        if costs is None:
            return None
        ratio = float(self.prices.costs.max()) / max(1, int(costs.max()))
        return ratio * math.gcd(*costs.tolist())

    def _descend(self, upper: float, nodes: int) -> tuple[bool, Mask | None]:
        best: Mask | None = None
        while True:
            found = self._decide(upper - 2 * CLOSE, nodes)
            if found is None:
                return False, best
            if len(found) == 0:
                self.lower = max(self.lower, upper)
                return True, best
            best = found[0]
            upper = self.prices.of(best)

    def _cp_sat(self, upper: float) -> tuple[bool, Mask | None]:
        effort = None if self.n_units > WORD else self.effort
        chosen, bound, proven = by_cp_sat(self.masks, self.prices, self.desk.flag, effort)
        self.desk.check()
        self.lower = max(self.lower, min(bound - CLOSE, upper)) if bound > 0 else self.lower
        step = self._step()
        if step is not None:
            self.lower = math.ceil(self.lower / step - 1e-6) * step
        if not proven:
            return False, None
        if chosen is None or self.prices.of(chosen) >= upper - CLOSE:
            self.lower = max(self.lower, upper)
            return True, None
        return True, chosen
