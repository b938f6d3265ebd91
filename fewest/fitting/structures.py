"""Searches over the graphs of Bayesian networks, by name, as the network learner calls them."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import InputError
from ..models.networks.exact import learn_exact
from ..models.networks.family_scores import FamilyScores
from ..models.networks.graph import Graph
from ..models.networks.random_search import anneal_families, breed_families
from ..models.networks.structure_search import climb_families

#: Up to so many variables "auto" proves its answer, with at most so many parents.
AUTO_PROVES, AUTO_PARENTS = 20, 4


@dataclass(frozen=True)
class Structure:
    """The graph that a search found, and what is known of it.

    ``bound`` is what no graph exceeds, None where the search cannot tell; ``best`` lists the
    best score by generation; ``others`` are further good graphs with their scores.
    """

    graph: Graph
    score: float
    stopped: str
    optimal: bool = False
    bound: float | None = None
    best: list[float] = field(default_factory=list)
    others: list[tuple[Graph, float]] = field(default_factory=list)


#: A search: families, most parents, random stream, seconds -> structure.
StructureSearch = Callable[[FamilyScores, int | None, np.random.Generator, float | None], Structure]


def _climbing(
    families: FamilyScores, most: int | None, rng: np.random.Generator, seconds: float | None
) -> Structure:
    graph, score = climb_families(families, max_parents=most)
    return Structure(graph, score, "no single arc improves the network", best=[score])


def _tabu(
    families: FamilyScores, most: int | None, rng: np.random.Generator, seconds: float | None
) -> Structure:
    graph, score = climb_families(families, max_parents=most, tenure=10, patience=100)
    return Structure(graph, score, "no improvement in 100 steps", best=[score])


def _annealing(
    families: FamilyScores, most: int | None, rng: np.random.Generator, seconds: float | None
) -> Structure:
    graph, score = anneal_families(families, rng, max_parents=most)
    return Structure(graph, score, "the temperature has reached its end", best=[score])


def _genetic(
    families: FamilyScores, most: int | None, rng: np.random.Generator, seconds: float | None
) -> Structure:
    told = breed_families(families, rng, max_parents=most)
    graph, score = told[-1][0]
    best = [people[0][1] for people in told]
    return Structure(graph, score, f"{len(told)} generations done", best=best, others=told[-1])


def _exact(
    families: FamilyScores, most: int | None, rng: np.random.Generator, seconds: float | None
) -> Structure:
    found = learn_exact(
        families.rows, families.cardinalities, score=families.rule, max_parents=most,
        seconds=seconds,
    )  # fmt: skip
    why = "no network scores more" if found.optimal else "the time limit was reached"
    return Structure(found.graph, found.score, why, found.optimal, found.bound, [found.score])


STRUCTURE_SEARCHES: dict[str, StructureSearch] = {
    "exact": _exact,
    "hill-climbing": _climbing,
    "tabu": _tabu,
    "annealing": _annealing,
    "genetic": _genetic,
}
#: Searches over orderings that go with networks.
ORDER_SEARCHES = ("ga-order", "climb-order", "plackett-luce", "random")


def choose_search(search: Any, n_variables: int, max_parents: int | None) -> tuple[Any, list[str]]:
    """The name or Search behind ``search``, and why, where "auto" decided."""
    if search == "auto":
        small = max_parents is not None and max_parents <= AUTO_PARENTS
        if n_variables <= AUTO_PROVES and (small or n_variables <= 12):
            return "exact", [f"Search exact: {n_variables} variables are few enough for a proof."]
        return "tabu", [f"Search tabu: {n_variables} variables are too many for a quick proof."]
    if isinstance(search, str) and search not in (*STRUCTURE_SEARCHES, *ORDER_SEARCHES):
        known = [*STRUCTURE_SEARCHES, *ORDER_SEARCHES]
        near = difflib.get_close_matches(search, known, n=3)
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        raise InputError(
            f"`search` must be a search over orderings or one of auto, {', '.join(known)}, but is "
            f"{search!r}.{hint}"
        )
    return search, []
