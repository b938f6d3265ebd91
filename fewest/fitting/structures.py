"""Searches for a network, by name, as the network learner takes them."""

from __future__ import annotations

import difflib
from typing import Any

from ..errors import InputError
from ..search.base import Search
from ..search.graphs.exact_graph import ExactGraph
from ..search.registry import resolve_search

#: Up to so many variables "auto" proves its answer, with at most so many parents.
AUTO_PROVES, AUTO_PARENTS = 20, 4
#: Searches over graphs by their short names, which other spaces use too.
STRUCTURE_SEARCHES = {
    "exact": "exact-graph",
    "hill-climbing": "climb-graph",
    "tabu": "tabu-graph",
    "iterated-tabu": "iterated-tabu-graph",
    "annealing": "anneal-graph",
    "genetic": "ga-graph",
}
#: Searches over orderings that go with networks.
ORDER_SEARCHES = ("ga-order", "climb-order", "plackett-luce", "random")


def choose_search(search: Any, n_variables: int, max_parents: int | None) -> tuple[Any, list[str]]:
    """The name or Search behind ``search``, and why, where "auto" decided."""
    if search == "auto":
        small = max_parents is not None and max_parents <= AUTO_PARENTS
        if n_variables <= AUTO_PROVES and (small or n_variables <= 12):
            return "exact", [f"Search exact: {n_variables} variables are few enough for a proof."]
        why = f"Search iterated-tabu: {n_variables} variables are too many for a quick proof."
        return "iterated-tabu", [why]
    if isinstance(search, str) and search not in (*STRUCTURE_SEARCHES, *ORDER_SEARCHES):
        known = [*STRUCTURE_SEARCHES, *ORDER_SEARCHES]
        near = difflib.get_close_matches(search, known, n=3)
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        raise InputError(
            f"`search` must be a search over graphs or orderings or one of auto, "
            f"{', '.join(known)}, but is {search!r}.{hint}"
        )
    return search, []


def search_of(search: Any, seconds: float | None) -> Search:
    """The Search behind a name; a search with a proof is told its time limit."""
    found = resolve_search(STRUCTURE_SEARCHES.get(search, search) if _named(search) else search)
    if isinstance(found, ExactGraph) and found.seconds is None:
        return ExactGraph(seconds=seconds)
    return found


def short_name(search: Search) -> str:
    """What the learner calls a search.

    >>> short_name(ExactGraph())
    'exact'
    """
    short = {long: name for name, long in STRUCTURE_SEARCHES.items()}
    return short.get(search.name, search.name)


def _named(search: Any) -> bool:
    return isinstance(search, str)
