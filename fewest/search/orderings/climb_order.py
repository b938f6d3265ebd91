"""Hill climbing over orderings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...parameters import whole
from ..base import Proposals, Search, Verdict
from ..better import Better
from ..population import scored
from ..spaces.base import Space
from .variation import neighbours


@dataclass(kw_only=True)
class ClimbOrder(Search):
    """Improve a random ordering by the best swap or insertion while one helps, several times.

    Parameters
    ----------
    restarts : int
        How many random orderings are improved.

    Examples
    --------
    >>> from fewest.search import ClimbOrder
    >>> from fewest.search.spaces.orderings import Orderings
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda o: -float(abs(o - np.arange(6.0)).sum())).bind(toy_table())
    >>> drive(ClimbOrder(restarts=1), Orderings(6), scorer).best_value
    -0.0
    """

    name: ClassVar[str] = "climb-order"
    source: ClassVar[str] = "Teyssier and Koller (2005), with insertions beside swaps"
    spaces: ClassVar[tuple[str, ...]] = ("orderings",)
    ends: ClassVar[bool] = True

    restarts: int = whole(3, low=1)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """One batch per step: all neighbours of the ordering at hand."""
        for _ in range(self.restarts):
            here = yield from scored(space.sample(1, rng))
            while space.n_units > 1:
                around = yield from scored(neighbours(here.candidates[0]))
                top = around.best(1, better)
                if not better.improves(float(top.value[0]), float(here.value[0])):
                    break
                here = top
        return Verdict(f"no swap or insertion improves the last of {self.restarts} orderings")
