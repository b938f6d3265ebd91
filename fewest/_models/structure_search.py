"""Learn the structure of a network: searches, trees, chains, and tests of independence (PC)."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from .._errors import InputError
from .._kernels.networks.families import algorithm_b
from .._kernels.networks.family_cache import (
    anneal_graph,
    climb_graph,
    kick_graph,
    new_climb,
    start_climb,
)
from .._kernels.networks.independence import G_SQUARED, PEARSON, skeleton
from .._kernels.networks.orders import climb_order, climb_orders, known_families
from .._kernels.networks.pairs import CHI_SQUARED, MUTUAL_INFORMATION, grow_chain, grow_forest
from .discrete import as_rows
from .family_scores import LARGEST_TABLE, FamilyScores, Score, graph_of_bits
from .graph import Graph

#: Steps of a climb at most: more than any network needs.
MOST_STEPS = 1_000_000
#: Steps of a climb in one compiled call: between calls an interrupt is heard.
STEPS_PER_CALL = 16
#: How hill climbing goes on along changes that cost nothing: the top of a climb is often a flat
#: one, because graphs that state the same independences have the same score.
SIDEWAYS: dict[str, Any] = {"tenure": 3, "patience": 20, "loss": 0.0}


class Walk:
    """Walk from graph to graph over a cache of families; it can stop and go on.

    start: by default the empty graph.
    tenure, patience: number of steps for which a changed arc rests, and without a new best after
        which the walk ends. 0 and 0 is plain hill climbing.
    loss: what a step may cost, where there is patience: nothing (0), or anything for a tabu search.
    """

    def __init__(
        self,
        families: FamilyScores,
        *,
        start: Graph | None = None,
        max_parents: int | None = None,
        tenure: int = 0,
        patience: int = 0,
        loss: float = math.inf,
    ) -> None:
        d = len(families.cardinalities)
        first = Graph.empty(d) if start is None else start
        _ = first.order  # a start with a cycle is refused here
        self.families = families
        self.most = d if max_parents is None else max_parents
        self.tenure, self.patience, self.loss = tenure, patience, loss
        self._begin(np.stack([families.bits(p) for p in first.parents]), np.zeros((0, 3)))

    @property
    def here(self) -> Graph:
        """Current graph."""
        return graph_of_bits(self._state.parents)

    @property
    def best(self) -> Graph:
        """Best graph so far."""
        return graph_of_bits(self._best)

    def climb(self, steps: int = MOST_STEPS) -> bool:
        """Make the best change, ``steps`` times at most; return if the walk has ended."""
        goal = self._state.steps[0] + steps
        with self.families.lock:
            while True:
                few = min(goal - self._state.steps[0], STEPS_PER_CALL)
                fits, ended = climb_graph(
                    self.families.cache, self._state, self.most, self.tenure, self.patience,
                    self.loss, few, self._best,
                )  # fmt: skip
                if not fits:
                    self.families.grow()
                elif ended or self._state.steps[0] >= goal:
                    return bool(ended)

    @property
    def score(self) -> float:
        """Score of the best graph so far."""
        return float(self._state.scores[1])

    def again(self, uniform: NDArray[np.float64]) -> Walk:
        """Walk on from the best graph with one arc deleted or reversed per row of ``uniform``."""
        new = copy.copy(self)
        new._begin(self._best, uniform)
        return new

    def reordered(self, rng: np.random.Generator) -> Walk:
        """Climb from the best network of known families that a search over orderings finds.

        It scores no further families (Teyssier and Koller, 2005, with insertions), and takes
        parents from wherever climbs have found them. This walk where that is no better.
        """
        d = len(self._best)
        known = known_families(self.families.cache, self.most)
        own = np.empty(d, dtype=np.int64)
        score, better = climb_order(known, np.array(self.best.order), own), True
        while better:
            before = score
            score = climb_orders(known, own, rng.random((ORDERS_PER_REORDER, d + 6)))
            better = score > before + 1e-6
        if score <= self.score + 1e-6:
            return self
        new = copy.copy(self)
        new._begin(known.sets[own], np.zeros((0, 3)))
        new.climb()
        return new

    def anneal(self, uniform: NDArray[np.float64], temperatures: NDArray[np.float64]) -> None:
        """Try one random change per row of ``uniform`` (steps, 4), at its temperature."""
        done = 0
        with self.families.lock:
            while True:
                done = anneal_graph(
                    self.families.cache, self._state, self.most, uniform, temperatures, done,
                    self._best,
                )  # fmt: skip
                if done == len(uniform):
                    return
                self.families.grow()

    def _begin(self, parents: NDArray[np.uint64], uniform: NDArray[np.float64]) -> None:
        """Stand at a graph, kicked by random changes."""
        self._state = new_climb(parents)
        kick_graph(self._state.parents, self._state.above, self.most, uniform)
        self._best = self._state.parents.copy()
        with self.families.lock:
            while not start_climb(self.families.cache, self._state, self.most, self.tenure):
                self.families.grow()


def climb_families(
    families: FamilyScores, *, steps: int = MOST_STEPS, **options: Any
) -> tuple[Graph, float]:
    """Return the best graph of a climb, and its score; ``options`` are those of :class:`Walk`."""
    walk = Walk(families, **options)
    walk.climb(steps)
    # Added up anew: the same graph has the same score to the last digit, whatever the way to it.
    return walk.best, families.of(walk.best)


#: Climbs over graphs, at least, between two searches for a better network among the known
#: families, and climbs over orderings between two looks if these bring something.
LEAST_CLIMBS_PER_REORDER, ORDERS_PER_REORDER = 8, 30


def climb_again(
    walk: Walk, most: int, rounds: int, rng: np.random.Generator, families: float = math.inf
) -> Iterator[Walk]:
    """Climb from the best graph with 3 to ``most`` arcs changed at random; the best walk so far.

    It ends after ``rounds`` climbs in a row without a better graph, or with so many ``families``
    scored. Equally good graphs are taken over, which leads along equivalent networks. After as many
    climbs as a quarter of the variables, and at the end, the families that are known are put
    together anew.
    """
    since, climbs = 0, 0
    few = max(len(walk.families.cardinalities) // 4, LEAST_CLIMBS_PER_REORDER)
    while since < rounds and len(walk.families) < families:
        new = walk.again(rng.random((int(rng.integers(3, max(most, 3) + 1)), 3)))
        new.climb()
        climbs += 1
        since = 0 if new.score > walk.score + 1e-6 else since + 1
        walk = new if new.score > walk.score - 1e-9 else walk
        last = since >= rounds or len(walk.families) >= families
        if last or climbs % few == 0:
            new = walk.reordered(rng)
            since = 0 if new.score > walk.score + 1e-6 else since
            walk = new
        yield walk


def learn_by_tabu(
    rows: NDArray[Any],
    cardinalities: NDArray[Any],
    *,
    score: Score | str = "bic",
    max_parents: int | None = None,
    start: Graph | None = None,
    tenure: int = 10,
    patience: int = 100,
) -> Graph:
    """Learn the best graph of a tabu search.

    Parameters
    ----------
    rows, cardinalities : arrays
    score : Score or str
    max_parents : int or None
    start : Graph or None
        By default the empty graph.
    tenure : int
        Number of steps for which an arc rests after a change.
    patience : int
        The search ends after this many steps without a new best.

    Notes
    -----
    Glover (1989); Inza (2002, section 3.3.3.2) names it for networks. The best change is made
    even if it costs.

    Examples
    --------
    >>> a, b = np.random.default_rng(0).integers(0, 2, (2, 100))
    >>> learn_by_tabu(np.stack([a, b, a], axis=1), np.full(3, 2)).arcs
    [(2, 0)]
    """
    if tenure < 0 or patience < 1:
        raise InputError(
            f"`tenure` must be at least 0 and `patience` at least 1, but are {tenure} and "
            f"{patience}."
        )
    families = FamilyScores(rows, cardinalities, score=score)
    graph, _ = climb_families(
        families, start=start, max_parents=max_parents, tenure=tenure, patience=patience
    )
    return graph


def learn_by_climbing(
    rows: NDArray[Any],
    cardinalities: NDArray[Any],
    score: Score | str = "bic",
    max_parents: int | None = None,
    start: Graph | None = None,
) -> Graph:
    """Learn a graph that no single arc added, deleted or reversed would improve.

    Notes
    -----
    From ``start``, by default the empty graph; the change that helps most at every step (Inza,
    2002, section 3.3.3.2, with reversal beside addition and deletion). At the top it goes on
    along changes that cost nothing, such as reversals that lead to an equivalent network, until
    20 of them have led to nothing better.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = np.random.default_rng(0).integers(0, 2, (2, 100))
    >>> rows = np.stack([a, b, a], axis=1)
    >>> full = Graph(((), (0,), (0, 1)))
    >>> learn_by_climbing(rows, np.full(3, 2), start=full).arcs
    [(0, 2)]
    """
    families = FamilyScores(rows, cardinalities, score=score)
    graph, _ = climb_families(families, start=start, max_parents=max_parents, **SIDEWAYS)
    return graph


def learn_b(
    rows: NDArray[Any],
    cardinalities: NDArray[Any],
    score: Score | str = "bic",
    max_parents: int | None = None,
) -> Graph:
    """Learn a graph by Algorithm B.

    Notes
    -----
    Buntine (1991); Inza et al. (2000, section 3.2.2). Equal gains are decided for the smaller
    child, then the smaller parent.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = np.random.default_rng(0).integers(0, 2, (2, 100))
    >>> learn_b(np.stack([a, b, a], axis=1), np.array([2, 2, 2])).arcs
    [(2, 0)]
    """
    data, cards = as_rows(rows, cardinalities)
    chosen = Score(score) if isinstance(score, str) else score
    # A parent with one level only is never of use, so at most log2(cells) parents fit a table.
    most = min(len(cards) - 1, LARGEST_TABLE.bit_length() - 1)
    most = most if max_parents is None else min(most, max_parents)
    parents, number = algorithm_b(
        data, cards, *chosen.numbers(len(data)), max(most, 0), float(LARGEST_TABLE)
    )
    return Graph.of_matrix(parents, number)


def learn_k2(
    rows: NDArray[Any],
    cardinalities: NDArray[Any],
    order: Sequence[int] | None = None,
    max_parents: int | None = None,
    score: Score | str = "k2",
    parents: str = "earlier",
) -> Graph:
    """Learn a graph by K2 for an ordering of the variables (by default 0, 1, 2, ...).

    Parameters
    ----------
    rows, cardinalities : arrays
    order : sequence of int
    max_parents : int or None
    score : Score or str
    parents : "earlier" or "later"
        Where the parents of a variable stand in the ordering. "later" is "earlier" with the
        ordering read backwards.

    Notes
    -----
    Cooper and Herskovits (1992) and Inza (2002, figure 3.5) take earlier variables as parents,
    Hsu (2004, section 4.2) later ones. Equal scores are decided for the variable that is met
    first when the ordering is read from its parents to its children.

    Examples
    --------
    >>> a, b = np.random.default_rng(0).integers(0, 2, (2, 60))
    >>> rows = np.stack([a, b, a], axis=1)
    >>> learn_k2(rows, np.full(3, 2), order=[2, 1, 0]).parents
    ((2,), (), ())
    >>> learn_k2(rows, np.full(3, 2), order=[2, 1, 0], parents="later").parents
    ((), (), (0,))
    """
    d = len(cardinalities)
    line = list(range(d)) if order is None else [int(i) for i in order]
    if sorted(line) != list(range(d)):
        raise InputError(f"`order` must name each of the {d} variables once, but is {order!r}.")
    families = FamilyScores(rows, cardinalities, score=score)
    graphs, _ = families.k2(np.array([line]), max_parents=max_parents, parents=parents)
    return graphs[0]


def learn_tree(rows: NDArray[Any], cardinalities: NDArray[Any]) -> Graph:
    """Learn the tree with the largest likelihood, variable 0 its root.

    Notes
    -----
    Chow and Liu (1968): the maximum-weight spanning tree of the mutual informations of all
    pairs (Inza, 2002, section 4.3.2.2).

    Examples
    --------
    >>> import numpy as np
    >>> a = np.arange(16) % 2; b = np.arange(16) // 2 % 2
    >>> learn_tree(np.stack([a, b, a & b], axis=1), np.array([2, 2, 2])).parents
    ((), (2,), (0,))
    """
    data, cards = as_rows(rows, cardinalities)
    anything = np.full(_most_freedom(cards) + 1, -np.inf)
    return _of_single(grow_forest(data, cards, MUTUAL_INFORMATION, anything))


def learn_forest(
    rows: NDArray[Any], cardinalities: NDArray[Any], significance: float = 0.05
) -> Graph:
    """Learn the forest of the strongest dependences that are significant.

    Notes
    -----
    Pelikan and Mühlenbein (1999): edges by Pearson's chi-squared statistic, above its critical
    value (3.84 for bits at 0.05). A new root is the smallest variable left, not a random one;
    the distribution is the same whatever the root (Inza, 2002, section 4.3.2.4).

    Examples
    --------
    >>> import numpy as np
    >>> a = np.arange(16) % 2; b = np.arange(16) // 2 % 2
    >>> learn_forest(np.stack([a, b, a], axis=1), np.array([2, 2, 2])).parents
    ((), (), (0,))
    """
    data, cards = as_rows(rows, cardinalities)
    critical = critical_values(significance, _most_freedom(cards))
    return _of_single(grow_forest(data, cards, CHI_SQUARED, critical))


def learn_chain(rows: NDArray[Any], cardinalities: NDArray[Any]) -> Graph:
    """Learn a chain: each variable depends on the one before it.

    Notes
    -----
    De Bonet et al. (1997): first the variable of least entropy, then always the one of least
    entropy given the last (Inza, 2002, section 4.3.2.1).

    Examples
    --------
    >>> import numpy as np
    >>> a = np.arange(16) % 2; b = np.arange(16) // 2 % 2
    >>> learn_chain(np.stack([a, b, a], axis=1), np.array([2, 2, 2])).order
    (0, 2, 1)
    """
    data, cards = as_rows(rows, cardinalities)
    order = grow_chain(data, cards)
    parents = np.full(len(cards), -1)
    parents[order[1:]] = order[:-1]
    return _of_single(parents)


@lru_cache(maxsize=16)
def critical_values(significance: float, most: int) -> NDArray[np.float64]:
    """Return chi-squared at this level for 0 (as for 1) to ``most`` degrees of freedom."""
    return np.asarray(chi2.isf(significance, np.maximum(np.arange(most + 1), 1)))


def _most_freedom(cards: NDArray[np.int64]) -> int:
    return int((cards.max(initial=1) - 1) ** 2)


def _of_single(parents: NDArray[np.int64]) -> Graph:
    return Graph(tuple(() if p < 0 else (p,) for p in parents.tolist()))


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
