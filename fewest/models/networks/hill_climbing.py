"""Hill climbing over graphs: add, delete or reverse the arc that helps most."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.counting.bitplanes import pack_planes
from ...kernels.networks.algorithm_b import LEAST
from ...kernels.networks.family import family_score, parent_gains
from ..base import as_rows
from .algorithm_b import LARGEST_TABLE
from .graph import Graph
from .scores import Score


def learn_by_climbing(
    rows: NDArray[Any],
    cardinalities: NDArray[Any],
    score: Score | str = "bic",
    max_parents: int | None = None,
    start: Graph | None = None,
) -> Graph:
    """The graph that no single arc added, deleted or reversed would improve.

    Notes
    -----
    From ``start``, by default the empty graph; the change that helps most at every step (Inza,
    2002, section 3.3.3.2, with reversal beside addition and deletion).

    Examples
    --------
    >>> import numpy as np
    >>> a, b = np.random.default_rng(0).integers(0, 2, (2, 100))
    >>> rows = np.stack([a, b, a], axis=1)
    >>> full = Graph(((), (0,), (0, 1)))
    >>> learn_by_climbing(rows, np.full(3, 2), start=full).arcs
    [(0, 2)]
    """
    data, cards = as_rows(rows, cardinalities)
    chosen = Score(score) if isinstance(score, str) else score
    first = Graph.empty(len(cards)) if start is None else start
    most = len(cards) if max_parents is None else max_parents
    climb = _Climb(data, cards, chosen, most, [list(p) for p in first.parents])
    while climb.step():
        pass
    return Graph(tuple(tuple(p) for p in climb.parents))


@dataclass
class _Climb:
    """Where the climb stands: the parents, and what each change of a family would bring."""

    rows: NDArray[np.uint8]
    cards: NDArray[np.int64]
    score: Score
    most: int
    parents: list[list[int]]
    add: NDArray[np.float64] = field(init=False)
    delete: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        d = len(self.cards)
        self._shared = pack_planes(self.rows, self.cards)
        self._numbers = self.score.numbers(len(self.rows))
        self.add = np.full((d, d), -np.inf)
        self.delete = np.full((d, d), -np.inf)
        for child in range(d):
            self._refresh(child)

    def _args(self, child: int, parents: list[int]) -> tuple[Any, ...]:
        planes, offsets, everything = self._shared
        given = np.array(parents, dtype=np.int64)
        return (planes, offsets, self.cards, everything, child, given, *self._numbers)

    def _refresh(self, child: int) -> None:
        """Compute again what a change of the parents of ``child`` would bring."""
        own = self.parents[child]
        old = family_score(*self._args(child, own))
        cells = float(np.prod(self.cards[[child, *own]].astype(np.float64)))
        add = parent_gains(*self._args(child, own))
        add[cells * self.cards > LARGEST_TABLE] = -np.inf
        add[[child, *own]] = -np.inf
        self.add[child] = add
        self.delete[child] = -np.inf
        for p in own:
            fewer = [q for q in own if q != p]
            self.delete[child, p] = family_score(*self._args(child, fewer)) - old

    def _moves(self) -> list[tuple[NDArray[np.float64], str]]:
        """Gains of the legal changes, [child, parent] of the arc as it stands or would stand."""
        d = len(self.cards)
        above = self._ancestors()
        full = np.array([len(p) >= self.most for p in self.parents])
        add = np.where(above.T | full[:, None], -np.inf, self.add)
        reverse = self.delete + np.where(full, -np.inf, self.add.T)
        for child in range(d):
            for p in self.parents[child]:
                if any(above[q, p] for q in self.parents[child] if q != p):
                    reverse[child, p] = -np.inf
        return [(add, "add"), (self.delete, "delete"), (reverse, "reverse")]

    def _ancestors(self) -> NDArray[np.bool_]:
        """Entry [i, j]: whether j is above i."""
        d = len(self.cards)
        above = np.zeros((d, d), dtype=bool)
        for i in Graph(tuple(tuple(p) for p in self.parents)).order:
            for p in self.parents[i]:
                above[i] |= above[p]
                above[i, p] = True
        return above

    def step(self) -> bool:
        """Make the best change; False where none helps."""
        moves = self._moves()
        best = max(range(3), key=lambda m: moves[m][0].max())
        gains, move = moves[best]
        if not gains.max() > LEAST:
            return False
        child, parent = (int(k) for k in np.unravel_index(gains.argmax(), gains.shape))
        if move == "add":
            self.parents[child].append(parent)
        else:
            self.parents[child].remove(parent)
        if move == "reverse":
            self.parents[parent].append(child)
            self._refresh(parent)
        self._refresh(child)
        return True
