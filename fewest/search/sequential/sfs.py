"""Sequential forward selection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...parameters import number, whole
from ..base import Proposals, Search
from ..better import Better
from ..spaces.base import Space
from .steps import lowest, up
from .walks import climb, walk_to_size


@dataclass
class SFS(Search):
    """Start with nothing and add the best feature while the value improves.

    Parameters
    ----------
    size : int or None
        Go on to so many features whatever the value, and answer with that subset.
    least_gain : float
        A step must raise the value by more than this.

    Notes
    -----
    Kittler (1978); compared in Inza (2002, thesis), section 6.4.3. Below ``min_features`` it
    goes on whatever the value.

    Examples
    --------
    >>> from fewest.search import SFS, Subsets
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> measure = TableMeasure({(): 0.5, (1,): 0.7, (1, 2): 0.9}, default=0.4)
    >>> drive(SFS(), Subsets(3), measure.bind(toy_table(n_features=3))).answer
    array([False,  True,  True])
    """

    name: ClassVar[str] = "sfs"
    source: ClassVar[str] = "Kittler (1978); Inza (2002, thesis), section 6.4.3"
    spaces: ClassVar[tuple[str, ...]] = ("subsets", "levels")

    size: int | None = whole(None, low=0, optional=True)
    least_gain: float = number(0.0, low=0.0)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """One batch a step: all features that can be added."""
        if self.size is not None:
            return (yield from walk_to_size(space, better, lowest(space), up, self.size))
        return (yield from climb(space, better, rng, lowest(space), up, self.least_gain))
