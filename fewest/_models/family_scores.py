"""Scores of network structures, each a sum over families, computed once for each family."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError, did_you_mean
from .._kernels.counting.bitplanes import pack_planes
from .._kernels.networks.families import (
    DIRICHLET,
    EQUIVALENT,
    LIKELIHOOD,
    empty_tables,
    family_score,
)
from .._kernels.networks.family_cache import (
    FamilyCache,
    fill_slots,
    find_family,
    find_score,
    graph_scores,
    k2_orders,
)
from .discrete import as_rows
from .graph import Graph

#: Name, how the cells are scored, and the penalty for a parameter at n rows.
_KINDS = {
    "log-likelihood": (LIKELIHOOD, "none"),
    "aic": (LIKELIHOOD, "one"),
    "bic": (LIKELIHOOD, "half-log"),
    "k2": (DIRICHLET, "none"),
    "k2-penalised": (DIRICHLET, "half-log"),
    "bd": (DIRICHLET, "none"),
    "bde": (EQUIVALENT, "none"),
    "bdeu": (EQUIVALENT, "none"),
}


@dataclass(frozen=True)
class Score:
    """Score of structures, higher is better, natural logarithms.

    name: "log-likelihood", "aic", "bic", "k2", "k2-penalised", "bd", "bde" or "bdeu".
    alpha: for "bd" the prior count of every cell (1 makes it the K2 metric); for "bde" the
        equivalent sample size, shared out evenly over the cells of a family ("bdeu" is another name
        of it).

    Penalised likelihood: sum N_ijk log(N_ijk / N_ij) - f(N) dim, f = 0, 1 (AIC) or log(N) / 2
    (BIC). Bayesian: the logarithm of the marginal likelihood, equation 3.16 for K2, with
    Dirichlet priors for BD and BDe; "k2-penalised" subtracts BIC's penalty from K2 (Inza, 2002,
    sections 3.3.3 and 4.3.3.4).
    """

    name: str = "bic"
    alpha: float = 1.0

    def __post_init__(self) -> None:
        if self.name not in _KINDS:
            raise InputError(
                f"`score` must be one of {', '.join(_KINDS)}, but is {self.name!r}."
                f"{did_you_mean(self.name, _KINDS)}"
            )
        if not self.alpha > 0:
            raise InputError(f"`alpha` must be above 0, but is {self.alpha!r}.")

    def numbers(self, n: int) -> tuple[int, float, float]:
        """Return kind, alpha and penalty for ``n`` rows, as the kernels take them."""
        kind, penalty = _KINDS[self.name]
        alpha = self.alpha if self.name in ("bd", "bde", "bdeu") else 1.0
        return kind, alpha, {"none": 0.0, "one": 1.0, "half-log": 0.5 * float(np.log(n))}[penalty]

    def of(self, graph: Graph, rows: NDArray[Any], cardinalities: NDArray[Any]) -> float:
        """Score a graph on these rows: the sum over its families."""
        data, cards = as_rows(rows, cardinalities)
        planes, offsets, everything = pack_planes(data, cards)
        numbers = self.numbers(len(data))
        return float(
            sum(
                family_score(
                    planes, offsets, cards, everything, i, np.array(p, dtype=np.int64), *numbers
                )
                for i, p in enumerate(graph.parents)
            )
        )


#: No table gets more cells than this, whatever the score would like.
LARGEST_TABLE = 1 << 16
#: Families that the cache has room for at first; it doubles when it is full.
FIRST_ROOM = 1024
#: Orderings in one compiled call: between calls an interrupt is heard.
ORDERS_PER_CALL = 8


class FamilyScores:
    """Scores of each variable with each set of parents, remembered by child and parents.

    A family is counted once, together with what every further parent would add. A search over
    orderings or graphs so pays only for the families that are new.

    Parameters
    ----------
    rows : array of shape (n, d) of whole numbers
    cardinalities : array of shape (d,)
    score : Score or str

    Examples
    --------
    >>> a, b = np.random.default_rng(0).integers(0, 2, (2, 100))
    >>> families = FamilyScores(np.stack([a, b, a], axis=1), np.full(3, 2), score="bic")
    >>> families.score(2, [0]) > families.score(2, [])
    True
    >>> graphs, scores = families.k2(np.array([[0, 1, 2], [2, 1, 0]]))
    >>> [graph.arcs for graph in graphs]
    [[(0, 2)], [(2, 0)]]
    """

    def __init__(
        self,
        rows: NDArray[Any],
        cardinalities: NDArray[Any],
        *,
        score: Score | str = "bic",
        largest: int = LARGEST_TABLE,
    ) -> None:
        data, cards = as_rows(rows, cardinalities)
        self.rows: NDArray[np.uint8] = data
        self.cardinalities: NDArray[np.int64] = cards
        self.rule: Score = Score(score) if isinstance(score, str) else score
        kind, alpha, penalty = self.rule.numbers(len(data))
        self._facts = (*pack_planes(data, cards), np.ascontiguousarray(data.T))
        self._tables = empty_tables(len(data))
        self._rule = (kind, float(alpha), float(penalty), float(largest))
        self.lock: Any = threading.Lock()
        self._make(FIRST_ROOM)

    def _make(self, room: int) -> None:
        d = len(self.cardinalities)
        words = (d + 63) // 64
        planes, offsets, everything, columns = self._facts
        self.cache: Any = FamilyCache._make([
            planes, offsets, self.cardinalities, everything, columns, *self._rule,
            *self._tables, np.full(4 * room, -1), np.zeros(1, dtype=np.int64),
            np.zeros(room, dtype=np.int64), np.zeros((room, words), dtype=np.uint64),
            np.zeros(room), np.zeros((room, d)), np.zeros((room, d), dtype=np.int32),
            np.zeros(room, dtype=bool),
        ])  # fmt: skip

    def grow(self) -> None:
        """Double the room; what is known stays known."""
        old = self.cache
        self._make(2 * len(old.scores))
        new = self.cache
        n = new.count[0] = old.count[0]
        for name in ("children", "parents", "scores", "gains", "ranks", "judged"):
            getattr(new, name)[:n] = getattr(old, name)[:n]
        fill_slots(new.slots, new.children, new.parents, n)

    def __getstate__(self) -> dict[str, Any]:
        kept = {"rows": self.rows, "cardinalities": self.cardinalities, "score": self.rule}
        return {**kept, "largest": int(self._rule[3])}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def __len__(self) -> int:
        return int(self.cache.count[0])

    def bits(self, parents: Sequence[int]) -> NDArray[np.uint64]:
        """Return a set of variables as words of bits."""
        words = np.zeros((len(self.cardinalities) + 63) // 64, dtype=np.uint64)
        for p in parents:
            words[p >> 6] |= np.uint64(1) << np.uint64(p & 63)
        return words

    def _node(self, find: Any, child: int, parents: Sequence[int]) -> int:
        """Return the position of a family in the cache, as a kernel finds it."""
        bits = self.bits(parents)
        with self.lock:
            while True:
                node = int(find(self.cache, child, bits))
                if node >= 0:
                    return node
                self.grow()

    def score(self, child: int, parents: Sequence[int]) -> float:
        """Score a child with these parents."""
        node = self._node(find_score, child, parents)
        return float(self.cache.scores[node])

    def gains(self, child: int, parents: Sequence[int]) -> NDArray[np.float64]:
        """Return the gain of each further parent; -inf where it cannot be one."""
        node = self._node(find_family, child, parents)
        return np.array(self.cache.gains[node])

    def of(self, graph: Graph) -> float:
        """Score a graph: the sum over its families."""
        return float(self.of_bits(np.stack([self.bits(p) for p in graph.parents])[None])[0])

    def of_bits(self, graphs: NDArray[np.uint64]) -> NDArray[np.float64]:
        """Score graphs given by the parents as words of bits, shape (m, d, words)."""
        scores = np.zeros(len(graphs))
        done = 0
        with self.lock:
            while done < len(graphs):
                done = graph_scores(self.cache, graphs, done, scores)
                if done < len(graphs):
                    self.grow()
        return scores

    def k2(
        self, orders: NDArray[Any], *, max_parents: int | None = None, parents: str = "earlier"
    ) -> tuple[list[Graph], NDArray[np.float64]]:
        """Return the graph that K2 finds for each ordering (one per row), and its score.

        ``parents`` is where the parents of a variable stand in the ordering: "earlier"
        (Cooper and Herskovits, 1992) or "later" (Hsu, 2004, section 4.2).
        """
        bits, scores = self.k2_bits(orders, max_parents=max_parents, parents=parents)
        return [graph_of_bits(row) for row in bits], scores

    def k2_bits(
        self, orders: NDArray[Any], *, max_parents: int | None = None, parents: str = "earlier"
    ) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
        """Run ``k2`` with the parents of each variable as words of bits, shape (m, d, words)."""
        lines = self._orders(orders)
        if parents not in ("earlier", "later"):
            raise InputError(f'`parents` must be "earlier" or "later", but is {parents!r}.')
        if parents == "later":
            lines = np.ascontiguousarray(lines[:, ::-1])
        m, d = lines.shape
        most = d if max_parents is None else max_parents
        bits = np.zeros((m, d, (d + 63) // 64), dtype=np.uint64)
        scores = np.zeros(m)
        with self.lock:
            done = 0
            while done < m:
                last = min(done + ORDERS_PER_CALL, m)
                done = k2_orders(self.cache, lines[:last], most, done, bits, scores)
                if done < last:
                    self.grow()
        return bits, scores

    def _orders(self, orders: NDArray[Any]) -> NDArray[np.int64]:
        lines = np.ascontiguousarray(orders, dtype=np.int64)
        d = len(self.cardinalities)
        if lines.ndim != 2 or not (np.sort(lines, axis=1) == np.arange(d)).all():
            raise InputError(f"`orders` must name each of the {d} variables once per row.")
        return lines


def graph_of_bits(parents: NDArray[np.uint64]) -> Graph:
    """Return the graph whose parents are given as words of bits, shape (d, words)."""
    found: list[list[int]] = [[] for _ in parents]
    flags = np.unpackbits(parents.view(np.uint8), axis=1, bitorder="little")
    for child, parent in zip(*(places.tolist() for places in np.nonzero(flags)), strict=True):
        found[child].append(parent)
    return Graph(tuple(tuple(own) for own in found))


def bits_of_arcs(arcs: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Return matrices of arcs [parent, child], shape (m, d, d), as words of bits (m, d, words).

    >>> bits_of_arcs(np.array([[[0, 1], [0, 0]]], dtype=bool)).tolist()
    [[[0], [1]]]
    """
    m, d, _ = arcs.shape
    flags = np.zeros((m, d, 64 * ((d + 63) // 64)), dtype=bool)
    flags[:, :, :d] = arcs.transpose(0, 2, 1)
    return np.packbits(flags, axis=2, bitorder="little").view(np.uint64)
