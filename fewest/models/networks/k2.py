"""K2: parents from one side of an ordering, added one by one while they help."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from .family_scores import FamilyScores
from .graph import Graph
from .scores import Score


def learn_k2(
    rows: NDArray[Any],
    cardinalities: NDArray[Any],
    order: Sequence[int] | None = None,
    max_parents: int | None = None,
    score: Score | str = "k2",
    parents: str = "earlier",
) -> Graph:
    """The graph that K2 finds for an ordering of the variables (by default 0, 1, 2, ...).

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
