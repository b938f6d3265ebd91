"""The network over the predictions: proven, by the thesis' genetic search, or by climbing."""

from __future__ import annotations

import numpy as np

from ..errors import InputError
from ..fitting.network_runs import find_graph
from ..models.networks.exact import learn_exact
from ..models.networks.family_scores import FamilyScores
from ..models.networks.graph import Graph
from .predictions import Predictions

#: Up to this many classifiers the best network is proven.
MOST_EXACT = 20
SEARCHES = ("auto", "exact", "genetic", "climbing")


def checked_search(search: str, n: int) -> str:
    """The search for a network over ``n`` classifiers, ``"auto"`` made definite.

    >>> checked_search("auto", 8), checked_search("auto", 30), checked_search("genetic", 8)
    ('exact', 'climbing', 'genetic')
    """
    if search not in SEARCHES:
        raise InputError(f"`search` must be one of {', '.join(SEARCHES)}, but is {search!r}.")
    if search == "exact" and n > MOST_EXACT:
        raise InputError(
            f'`search` must be "genetic" or "climbing" for {n} classifiers, but is "exact", which '
            f"can take {MOST_EXACT} at most."
        )
    if search != "auto":
        return search
    return "exact" if n <= MOST_EXACT else "climbing"


def learn_network(
    predictions: Predictions, score: str, search: str, rng: np.random.Generator
) -> tuple[Graph, bool, FamilyScores]:
    """The network, whether it is proven to be the best, and the scores of families."""
    rows = predictions.codes
    cards = np.full(rows.shape[1], max(len(predictions.classes), 2))
    families = FamilyScores(rows, cards, score=score)
    if search == "exact":
        found = learn_exact(rows, cards, score=score)
        return found.graph, found.optimal, families
    name = "genetic" if search == "genetic" else "hill-climbing"
    return find_graph(name, families, rng=rng)[0], False, families
