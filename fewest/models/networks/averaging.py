"""How probable each arc is, over many networks instead of one."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from .family_scores import FamilyScores
from .graph import Graph
from .scores import Score

#: Up to so many variables all graphs are summed up.
MOST_EXACT = 8


def averaged_arcs(graphs: Sequence[Graph], scores: Sequence[float]) -> NDArray[np.float64]:
    """The posterior probability of each arc [parent, child] over the networks found.

    Notes
    -----
    Inza (2002), equations 3.12 and 3.13: each different network counts in proportion to its
    posterior, that is, to the exponential of its log score (K2, BDeu; BIC approximates it).

    Examples
    --------
    >>> forward, backward = Graph(((), (0,))), Graph(((1,), ()))
    >>> averaged_arcs([forward, backward], [np.log(3.0), 0.0])
    array([[0.  , 0.75],
           [0.25, 0.  ]])
    """
    if not graphs or len(graphs) != len(scores):
        raise InputError("`graphs` must hold at least one graph, and `scores` one number each.")
    different = {tuple(tuple(sorted(p)) for p in g.parents): s for g, s in
                 zip(graphs, scores, strict=True)}  # fmt: skip
    logs = np.array(list(different.values()))
    weights = np.exp(logs - logs.max())
    found = np.zeros((len(graphs[0].parents),) * 2)
    for parents, weight in zip(different, weights / weights.sum(), strict=True):
        for p, i in Graph(parents).arcs:
            found[p, i] += weight
    return found


def exact_arcs(
    rows: NDArray[Any],
    cardinalities: NDArray[Any],
    *,
    score: Score | str = "bdeu",
    max_parents: int | None = None,
) -> NDArray[np.float64]:
    """The posterior probability of each arc [parent, child] over all graphs, for few variables.

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
            f"{d}; average over the networks of a search instead."
        )
    most = d - 1 if max_parents is None else max_parents
    logs = [_sets(families, i, most) for i in range(d)]
    tops = [max(found.values()) for found in logs]
    with localcontext() as context:
        # The largest terms are near 1, the sum is at least the share of the empty graph.
        smallest = sum(top - found[0] for top, found in zip(tops, logs, strict=True))
        context.prec = int(smallest / np.log(10)) + 40
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
    """For each set of variables the sum over the parent sets inside it."""
    sums = [weights.get(mask, Decimal(0)) for mask in range(1 << d)]
    for v in range(d):
        for mask in range(1 << d):
            if mask >> v & 1:
                sums[mask] += sums[mask ^ (1 << v)]
    return sums


def _all_graphs(inside: list[list[Decimal]], d: int) -> Decimal:
    """The sum over all graphs of the products of their families."""
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
