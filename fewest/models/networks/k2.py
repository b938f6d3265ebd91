"""K2: parents from the variables that come before, added one by one while they help."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...kernels.counting.bitplanes import pack_planes
from ...kernels.networks.algorithm_b import LEAST
from ...kernels.networks.family import parent_gains
from ..base import as_rows
from .algorithm_b import LARGEST_TABLE
from .graph import Graph
from .scores import Score


def learn_k2(
    rows: NDArray[Any],
    cardinalities: NDArray[Any],
    order: Sequence[int] | None = None,
    max_parents: int | None = None,
    score: Score | str = "k2",
) -> Graph:
    """The graph that K2 finds for an ordering of the variables (by default 0, 1, 2, ...).

    Notes
    -----
    Cooper and Herskovits (1992); Inza (2002, figure 3.5). Equal scores are decided for the
    variable that comes first in the ordering.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = np.random.default_rng(0).integers(0, 2, (2, 60))
    >>> learn_k2(np.stack([a, b, a ^ b], axis=1), np.full(3, 2), order=[2, 1, 0]).parents
    ((), (), ())
    >>> learn_k2(np.stack([a, b, a], axis=1), np.full(3, 2), order=[2, 1, 0]).parents
    ((2,), (), ())
    """
    data, cards = as_rows(rows, cardinalities)
    line = list(range(len(cards))) if order is None else [int(i) for i in order]
    if sorted(line) != list(range(len(cards))):
        raise InputError(
            f"`order` must name each of the {len(cards)} variables once, but is {order!r}."
        )
    chosen = Score(score) if isinstance(score, str) else score
    most = len(cards) if max_parents is None else max_parents
    shared = (*pack_planes(data, cards), chosen.numbers(len(data)))
    parents: list[tuple[int, ...]] = [()] * len(cards)
    for place, child in enumerate(line):
        parents[child] = _parents(child, line[:place], most, cards, shared)
    return Graph(tuple(parents))


def _parents(
    child: int, before: list[int], most: int, cards: NDArray[np.int64], shared: tuple[Any, ...]
) -> tuple[int, ...]:
    planes, offsets, everything, numbers = shared
    found: list[int] = []
    open_ = list(before)
    cells = float(cards[child])
    while True:
        so_far = np.array(found, dtype=np.int64)
        args = (planes, offsets, cards, everything, child, so_far, *numbers)
        open_ = [p for p in open_ if cells * cards[p] <= LARGEST_TABLE]
        if not open_ or len(found) >= most:
            return tuple(found)
        gains = parent_gains(*args)[open_]
        best = int(np.flatnonzero(gains >= gains.max() - LEAST)[0])
        if not gains[best] > LEAST:
            return tuple(found)
        cells *= cards[open_[best]]
        found.append(open_.pop(best))
