"""PC: a graph from tests of conditional independence."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from ..kernels.independence import G_SQUARED, PEARSON, skeleton
from .algorithm_b import LARGEST_TABLE
from .base import as_rows
from .graph import Graph


def learn_pc(
    rows: NDArray[Any],
    cardinalities: NDArray[Any],
    significance: float = 0.05,
    test: str = "g2",
    max_given: int = 3,
) -> Graph:
    """A graph of the dependences that no conditioning set explains away.

    Parameters
    ----------
    significance : float
        Independence is kept unless it is rejected at this level.
    test : "g2" or "chi2"
    max_given : int
        The largest conditioning set.

    Notes
    -----
    Spirtes et al. (1991); Inza (2002, section 3.3.3.1), in the order-independent form. After
    the colliders, arcs follow Meek's rules; an edge that stays undirected points to the larger
    variable unless that would close a cycle. Tests contradict each other on few rows: then the
    first orientation stands, and a graph without cycles comes out in any case.

    Examples
    --------
    >>> import numpy as np
    >>> a, b, noise = np.random.default_rng(0).integers(0, 2, (3, 200))
    >>> learn_pc(np.stack([a, b, (a & b) | (noise & (a | b))], axis=1), np.full(3, 2)).arcs
    [(0, 2), (1, 2)]
    """
    data, cards = as_rows(rows, cardinalities)
    d = len(cards)
    most = max(0, min(max_given, d - 2))
    largest = int((cards.max(initial=1) - 1) ** 2 * min(cards.max(initial=1) ** most, len(data)))
    critical = chi2.isf(significance, np.maximum(np.arange(largest + 1), 1))
    kind = {"g2": G_SQUARED, "chi2": PEARSON}[test]
    edges, separators, number = skeleton(data, cards, critical, kind, most)
    return _Orientation(edges, cards).graph(separators, number)


class _Orientation:
    """A partly directed graph on its way to a directed one; it never holds a directed cycle."""

    def __init__(self, edges: NDArray[np.bool_], cards: NDArray[np.int64]) -> None:
        self.open = edges.copy()
        self.near = edges
        self.cards = cards
        self.arcs = np.zeros_like(edges)
        self.above = np.zeros_like(edges)

    def graph(self, separators: NDArray[np.int64], number: NDArray[np.int64]) -> Graph:
        """All edges directed: colliders, then Meek's rules, then the rest one by one."""
        self._colliders(separators, number)
        while True:
            while self._meek():
                pass
            left = np.argwhere(np.triu(self.open))
            if len(left) == 0:
                break
            i, j = left[0].tolist()
            self.point(i, j)
            self.point(j, i)  # where i -> j was refused
            self.open[i, j] = self.open[j, i] = False
        return Graph(tuple(tuple(np.flatnonzero(p).tolist()) for p in self.arcs.T))

    def point(self, i: int, j: int) -> bool:
        """Direct an open edge i -> j unless that closes a cycle or makes too large a table."""
        cells = self.cards[j] * np.prod(self.cards[self.arcs[:, j]].astype(np.float64))
        if not self.open[i, j] or self.above[i, j] or cells * self.cards[i] > LARGEST_TABLE:
            return False
        self.open[i, j] = self.open[j, i] = False
        self.arcs[i, j] = True
        # Row k of ``above`` holds the ancestors of k.
        new = self.above[i].copy()
        new[i] = True
        below = self.above[:, j].copy()
        below[j] = True
        self.above[below] |= new
        return True

    def _colliders(self, separators: NDArray[np.int64], number: NDArray[np.int64]) -> None:
        for k in range(len(self.cards)):
            for i, j in combinations(np.flatnonzero(self.near[:, k]).tolist(), 2):
                given = separators[i, j, : max(number[i, j], 0)]
                if not self.near[i, j] and k not in given:
                    self.point(i, k)
                    self.point(j, k)

    def _meek(self) -> bool:
        """Direct one edge by a rule that forbids new colliders or cycles; False where none can."""
        for i, j in np.argwhere(self.open).tolist():
            into_i = self.arcs[:, i]
            chain = (into_i & ~self.near[:, j] & (np.arange(len(into_i)) != j)).any()
            cycle = self.above[j, i]
            kite = self._kite(i, j)
            if (chain or cycle or kite) and self.point(i, j):
                return True
        return False

    def _kite(self, i: int, j: int) -> bool:
        """Two neighbours of i that are not joined and both point to j."""
        both = np.flatnonzero(self.open[i] & self.arcs[:, j]).tolist()
        return any(not self.near[a, b] for a, b in combinations(both, 2))
