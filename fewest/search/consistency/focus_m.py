"""FocusM: every subset from the smallest on, until one reaches the threshold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..base import Proposals, Search, Verdict
from ..better import Better
from ..monotone import Monotone, unit_costs, unreachable
from ..spaces.base import Space

#: How many subsets go into one batch.
BATCH = 2048


@dataclass
class FocusM(Search):
    """The smallest subset that reaches the threshold, by trying all from the smallest on.

    Notes
    -----
    Breadth first from the empty set (Dash and Liu, 2003, section 4.1; Almuallim and Dietterich,
    1994). Fast where few features are enough. With costs or groups the subsets of each number of
    units are tried, and those that cost no less than the best so far are left out, until every
    larger one costs more.

    Examples
    --------
    >>> from fewest.search import FocusM, Subsets
    >>> from fewest.testing import MonotoneTableMeasure, drive, toy_table
    >>> measure = MonotoneTableMeasure(lambda mask: float(mask[[1, 3]].all()), threshold=1.0)
    >>> drive(FocusM(), Subsets(4), measure.bind(toy_table(n_features=4))).answer
    array([False,  True, False,  True])
    """

    name: ClassVar[str] = "focus-m"
    source: ClassVar[str] = "Dash and Liu (2003), section 4.1"
    needs_monotone: ClassVar[bool] = True
    complete: ClassVar[bool] = True

    def propose_monotone(
        self, space: Space, better: Better, rng: np.random.Generator, monotone: Monotone
    ) -> Proposals:
        """Yield the subsets size by size, a batch at a time."""
        bounds = monotone.bounds
        costs = np.sort(unit_costs(space))
        base = float(space.cost(np.zeros((1, space.n_units), dtype=bool))[0])
        tried = first = 0
        for size in range(space.n_units + 1):
            least = base + float(costs[:size].sum())
            if least >= bounds.upper:
                break
            bounds.raise_lower(least)
            for batch in _of_size(space, size):
                batch = batch[space.feasible(batch) & (space.cost(batch) < bounds.upper)]
                scores = yield batch
                reached = np.flatnonzero(monotone.reaches(scores.value))
                if len(reached) and not first:
                    first = tried + int(reached[0]) + 1
                tried += len(batch)
                for row in reached:
                    bounds.offer(batch[row], float(space.cost(batch[row : row + 1])[0]))
                if bounds.upper <= least:
                    break
        if bounds.answer is None:
            raise unreachable(monotone)
        bounds.raise_lower(bounds.upper)
        # A batch goes on past the first success: the number of evaluations is larger.
        reason = (
            f"every smaller subset was tried and failed the threshold; subset number {first:,} "
            "was the first to reach it"
        )
        return Verdict(reason, True, bounds.upper, bounds.answer)


def _of_size(space: Space, size: int) -> Iterator[NDArray[np.bool_]]:
    """All subsets of so many units, in lexicographic order, in batches."""
    choices = combinations(range(space.n_units), size)
    while chunk := list(islice(choices, BATCH)):
        batch = np.zeros((len(chunk), space.n_units), dtype=bool)
        for row, units in enumerate(chunk):
            batch[row, list(units)] = True
        yield batch
