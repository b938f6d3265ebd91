"""Find the best network with a proof, or the best known with a bound."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from .._interrupts import raise_missed
from .._kernels.networks.families import EQUIVALENT
from .._kernels.networks.subset_sums import best_sinks
from .family_scores import FamilyScores, Score
from .graph import Graph
from .parent_sets import ParentSets, find_parent_sets
from .structure_search import Walk, climb_again

#: Networks whose scores differ by less than this count as equal: the solver's own tolerance.
SOLVER_TOLERANCE = 1e-4
#: Nodes of one branch and bound, and rounds of cutting planes at most: limits without a clock.
MOST_NODES, MOST_ROUNDS = 20_000, 2_000

Cluster = frozenset[int]
#: Seconds that are left; infinity where there is no limit.
Left = Callable[[], float]


@dataclass(frozen=True)
class ProvenNetwork:
    """Graph, and what is known of the best one.

    bound: no network scores more than this.
    """

    graph: Graph
    score: float
    bound: float

    @property
    def optimal(self) -> bool:
        """Whether the graph is proven to be a best one: nothing better is left."""
        return self.bound <= self.score + SOLVER_TOLERANCE

    @property
    def ordering(self) -> tuple[int, ...]:
        """An ordering of the variables, parents first."""
        return self.graph.order

    @property
    def gap(self) -> float:
        """Largest possible lead of another network."""
        return 0.0 if self.optimal else self.bound - self.score


@dataclass
class Relaxation:
    """Linear programme over families, with the clusters found so far.

    A variable has one family. In an acyclic graph, each cluster of variables has one whose
    parents all lie outside (Jaakkola, Sontag, Globerson and Meila, 2010); these cuts are added
    where the solution at hand violates them. Columns are costs against the best family of the
    child, so that the objective is small, and are left out for good where their reduced cost
    exceeds the gap.
    """

    sets: ParentSets
    known: float
    clusters: list[Cluster] = field(default_factory=list)
    rows: list[NDArray[np.bool_]] = field(default_factory=list)

    def __post_init__(self) -> None:
        sets = self.sets
        self.child = np.repeat(np.arange(sets.d), np.diff(sets.starts))
        self.inside = ((sets.sets[:, None] >> np.arange(sets.d)) & 1).astype(bool)
        tops = sets.scores[sets.starts[:-1]]
        self.top = float(tops.sum())
        self.costs = tops[self.child] - sets.scores
        self.kept = np.arange(len(self.child))
        self.weights = np.zeros(len(self.child))
        self.bound = self.top

    def row(self, cluster: Iterable[int]) -> NDArray[np.bool_]:
        """Mark the families with their child inside a cluster and all parents outside."""
        chosen = np.zeros(self.sets.d, dtype=bool)
        chosen[list(cluster)] = True
        return np.asarray(chosen[self.child] & ~self.inside[:, chosen].any(axis=1))

    def add(self, clusters: Iterable[Cluster]) -> bool:
        """Add the clusters that are new; whether there was one."""
        new = sorted(set(clusters) - set(self.clusters), key=sorted)
        self.clusters += new
        self.rows += [self.row(cluster) for cluster in new]
        return bool(new)

    def _matrices(self) -> tuple[Any, Any]:
        kept = self.kept
        ones = (np.ones(len(kept)), (self.child[kept], np.arange(len(kept))))
        cuts = np.array(self.rows, dtype=float).reshape(len(self.rows), len(self.child))
        return csr_matrix(ones, shape=(self.sets.d, len(kept))), csr_matrix(cuts[:, kept])

    def solve(self) -> None:
        """Solve the relaxation; tighten the bound, and leave out columns that cannot matter."""
        families, cuts = self._matrices()
        found = linprog(
            self.costs[self.kept], A_eq=families, b_eq=np.ones(self.sets.d), A_ub=-cuts,
            b_ub=-np.ones(cuts.shape[0]), bounds=(0, None), method="highs",
        )  # fmt: skip
        if found.status != 0:
            # Nothing is left that is better than what is known.
            self.bound = min(self.bound, self.known)
            return
        self.bound = min(self.bound, self.top - float(found.fun))
        self.weights[:] = 0.0
        self.weights[self.kept] = found.x
        gap = self.bound - self.known
        self.kept = self.kept[found.lower.marginals <= gap + SOLVER_TOLERANCE]

    def branch(self, seconds: float) -> None:
        """Solve with whole families; ``weights`` is the solution, or 0 where there is none."""
        families, cuts = self._matrices()
        costs = self.costs[self.kept]
        most = self.top - self.known - SOLVER_TOLERANCE
        limits = {"node_limit": MOST_NODES, "mip_rel_gap": 0.0}
        found = _whole_numbers(
            costs, integrality=np.ones(len(costs)), bounds=Bounds(0, 1),
            constraints=[
                LinearConstraint(families, 1, 1), LinearConstraint(cuts, 1, np.inf),
                LinearConstraint(csr_matrix(costs[None]), -np.inf, most),
            ],
            options=limits if math.isinf(seconds) else {**limits, "time_limit": max(seconds, 0.01)},
        )  # fmt: skip
        self.weights[:] = 0.0
        if found.x is not None:
            self.weights[self.kept] = np.round(found.x)
        if found.status == 2:
            self.bound = min(self.bound, self.known)
        elif found.mip_dual_bound is not None and np.isfinite(found.mip_dual_bound):
            self.bound = max(self.known, min(self.bound, self.top - float(found.mip_dual_bound)))

    def graph(self) -> Graph:
        """Return the graph of whole families; it may have cycles."""
        parents: list[tuple[int, ...]] = [()] * self.sets.d
        for k in np.flatnonzero(self.weights > 0.5):
            parents[self.child[k]] = tuple(np.flatnonzero(self.inside[k]).tolist())
        return Graph(tuple(parents))


def prove_by_planes(
    sets: ParentSets, graph: Graph, score: float, left: Left = lambda: math.inf
) -> ProvenNetwork:
    """Prove that a graph is the best one, or find a better one and prove that.

    Bartlett and Cussens (2017): the linear relaxation with violated clusters, found by local
    search and then by a small integer programme, and branch and bound where no cluster is
    violated any more. The end of the time, or of the limits on nodes and rounds, leaves a gap.
    """
    relaxation = Relaxation(sets, score)
    best = graph
    for _ in range(MOST_ROUNDS):
        relaxation.solve()
        if relaxation.bound <= relaxation.known + SOLVER_TOLERANCE or left() <= 0:
            break
        if relaxation.add(_violated(relaxation)) or relaxation.add(_most_violated(relaxation)):
            continue
        relaxation.branch(left())
        if not relaxation.weights.any():
            break
        cycles = _cycles(relaxation)
        if not relaxation.add(cycles):
            if cycles:
                break
            best, relaxation.known = relaxation.graph(), _score(relaxation)
    return ProvenNetwork(best, relaxation.known, max(relaxation.bound, relaxation.known))


def _whole_numbers(costs: NDArray[np.float64], **given: Any) -> Any:
    """Solve an integer programme in a thread: the main thread hears Ctrl-C meanwhile.

    The solver is then left to itself; it ends with the process.
    """
    future: Future[Any] = Future()

    def solve() -> None:
        try:
            future.set_result(milp(costs, **given))
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=solve, daemon=True).start()
    return future.result()


def _score(relaxation: Relaxation) -> float:
    return float(relaxation.sets.scores[relaxation.weights > 0.5].sum())


def _cycles(relaxation: Relaxation) -> list[Cluster]:
    """Return the strongly connected parts of a graph of whole families, as clusters."""
    arcs = np.zeros((relaxation.sets.d,) * 2)
    for k in np.flatnonzero(relaxation.weights > 0.5):
        arcs[relaxation.inside[k], relaxation.child[k]] = 1
    number, part = connected_components(arcs, connection="strong")
    parts = [frozenset(np.flatnonzero(part == c).tolist()) for c in range(number)]
    return [cluster for cluster in parts if len(cluster) > 1]


def _violated(relaxation: Relaxation) -> list[Cluster]:
    """Find clusters that the weights violate, from every pair that shares a family.

    A cluster changes by the variable whose entry or exit violates most, while one helps.
    """
    on = np.flatnonzero(relaxation.weights > 1e-9)
    child, inside = relaxation.child[on], relaxation.inside[on].astype(float)
    weights = relaxation.weights[on]
    own = np.zeros((relaxation.sets.d, len(on)))
    own[child, np.arange(len(on))] = weights
    pairs = {
        frozenset((int(child[k]), int(p)))
        for k in range(len(on))
        for p in np.flatnonzero(inside[k])
    }
    ends = {_grown(pair, child, inside, weights, own) for pair in pairs}
    return [cluster for cluster in ends if cluster]


def _grown(
    start: Cluster, child: NDArray[np.int64], inside: NDArray[np.float64],
    weights: NDArray[np.float64], own: NDArray[np.float64],
) -> Cluster:  # fmt: skip
    chosen = np.zeros(len(own), dtype=bool)
    chosen[list(start)] = True
    hits = inside @ chosen
    value = float(weights[chosen[child] & (hits == 0)].sum())
    for _ in range(2 * len(own)):
        within = weights * chosen[child]
        free = own @ (hits == 0)
        enters = free - (within * (hits == 0)) @ inside
        leaves = (within * (hits == 1)) @ inside - free
        change = np.where(chosen, leaves, enters)
        if chosen.sum() <= 2:
            change[chosen] = np.inf
        at = int(change.argmin())
        if change[at] > -1e-9:
            break
        chosen[at] = not chosen[at]
        hits = inside @ chosen
        value += change[at]
    return frozenset(np.flatnonzero(chosen).tolist()) if value < 1 - 1e-4 else frozenset()


def _most_violated(relaxation: Relaxation) -> list[Cluster]:
    """Find the cluster that the weights violate most, by a small integer programme.

    Bartlett and Cussens (2017): the weight of the families whose child and at least one parent
    lie inside, less the size of the cluster, is above -1 where the cut is violated.
    """
    on = np.flatnonzero((relaxation.weights > 1e-6) & (relaxation.sets.sets > 0))
    m, d = len(on), relaxation.sets.d
    family, variables = np.eye(m), np.eye(d)[relaxation.child[on]]
    rules = np.vstack([
        np.hstack([family, -variables]),
        np.hstack([family, -relaxation.inside[on].astype(float)]),
        np.hstack([np.zeros((1, m)), -np.ones((1, d))]),
    ])  # fmt: skip
    limits = np.append(np.zeros(2 * m), -2.0)
    found = _whole_numbers(
        np.append(-relaxation.weights[on], np.ones(d)),
        integrality=np.append(np.zeros(m), np.ones(d)), bounds=Bounds(0, 1),
        constraints=LinearConstraint(csr_matrix(rules), -np.inf, limits),
        options={"node_limit": MOST_NODES},
    )  # fmt: skip
    if found.x is None or -found.fun <= -1 + 1e-4:
        return []
    return [frozenset(np.flatnonzero(found.x[m:] > 0.5).tolist())]


#: Most variables for which dynamic programming is quick, and for which all sets fit into memory.
MOST_QUICK_VARIABLES, MOST_VARIABLES_IN_MEMORY = 20, 27
#: Sets of variables between two looks at the clock.
SETS_PER_CLOCK = 1 << 15


def learn_exact(
    rows: NDArray[Any],
    cardinalities: NDArray[Any],
    *,
    score: Score | str = "bic",
    max_parents: int | None = None,
    seconds: float | None = None,
) -> ProvenNetwork:
    """Find the network with the highest score, proven, of all with at most ``max_parents``.

    Parameters
    ----------
    rows, cardinalities : arrays
    score : Score or str
    max_parents : int or None
        None sets no limit.
    seconds : float or None
        A time limit; at its end the answer is the best network so far, and the gap is what is
        open. The gap is infinite where the time ended before all families were counted.

    Notes
    -----
    An iterated tabu search finds a good network first. Up to 20 variables the best one is found
    by dynamic programming over subsets (Silander and Myllymaki, 2006), for more by cutting planes
    (Bartlett and Cussens, 2017) and, where these come to an end first, by dynamic programming up
    to 27. Cutting planes are computed with floating-point numbers: networks that are better by
    less than 0.0001 count as equal. Constant columns are no variables.

    Examples
    --------
    >>> a, b = np.random.default_rng(0).integers(0, 2, (2, 100))
    >>> found = learn_exact(np.stack([a, b, a ^ b], axis=1), np.full(3, 2))
    >>> found.optimal, len(found.graph.arcs)
    (True, 2)
    """
    families = FamilyScores(rows, cardinalities, score=score)
    return prove_families(families, max_parents=max_parents, seconds=seconds)


def prove_families(
    families: FamilyScores, *, max_parents: int | None = None, seconds: float | None = None
) -> ProvenNetwork:
    """Run ``learn_exact`` over a cache of families."""
    end = math.inf if seconds is None else time.monotonic() + seconds

    def left() -> float:
        raise_missed()
        return end - time.monotonic()

    vary = _varying(families)
    if len(vary) < 2:
        empty = Graph.empty(len(families.cardinalities))
        return ProvenNetwork(empty, families.of(empty), families.of(empty))
    sets = find_parent_sets(
        families.rows[:, vary], families.cardinalities[vary], score=families.rule,
        max_parents=max_parents, late=lambda: left() <= 0,
    )  # fmt: skip
    first = good_graph(families, max_parents)
    if sets is None:
        return ProvenNetwork(first, families.of(first), math.inf)
    start = _renamed(first, {int(v): k for k, v in enumerate(vary)}, sets.d)
    found = _prove(sets, start, left)
    graph = _renamed(found.graph, dict(enumerate(vary.tolist())), len(families.cardinalities))
    # Families of constant columns are added: they have no parents.
    value = families.of(graph)
    bound = value if found.optimal else found.bound + value - found.score
    return ProvenNetwork(graph, value, bound)


def good_graph(families: FamilyScores, max_parents: int | None) -> Graph:
    """Return the graph of an iterated tabu search with fixed random numbers."""
    d = len(families.cardinalities)
    walk = Walk(families, max_parents=max_parents, tenure=10, patience=20)
    walk.climb()
    if d > MOST_QUICK_VARIABLES:
        *_, walk = climb_again(walk, d, 4 * d, np.random.default_rng(0))
    return walk.best


def _varying(families: FamilyScores) -> NDArray[np.intp]:
    """Return the columns that can have an arc: with one value only, none is of use.

    With the equivalent sample size of "bdeu" levels that never occur count, too.
    """
    if families.rule.numbers(2)[0] == EQUIVALENT:
        vary = families.cardinalities > 1
    else:
        vary = (families.rows != families.rows[:1]).any(axis=0)
    return np.flatnonzero(vary)


def _renamed(graph: Graph, names: dict[int, int], d: int) -> Graph:
    """Return the graph over variables with other numbers; those without a name are left out."""
    parents: list[tuple[int, ...]] = [()] * d
    for i, own in enumerate(graph.parents):
        if i in names:
            parents[names[i]] = tuple(sorted(names[p] for p in own if p in names))
    return Graph(tuple(parents))


def _prove(sets: ParentSets, start: Graph, left: Callable[[], float]) -> ProvenNetwork:
    """Find the best network over parent sets, from a good one."""
    if sets.d > MOST_QUICK_VARIABLES:
        start = graph_of_order(sets, start.order)
        found = prove_by_planes(sets, start, score_of(sets, start), left)
        if found.optimal or sets.d > MOST_VARIABLES_IN_MEMORY or left() <= 0:
            return found
        proven = by_subsets(sets, left)
        return found if proven is None else proven
    proven = by_subsets(sets, left)
    if proven is not None:
        return proven
    start = graph_of_order(sets, start.order)
    top = float(sets.scores[sets.starts[:-1]].sum())
    return ProvenNetwork(start, score_of(sets, start), top)


def by_subsets(
    sets: ParentSets, left: Callable[[], float] = lambda: math.inf
) -> ProvenNetwork | None:
    """Find the best network by dynamic programming over sets of variables; None if time ends."""
    d = sets.d
    value = np.zeros(1 << d)
    sink = np.zeros(1 << d, dtype=np.int8)
    for first in range(0, 1 << d, SETS_PER_CLOCK):
        if left() <= 0:
            return None
        last = min(first + SETS_PER_CLOCK, 1 << d)
        best_sinks(d, sets.sets, sets.scores, sets.starts, first, last, value, sink)
    order: list[int] = []
    rest = (1 << d) - 1
    while rest:
        order.append(int(sink[rest]))
        rest ^= 1 << order[-1]
    top = float(value[-1])
    return ProvenNetwork(graph_of_order(sets, order[::-1]), top, top)


def graph_of_order(sets: ParentSets, ordering: Sequence[int]) -> Graph:
    """Return the best graph whose parents stand earlier in an ordering."""
    parents: list[tuple[int, ...]] = [()] * sets.d
    earlier = 0
    for x in ordering:
        _, mask = sets.best(x, earlier)
        parents[x] = tuple(v for v in range(sets.d) if mask >> v & 1)
        earlier |= 1 << x
    return Graph(tuple(parents))


def score_of(sets: ParentSets, graph: Graph) -> float:
    """Score a graph whose families are among the sets."""
    total = 0.0
    for x, parents in enumerate(graph.parents):
        total += sets.best(x, sum(1 << p for p in parents))[0]
    return total
