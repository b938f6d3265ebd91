"""QBB: quick branch and bound, LVF first and ABB on what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...parameters import whole
from ..base import Proposals, Search, Verdict
from ..better import Better
from ..monotone import Monotone, unreachable
from ..spaces.base import Space
from .abb import descend
from .lvf import las_vegas, others


@dataclass
class QBB(Search):
    """A small subset that reaches the threshold: random first, then branch and bound below it.

    Parameters
    ----------
    tries : int
        How many subsets are evaluated, half of them at random.

    Notes
    -----
    Dash and Liu (2003, section 4.5): half of the evaluations go to LVF, half to ABB on each of
    the smallest subsets that LVF gave. All answers of the smallest size are alternatives.

    Examples
    --------
    >>> from fewest.search import QBB, Subsets
    >>> from fewest.testing import MonotoneTableMeasure, drive, toy_table
    >>> measure = MonotoneTableMeasure(lambda mask: float(mask[[1, 3]].all()), threshold=1.0)
    >>> drive(QBB(), Subsets(4), measure.bind(toy_table(n_features=4))).answer
    array([False,  True, False,  True])
    """

    name: ClassVar[str] = "qbb"
    source: ClassVar[str] = "Dash and Liu (2003), section 4.5"
    needs_monotone: ClassVar[bool] = True

    tries: int = whole(5000, low=2)

    def propose_monotone(
        self, space: Space, better: Better, rng: np.random.Generator, monotone: Monotone
    ) -> Proposals:
        """Yield from LVF, then from ABB on its answers in turn."""
        starts = yield from las_vegas(space, rng, monotone, self.tries // 2)
        if not starts:
            raise unreachable(monotone)
        found = list(starts)
        left = self.tries - self.tries // 2
        for start in starts:
            if left <= 0:
                break
            smaller, used = yield from descend(space, monotone, start, left)
            found.extend(smaller)
            left -= used
        costs = space.cost(np.array(found))
        found = [units for units, c in zip(found, costs, strict=True) if c <= costs.min() + 1e-9]
        return Verdict(
            f"{self.tries} subsets were tried", answer=found[0], alternatives=others(found)
        )
