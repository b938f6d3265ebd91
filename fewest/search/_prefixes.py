"""Subsets along a ranking: the first feature, the first two, the first three, ..."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ._better import Better
from ._search import Proposals, Search, Verdict
from ._spaces.space import Space


@dataclass
class Prefixes(Search):
    """Score the prefixes of a ranking of the units, and all units together.

    Parameters
    ----------
    order : tuple of int
        The ranked units, the best first. Units that it does not name are only in the last
        candidate, which holds everything.

    Examples
    --------
    >>> from fewest.search import Subsets
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure({(2,): 0.7, (0, 2): 0.9}, default=0.4).bind(toy_table(n_features=4))
    >>> drive(Prefixes((2, 0)), Subsets(4), scorer).answer
    array([ True, False,  True, False])
    """

    name: ClassVar[str] = "prefixes"
    source: ClassVar[str] = "ranking"
    ends: ClassVar[bool] = True

    order: tuple[int, ...] = ()

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """Yield one batch: the prefixes that keep the constraints."""
        candidates = prefixes(self.order, space.n_units)
        allowed = candidates[space.feasible(candidates)]
        if not len(allowed):
            # A group or a budget may leave no prefix: then what is nearest to one.
            allowed = np.asarray(space.repair(candidates, rng))
        yield allowed
        return Verdict("all prefixes of the ranking are scored")


def prefixes(order: tuple[int, ...], n_units: int) -> NDArray[np.bool_]:
    """Return the prefixes of a ranking, one row each, then all units.

    >>> prefixes((1,), 2).astype(int).tolist()
    [[0, 1], [1, 1]]
    """
    rows = np.zeros((len(order) + 1, n_units), dtype=bool)
    for length, unit in enumerate(order):
        rows[length:, unit] = True
    rows[-1] = True
    return rows
