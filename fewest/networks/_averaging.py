"""Probability of each arc, over many networks instead of one."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, localcontext
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError, did_you_mean
from .._kernels.networks.orders import arcs_over_orders, sum_subsets, walk_orders
from .._models.family_scores import FamilyScores, Score
from .._models.graph import Graph
from .._models.parent_sets import all_family_scores
from .._models.structure_search import climb_families

#: Most variables for which all graphs can be summed up, and are by default.
MOST_EXACT, MOST_GRAPHS = 8, 6
#: Most variables for which all orderings are summed up, with few parents or any number.
MOST_ORDERS, MOST_ORDERS_ANY, FEW_PARENTS = 20, 16, 4
#: Chains over orderings, parts of each, and candidate parents of a variable.
CHAINS, PARTS_PER_CHAIN, CANDIDATE_PARENTS = 4, 10, 12


@dataclass(frozen=True, eq=False)
class ArcPosteriors:
    """Probability of each arc.

    probability (d, d): the probability of each arc [parent, child].
    method: "graphs", "orderings" or "sampled orderings"; summed over all graphs, over all
        orderings, or over a sample of orderings.
    error (d, d): the standard errors; 0 where nothing was sampled.
    effective: for a sample, how many independent orderings it is worth.
    """

    names: tuple[str, ...]
    probability: NDArray[np.float64]
    method: str
    error: NDArray[np.float64]
    effective: float | None = None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return the probabilities."""
        return np.array(self.probability, dtype=dtype)

    def __getitem__(self, arc: tuple[str, str]) -> float:
        """Return the probability of an arc (parent, child)."""
        for name in arc:
            if name not in self.names:
                raise InputError(
                    f"An arc must be a pair of variables, parent and child, but {name!r} is none."
                    f"{did_you_mean(name, self.names)}"
                )
        parent, child = (self.names.index(name) for name in arc)
        return float(self.probability[parent, child])


def arc_posteriors(
    families: FamilyScores,
    start: Graph,
    names: tuple[str, ...],
    *,
    max_parents: int | None = None,
    samples: int = 4000,
    rng: np.random.Generator,
) -> ArcPosteriors:
    """Return each arc's probability over all graphs, all orderings, or a sample of orderings."""
    rows, cards, rule = families.rows, families.cardinalities, families.rule
    d = len(cards)
    if d <= MOST_GRAPHS:
        exact = exact_arcs(rows, cards, score=rule, max_parents=max_parents)
        return ArcPosteriors(names, exact, "graphs", np.zeros((d, d)))
    most = d - 1 if max_parents is None else max_parents
    if d <= (MOST_ORDERS if most <= FEW_PARENTS else MOST_ORDERS_ANY):
        whole = arcs_of_orders(rows, cards, score=rule, max_parents=max_parents)
        return ArcPosteriors(names, whole, "orderings", np.zeros((d, d)))
    found, error, effective = sampled_arcs(
        families, start, max_parents=max_parents, samples=samples, rng=rng
    )
    return ArcPosteriors(names, found, "sampled orderings", error, effective)


def arcs_of_orders(
    rows: NDArray[Any],
    cardinalities: NDArray[Any],
    *,
    score: Score | str = "bdeu",
    max_parents: int | None = None,
) -> NDArray[np.float64]:
    """Return the posterior probability of each arc [parent, child] over all orderings.

    Notes
    -----
    Koivisto and Sood (2004). All orderings are equally probable beforehand, so that a graph
    counts once for each ordering that it agrees with.

    Examples
    --------
    >>> a, b = np.random.default_rng(0).integers(0, 2, (2, 50))
    >>> arcs_of_orders(np.stack([a, b, a], axis=1), np.full(3, 2)).round(2)[[0, 2, 0], [2, 0, 1]]
    array([0.5 , 0.5 , 0.04])
    """
    sums = all_family_scores(rows, cardinalities, score=score, max_parents=max_parents)
    for own in sums:
        sum_subsets(own)
    arcs = np.zeros((len(sums),) * 2)
    arcs_over_orders(sums, arcs)
    return arcs


