"""Which classifiers to combine: those that the network calls independent, judged honestly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..models.networks.graph import Graph
from .predictions import Predictions


@dataclass(frozen=True)
class Ensemble:
    """A suggestion, and what it is worth beside the obvious alternatives.

    Parameters
    ----------
    members : tuple of str
    accuracy : mapping of method to accuracy
        On rows that the choice has not seen: ``"suggested"``, ``"best single"``, ``"all vote"``
        and ``"most accurate"`` (the k most accurate ones vote).
    """

    members: tuple[str, ...]
    accuracy: dict[str, float]


def pick_independent(graph: Graph, accuracy: NDArray[np.float64], k: int) -> list[int]:
    """The most accurate classifier, then those with the fewest ties to the chosen ones.

    A candidate is tied to a chosen classifier if the rest of the network does not separate
    them, which is the case when they share an arc or a child. Equal numbers of ties: the more
    accurate one.
    """
    everything = set(range(len(accuracy)))
    chosen = [int(accuracy.argmax())]
    while len(chosen) < k:
        rest = sorted(everything - set(chosen))
        ties = [
            sum(not graph.separated({x}, {c}, everything - {x, c}) for c in chosen) for x in rest
        ]
        best = min(range(len(rest)), key=lambda i: (ties[i], -accuracy[rest[i]]))
        chosen.append(rest[best])
    return chosen


def vote(codes: NDArray[np.int64], members: Sequence[int], n_classes: int) -> NDArray[np.int64]:
    """The majority of the members' predictions; a tie goes to the first member's among them."""
    counts = np.zeros((len(codes), n_classes))
    for rank, member in enumerate(members):
        counts[np.arange(len(codes)), codes[:, member]] += 1.0 + 1e-3 / (rank + 1)
    return np.asarray(counts.argmax(axis=1), dtype=np.int64)


def check_size(k: int, n: int) -> None:
    """Refuse an ensemble that is no ensemble, or larger than there are classifiers."""
    if not 2 <= k <= n:
        raise InputError(
            f"`k` must be between 2 and {n} (the number of classifiers), but is {k!r}."
        )


def accuracies(
    chosen: Sequence[int], k: int, choosing: Predictions, judging: Predictions
) -> dict[str, float]:
    """What each way to combine is worth on ``judging``, chosen by ``choosing`` alone."""
    order = np.argsort(-choosing.accuracy, kind="stable")
    n_classes, codes = len(judging.classes), judging.codes
    ways = {
        "suggested": list(chosen),
        "best single": [int(order[0])],
        "all vote": order.tolist(),
        "most accurate": order[:k].tolist(),
    }
    return {
        name: float((vote(codes, members, n_classes) == judging.target).mean())
        for name, members in ways.items()
    }
