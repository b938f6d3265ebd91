"""Sequential floating forward selection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...parameters import whole
from ..base import Proposals, Search
from ..better import Better
from ..spaces.base import Space
from .floating import float_on
from .steps import down, lowest, up


@dataclass
class SFFS(Search):
    """Add the best feature, then remove features for as long as that beats what was known.

    Parameters
    ----------
    size : int or None
        Answer with the best subset of so many features, whatever the value.
    patience : int or None
        End after so many added features without a better subset; None goes on to all of them.

    Notes
    -----
    Pudil, Novovičová and Kittler (1994). For each size the best subset so far is kept; a removal
    is made only where it beats the best of that size, and an addition that does not reach the
    best known of its size goes on from that one. A fixed size is passed by two features so that
    removals can lead back to it. Beyond the paper: a removal can lead to a subset from which the
    way on is worse, so at the end the plain walk of :class:`~fewest.search.SFS` is looked at too,
    and where it knows better the search floats on from there; it never ends below SFS.

    Examples
    --------
    >>> from fewest.search import SFFS, Subsets
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> values = {(0,): 0.7, (0, 1): 0.72, (0, 1, 2): 0.8, (1, 2): 0.9}
    >>> scorer = TableMeasure(values, default=0.5).bind(toy_table(n_features=4))
    >>> drive(SFFS(), Subsets(4), scorer).answer
    array([False,  True,  True, False])
    """

    name: ClassVar[str] = "sffs"
    source: ClassVar[str] = "Pudil, Novovičová and Kittler (1994)"

    size: int | None = whole(None, low=0, optional=True)
    patience: int | None = whole(5, low=1, optional=True)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """One batch a step: all features that can be added, or all that can be removed."""
        return (
            yield from float_on(
                space, better, rng, lowest(space), up, down, self.size, self.patience
            )
        )
