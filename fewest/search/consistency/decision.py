"""Whether a few units hit every cut: one decision, split over threads, always the same answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...kernels.subsets.hitting_set import hitting_sets
from ...measures.consistency.first_part import Flag, first_answer

#: Costs closer than this are the same.
CLOSE = 1e-9
#: Columns to choose from which splitting over threads pays.
SPLIT_FROM = 6
#: So many parts are enough for the threads to end at about the same time.
PARTS = 40
#: More nodes than any search visits.
UNLIMITED = 1 << 62


@dataclass(frozen=True, eq=False)
class Prices:
    """What each unit costs and how many features it brings; the most of each."""

    costs: NDArray[np.float64]
    sizes: NDArray[np.float64]
    size_limit: float

    @property
    def cheapest(self) -> float:
        """The smallest cost of a unit, but never 0."""
        positive = self.costs[self.costs > 0]
        return float(positive.min()) if len(positive) else 1.0

    def of(self, units: NDArray[np.bool_]) -> float:
        """What these units cost together."""
        return float(self.costs[units].sum())


def sets_of(words: NDArray[np.uint64], n_units: int) -> NDArray[np.bool_]:
    """Words as rows of booleans."""
    shifts = np.arange(n_units, dtype=np.uint64)
    return ((words[:, None] >> shifts) & np.uint64(1)).astype(bool)


@dataclass
class Decision:
    """Whether units within ``limit`` hit every mask; at most ``most`` ways to do so.

    The threads share the parts of the tree. The answer is that of the first part, in a fixed
    order, that has one: it does not depend on which thread was faster.
    """

    words: NDArray[np.uint64]
    prices: Prices
    limit: float
    most: int = 1
    node_limit: int = UNLIMITED
    threads: int = 2

    def __call__(self, flag: Flag) -> NDArray[np.bool_] | None:
        """The sets found, none if there are none; None if it was stopped or gave up."""
        depth = (self.limit + CLOSE) / self.prices.cheapest
        if depth < SPLIT_FROM or self.node_limit < UNLIMITED or self.most > 1:
            found = self._part(0, 0, flag)
            return None if found is None else sets_of(found, len(self.prices.costs))
        return self._together(self._parts(), flag)

    def _part(self, chosen: int, forbidden: int, flag: Flag) -> NDArray[np.uint64] | None:
        inside = sets_of(np.array([chosen], dtype=np.uint64), len(self.prices.costs))[0]
        found = np.zeros(self.most, dtype=np.uint64)
        n_found = hitting_sets(
            self.words,
            self.prices.costs,
            self.prices.sizes,
            np.uint64(chosen),
            np.uint64(forbidden),
            self.limit - self.prices.of(inside) + CLOSE,
            self.prices.size_limit - float(self.prices.sizes[inside].sum()) + CLOSE,
            self.prices.cheapest,
            flag,
            np.array([0, self.node_limit], dtype=np.int64),
            found,
        )
        return None if n_found < 0 else found[:n_found]

    def _parts(self) -> list[tuple[int, int]]:
        """The nodes of a level with enough of them: what is chosen, what is forbidden."""
        parts, above = [(0, 0)], None
        while len(parts) < PARTS and parts != above:
            above = parts
            parts = [child for part in parts for child in self._children(*part)]
        return parts

    def _children(self, chosen: int, forbidden: int) -> list[tuple[int, int]]:
        open_ = self.words[(self.words & np.uint64(chosen)) == 0]
        if len(open_) == 0:
            return [(chosen, forbidden)]
        left = open_[:1024] & ~np.uint64(forbidden)
        branch = int(left[np.bitwise_count(left).argmin()])
        units = [u for u in range(len(self.prices.costs)) if branch >> u & 1]
        covered = sets_of(open_[:4096], len(self.prices.costs)).sum(axis=0)
        children = []
        for unit in sorted(units, key=lambda u: (-covered[u], u)):
            children.append((chosen | 1 << unit, forbidden))
            forbidden |= 1 << unit
        return children

    def _together(self, parts: list[tuple[int, int]], flag: Flag) -> NDArray[np.bool_] | None:
        def look(part: int, flag: Flag) -> tuple[NDArray[np.uint64] | None, bool]:
            found = self._part(*parts[part], flag)
            return (None if found is None or not len(found) else found), found is not None

        found, complete = first_answer(look, len(parts), self.threads, flag)
        if found is None and not complete:
            return None
        words = np.zeros(0, dtype=np.uint64) if found is None else found
        return sets_of(words, len(self.prices.costs))
