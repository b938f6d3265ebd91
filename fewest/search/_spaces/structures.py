"""Graphs without cycles, and orderings of variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._errors import InputError
from ..._models.graph import Graph, is_acyclic, matrix_of, random_graph, repaired
from ...measures._measure import Candidates
from .space import Space


@dataclass(frozen=True, eq=False)
class Graphs(Space):
    """Directed acyclic graphs over ``n`` variables; a candidate is a row of ``n * n`` arcs.

    The arc from variable p to variable i stands at place ``p * n + i``.

    Parameters
    ----------
    n : int
    max_parents : int or None
        The largest number of parents of a variable.

    Examples
    --------
    >>> space = Graphs(3, max_parents=1)
    >>> drawn = space.sample(5, np.random.default_rng(0))
    >>> bool(space.feasible(drawn).all())
    True
    >>> space.arc_names(["a", "b", "c"])[1]
    'a -> b'
    """

    kind: ClassVar[str] = "graphs"

    n: int
    max_parents: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.n <= 65_535:
            raise InputError(f"`n` of Graphs must be between 1 and 65535, but is {self.n!r}.")

    @property
    def most(self) -> int:
        """Largest number of parents."""
        return self.n if self.max_parents is None else self.max_parents

    @property
    def cardinalities(self) -> NDArray[np.int64]:
        """Return two for every arc: there or not."""
        return np.full(self.n * self.n, 2, dtype=np.int64)

    def row(self, graph: Graph) -> Candidates:
        """Return a graph as a candidate."""
        return matrix_of(graph).ravel()

    def rows(self, graphs: Sequence[Graph]) -> Candidates:
        """Return graphs as a batch."""
        return np.array([self.row(graph) for graph in graphs]).reshape(len(graphs), self.n_units)

    def sample(self, n: int, rng: np.random.Generator, p: float = 0.5) -> Candidates:
        """Draw ``n`` graphs; arcs are proposed with probability ``p`` / ``n``, cycles broken."""
        share = p / self.n
        return self.rows([random_graph(self.n, self.most, rng, share) for _ in range(n)])

    def feasible(self, candidates: Candidates) -> NDArray[np.bool_]:
        """Mark the candidates without a cycle and with few enough parents."""
        matrices = np.asarray(candidates).reshape(-1, self.n, self.n)
        few = (matrices.sum(axis=1) <= self.most).all(axis=1)
        return np.array([f and is_acyclic(m) for f, m in zip(few, matrices, strict=True)], bool)

    def repair(self, candidates: Candidates, rng: np.random.Generator) -> Candidates:
        """Take arcs in random order; leave out those that close a cycle or are too many."""
        fixed = np.array(candidates, dtype=bool)
        for i in np.flatnonzero(~self.feasible(fixed)):
            fixed[i] = self.row(repaired(fixed[i].reshape(self.n, self.n), self.most, rng))
        return fixed

    def expand(self, candidates: Candidates) -> Candidates:
        return np.asarray(candidates, dtype=bool)

    def cost(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the number of arcs."""
        return np.asarray(np.asarray(candidates).sum(axis=1), dtype=np.float64)

    def packed(self, candidates: Candidates) -> NDArray[np.uint8]:
        return np.packbits(np.asarray(candidates, dtype=bool), axis=1)

    def arc_names(self, names: Sequence[str]) -> list[str]:
        """Return the name of each place of a candidate."""
        return [f"{a} -> {b}" for a in names for b in names]

    def layout(self, names: Sequence[str]) -> dict[str, Any]:
        """Describe keys: the names of the variables; every two of them have a bit."""
        return {"variables": list(names)}


@dataclass(frozen=True, eq=False)
class Orderings(Space):
    """Orderings of ``n`` variables; a candidate is a row of positions, the first one first.

    Examples
    --------
    >>> space = Orderings(4)
    >>> drawn = space.sample(3, np.random.default_rng(0))
    >>> np.sort(drawn, axis=1)[0]
    array([0, 1, 2, 3], dtype=uint8)
    >>> space.feasible(np.array([[0, 1, 2, 3], [0, 0, 2, 3]]))
    array([ True, False])
    """

    kind: ClassVar[str] = "orderings"

    n: int

    def __post_init__(self) -> None:
        if not 1 <= self.n <= 65_535:
            raise InputError(f"`n` of Orderings must be between 1 and 65535, but is {self.n!r}.")

    @property
    def dtype(self) -> type[np.unsignedinteger[Any]]:
        """Smallest whole numbers that hold a position."""
        return np.uint8 if self.n <= 256 else np.uint16

    @property
    def cardinalities(self) -> NDArray[np.int64]:
        """Number of variables, for every place."""
        return np.full(self.n, self.n, dtype=np.int64)

    def sample(self, n: int, rng: np.random.Generator, p: float = 0.5) -> Candidates:
        """Draw ``n`` orderings, all equally probable; ``p`` has no meaning here."""
        every = np.broadcast_to(np.arange(self.n, dtype=self.dtype), (n, self.n))
        return rng.permuted(every, axis=1)

    def feasible(self, candidates: Candidates) -> NDArray[np.bool_]:
        """Mark the candidates that hold every variable once."""
        ordered = np.sort(np.asarray(candidates), axis=1)
        return np.asarray((ordered == np.arange(self.n)).all(axis=1))

    def repair(self, candidates: Candidates, rng: np.random.Generator) -> Candidates:
        """Replace doubles after the first by the missing variables, in random order."""
        fixed = np.array(candidates, dtype=self.dtype)
        for row in np.flatnonzero(~self.feasible(fixed)):
            _, first = np.unique(fixed[row], return_index=True)
            doubled = np.setdiff1d(np.arange(self.n), first)
            missing = np.setdiff1d(np.arange(self.n), fixed[row])
            fixed[row, doubled] = rng.permutation(missing)
        return fixed

    def expand(self, candidates: Candidates) -> Candidates:
        return np.asarray(candidates)

    def cost(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return 1 for each: no ordering costs more than another."""
        return np.zeros(len(candidates))

    def size(self, candidates: Candidates) -> NDArray[np.int64]:
        return np.full(len(candidates), self.n, dtype=np.int64)

    def uses(self, candidates: Candidates) -> NDArray[np.bool_]:
        return np.ones(np.shape(candidates), dtype=bool)

    def spread(self, candidates: Candidates) -> float:
        """Return 1 less the share of orderings that agree at a place."""
        rows = np.asarray(candidates)
        if not len(rows):
            return 0.0
        agree = [np.bincount(column).max() / len(rows) for column in rows.T]
        return float(1 - min(agree))

    def layout(self, names: Sequence[str]) -> dict[str, Any]:
        """Describe keys: the names of the variables, and that places hold positions."""
        return {"names": list(names), "ordering": True}