def sampled_arcs(
    families: FamilyScores,
    start: Graph,
    *,
    max_parents: int | None = None,
    samples: int = 4000,
    rng: np.random.Generator,
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Sample orderings; return probabilities of arcs, standard errors, and the effective number.

    Friedman and Koller (2003), with all orderings equally probable beforehand. A variable may have
    its neighbours in ``start`` and those that add most to its score as parents, twelve at most.
    Four chains, one of them from the ordering of ``start``, each without its first third; their
    parts give the standard errors, so that chains that do not meet show.
    """
    d = len(families.cardinalities)
    listed = _candidate_sets(families, start, max_parents)
    parts, logs = [], []
    size = max(1, samples // (CHAINS * PARTS_PER_CHAIN))
    for chain in range(CHAINS):
        order = np.array(start.order) if chain == 0 else rng.permutation(d)
        for part in range(-PARTS_PER_CHAIN // 2, PARTS_PER_CHAIN):
            arcs, log = np.zeros((d, d)), np.zeros(size)
            walk_orders(order, *listed, rng.random((size * d, 4)), d, log, arcs)
            if part >= 0:
                parts.append(arcs / size)
                logs.append(log)
    means = np.array(parts)
    error = means.std(axis=0, ddof=1) / np.sqrt(len(parts))
    return means.mean(axis=0), error, _effective(np.array(logs))


def _effective(logs: NDArray[np.float64]) -> float:
    """Return the effective sample size by the means of parts (rows): n x var / n' x theirs."""
    between = float(logs.mean(axis=1).var(ddof=1)) * logs.shape[1]
    return float(logs.size * min(1.0, logs.var() / between)) if between > 0 else float(logs.size)


def _candidate_sets(
    families: FamilyScores, start: Graph, max_parents: int | None
) -> tuple[NDArray[Any], ...]:
    """Return candidate parents (d, most), sets of them as masks, the largest first, and weights."""
    d = len(families.cardinalities)
    most = d if max_parents is None else max_parents
    candidates = np.full((d, CANDIDATE_PARENTS), -1)
    sets: list[int] = []
    weights: list[float] = []
    starts = [0]
    for i in range(d):
        own = _candidates(families, start, i)
        candidates[i, : len(own)] = own
        found = [
            (families.score(i, [own[c] for c in chosen]), sum(1 << c for c in chosen))
            for k in range(min(most, len(own)) + 1)
            for chosen in combinations(range(len(own)), k)
        ]
        found.sort(reverse=True)
        weights += [w for w, _ in found]
        sets += [mask for _, mask in found]
        starts.append(len(sets))
    return candidates, np.array(sets), np.array(weights), np.array(starts)


def _candidates(families: FamilyScores, start: Graph, child: int) -> list[int]:
    parents = start.parents[child]
    near = [*parents, *(i for i, own in enumerate(start.parents) if child in own)]
    further = np.argsort(-families.gains(child, parents), kind="stable").tolist()
    alone = np.argsort(-families.gains(child, ()), kind="stable").tolist()
    both = [j for pair in zip(further, alone, strict=True) for j in pair]
    return [j for j in dict.fromkeys([*near, *both]) if j != child][:CANDIDATE_PARENTS]


def exact_arcs(
    rows: NDArray[Any],
    cardinalities: NDArray[Any],
    *,
    score: Score | str = "bdeu",
    max_parents: int | None = None,
) -> NDArray[np.float64]:
    """Return each arc's posterior probability [parent, child] over all graphs, for few variables.

    Notes
    -----
    All graphs are equally probable beforehand. The sum over them is built from sets of sinks with
    inclusion and exclusion (Tian and He, 2009). Its terms cancel, so it is computed with as
    many digits as that takes.

    Examples
    --------
    >>> a, b = np.random.default_rng(0).integers(0, 2, (2, 50))
    >>> exact_arcs(np.stack([a, b, a], axis=1), np.full(3, 2)).round(2)[[0, 2, 0], [2, 0, 1]]
    array([0.5 , 0.5 , 0.08])
    """
    families = FamilyScores(rows, cardinalities, score=score)
    d = len(families.cardinalities)
    if d > MOST_EXACT:
        raise InputError(
            f"`rows` must have at most {MOST_EXACT} variables to sum over all graphs, but have "
            f"{d}; use `arc_posteriors`, which sums over orderings."
        )
    most = d - 1 if max_parents is None else max_parents
    logs = [_sets(families, i, most) for i in range(d)]
    tops = [max(found.values()) for found in logs]
    with localcontext() as context:
        # The largest terms are near 1, the sum is at least the share of one good graph.
        _, good = climb_families(families, max_parents=max_parents, tenure=10, patience=20)
        context.prec = int((sum(tops) - good) / np.log(10)) + 40
        weights = [
            {mask: (Decimal(value) - Decimal(top)).exp() for mask, value in found.items()}
            for found, top in zip(logs, tops, strict=True)
        ]
        inside = [_inside(found, i, d) for i, found in enumerate(weights)]
        whole = _all_graphs(inside, d)
        out = np.zeros((d, d))
        for i in range(d):
            for p in range(d):
                if p != i:
                    with_p = {m: w for m, w in weights[i].items() if m >> p & 1}
                    changed = [*inside[:i], _inside(with_p, i, d), *inside[i + 1 :]]
                    out[p, i] = float(_all_graphs(changed, d) / whole)
    return out


def _sets(families: FamilyScores, child: int, most: int) -> dict[int, float]:
    others = [j for j in range(len(families.cardinalities)) if j != child]
    return {
        sum(1 << p for p in parents): families.score(child, parents)
        for k in range(most + 1)
        for parents in combinations(others, k)
    }


def _inside(weights: dict[int, Decimal], child: int, d: int) -> list[Decimal]:
    """Sum, for each set of variables, over the parent sets inside it."""
    sums = [weights.get(mask, Decimal(0)) for mask in range(1 << d)]
    for v in range(d):
        for mask in range(1 << d):
            if mask >> v & 1:
                sums[mask] += sums[mask ^ (1 << v)]
    return sums


def _all_graphs(inside: list[list[Decimal]], d: int) -> Decimal:
    """Sum the products of families over all graphs."""
    total = [Decimal(1)] + [Decimal(0)] * ((1 << d) - 1)
    for whole in range(1, 1 << d):
        sinks = whole
        while sinks:
            rest = whole ^ sinks
            product = total[rest] if sinks.bit_count() % 2 else -total[rest]
            for j in range(d):
                if sinks >> j & 1:
                    product *= inside[j][rest]
            total[whole] += product
            sinks = (sinks - 1) & whole
    return total[-1]
