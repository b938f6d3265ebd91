"""Sequential floating backward selection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...parameters import whole
from ..base import Proposals, Search
from ..better import Better
from ..spaces.base import Space
from .floating import float_on
from .steps import down, highest, up


@dataclass
class SBFS(Search):
    """Remove the worst feature, then add features for as long as that beats what was known.

    Parameters
    ----------
    size : int or None
        Answer with the best subset of so many features, whatever the value.
    patience : int or None
        End after so many removed features without a better subset; None goes on to none.

    Notes
    -----
    Pudil, Novovičová and Kittler (1994): the mirror image of :class:`~fewest.search.SFFS`.

    Examples
    --------
    >>> from fewest.search import SBFS, Subsets
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> values = {(0, 1, 2): 0.6, (1, 2): 0.7, (2,): 0.6, (0, 2): 0.9}
    >>> scorer = TableMeasure(values, default=0.5).bind(toy_table(n_features=3))
    >>> drive(SBFS(), Subsets(3), scorer).answer
    array([ True, False,  True])
    """

    name: ClassVar[str] = "sbfs"
    source: ClassVar[str] = "Pudil, Novovičová and Kittler (1994)"

    size: int | None = whole(None, low=0, optional=True)
    patience: int | None = whole(5, low=1, optional=True)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """One batch a step: all features that can be removed, or all that can be added."""
        return (
            yield from float_on(
                space, better, rng, highest(space), down, up, self.size, self.patience
            )
        )
