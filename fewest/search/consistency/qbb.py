"""QBB: quick branch and bound, LVF first and ABB on what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...parameters import one_of, whole
from ..base import Proposals, Search, Verdict
from ..better import Better
from ..monotone import Monotone, unreachable
from ..spaces.base import Space
from .abb import Descent
from .lvf import las_vegas, others


@dataclass
class QBB(Search):
    """A small subset that reaches the threshold: random first, then branch and bound below it.

    Parameters
    ----------
    tries : int
        Half of them are random draws, half are evaluations below what those found.
    sampling : "uniform" or "shrinking"
        How subsets are drawn; see :class:`~fewest.search.LVF`.

    Notes
    -----
    Dash and Liu (2003, section 4.5): half of the tries go to LVF, half to ABB on each of the
    subsets that LVF gave, the smallest first; what was evaluated once is not evaluated again.
    The listing returns the subset of LVF below which the smallest one was found; here it is the
    smallest one itself. All answers of the smallest size are alternatives.

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
    sampling: str = one_of("uniform", "shrinking")

    def propose_monotone(
        self, space: Space, better: Better, rng: np.random.Generator, monotone: Monotone
    ) -> Proposals:
        """Yield from LVF, then from ABB on its answers in turn."""
        drawn = yield from las_vegas(space, rng, monotone, self.tries // 2, self.sampling)
        if not drawn.smallest:
            raise unreachable(monotone)
        descent = Descent(space, monotone)
        left = self.tries - self.tries // 2
        for start in reversed(drawn.outputs.values()):
            if descent.used < left:
                yield from descent.below(start, left - descent.used)
        found = descent.smallest.smallest
        return Verdict(
            f"{self.tries} subsets were tried", answer=found[0], alternatives=others(found)
        )
