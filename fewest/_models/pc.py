"""PC: a graph from tests of conditional independence."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._kernels.networks.independence import G_SQUARED, PEARSON, skeleton
from .discrete import as_rows
from .family_scores import LARGEST_TABLE
from .graph import Graph
from .tree_models import critical_values


def learn_pc(
    rows: NDArray[Any],
    cardinalities: NDArray[Any],
    significance: float = 0.05,
    test: str = "g2",
    max_given: int = 3,
) -> Graph:
    """Learn a graph of the dependences that no conditioning set explains away.

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
    critical = critical_values(significance, largest)
    kind = {"g2": G_SQUARED, "chi2": PEARSON}[test]
    edges, separators, number = skeleton(data, cards, critical, kind, most)
    return _Orientation(edges, cards).graph(separators, number)


class _Orientation:
    """Partly directed graph on its way to a directed one; it never holds a directed cycle.

    Sets of variables are the bits of whole numbers: ``near`` and ``open`` the neighbours of each
    and those of them not directed yet, ``into`` the parents, ``above`` the ancestors.
    """

    def __init__(self, edges: NDArray[np.bool_], cards: NDArray[np.int64]) -> None:
        packed = np.packbits(edges, axis=1, bitorder="little")
        self.near = [int.from_bytes(row.tobytes(), "little") for row in packed]
        self.open = list(self.near)
        self.into = [0] * len(edges)
        self.above = [0] * len(edges)
        self.cards = cards.tolist()
        self.cells = [float(r) for r in self.cards]

    def graph(self, separators: NDArray[np.int64], number: NDArray[np.int64]) -> Graph:
        """Direct all edges: colliders, then Meek's rules, then the rest one by one."""
        self._colliders(separators, number)
        while True:
            while self._meek():
                pass
            left = next((i for i, others in enumerate(self.open) if others), None)
            if left is None:
                return Graph(tuple(_members(parents) for parents in self.into))
            i, j = left, _members(self.open[left])[0]
            # Where i -> j is refused and j -> i as well, the edge goes.
            if not self.point(i, j) and not self.point(j, i):
                self._close(i, j)

    def _close(self, i: int, j: int) -> None:
        self.open[i] &= ~(1 << j)
        self.open[j] &= ~(1 << i)

    def point(self, i: int, j: int) -> bool:
        """Direct an open edge i -> j unless that closes a cycle or makes too large a table."""
        cells = self.cells[j] * self.cards[i]
        if not self.open[i] >> j & 1 or self.above[i] >> j & 1 or cells > LARGEST_TABLE:
            return False
        self._close(i, j)
        self.cells[j] = cells
        self.into[j] |= 1 << i
        new = self.above[i] | 1 << i
        for k, above in enumerate(self.above):
            if k == j or above >> j & 1:
                self.above[k] = above | new
        return True

    def _colliders(self, separators: NDArray[np.int64], number: NDArray[np.int64]) -> None:
        how_many = number.tolist()
        for k, near in enumerate(self.near):
            for i, j in combinations(_members(near), 2):
                if self.near[i] >> j & 1:
                    continue
                if k not in separators[i, j].tolist()[: max(how_many[i][j], 0)]:
                    self.point(i, k)
                    self.point(j, k)

    def _meek(self) -> bool:
        """Direct one edge by a rule that forbids new colliders or cycles; False where none can."""
        for i, others in enumerate(self.open):
            for j in _members(others):
                chain = self.into[i] & ~self.near[j] & ~(1 << j)
                cycle = self.above[j] >> i & 1
                if (chain or cycle or self._kite(i, j)) and self.point(i, j):
                    return True
        return False

    def _kite(self, i: int, j: int) -> bool:
        """Find two neighbours of i that are not joined and both point to j."""
        both = self.open[i] & self.into[j]
        # At least two of them.
        return bool(both & (both - 1)) and any(
            not self.near[a] >> b & 1 for a, b in combinations(_members(both), 2)
        )


def _members(bits: int) -> tuple[int, ...]:
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return tuple(found)
