"""Sequential backward elimination."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...parameters import flag, number, whole
from ..base import Proposals, Search
from ..better import Better
from ..spaces.base import Space
from .steps import down, highest
from .walks import climb, walk_to_size


@dataclass
class SBE(Search):
    """Start with everything and remove the worst feature while the value does not fall.

    Parameters
    ----------
    size : int or None
        Go on to so many features whatever the value, and answer with that subset.
    least_gain : float
        Where ``equal`` is False, a step must raise the value by more than this.
    equal : bool
        Go on too where the best removal leaves the value as it is: fewer features for nothing.
        False asks for an improvement, as the source does.

    Notes
    -----
    Kittler (1978); compared in Inza (2002, thesis), section 6.4.3, where the search stops when no
    removal improves the value: that is ``SBE(equal=False)``, which the reproduction uses. The
    default takes an equal value with fewer features as better, so that a constant column goes.
    Above ``max_features`` or the budget it goes on whatever the value.

    Examples
    --------
    >>> from fewest.search import SBE, Subsets
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> measure = TableMeasure({(0, 1, 2): 0.7, (0, 2): 0.8, (2,): 0.8}, default=0.4)
    >>> drive(SBE(), Subsets(3), measure.bind(toy_table(n_features=3))).answer
    array([False, False,  True])
    """

    name: ClassVar[str] = "sbe"
    source: ClassVar[str] = "Kittler (1978); Inza (2002, thesis), section 6.4.3"
    spaces: ClassVar[tuple[str, ...]] = ("subsets", "levels")

    size: int | None = whole(None, low=0, optional=True)
    least_gain: float = number(0.0, low=0.0)
    equal: bool = flag(True)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """One batch a step: all features that can be removed."""
        start = highest(space)
        if self.size is not None:
            return (yield from walk_to_size(space, better, start, down, self.size))
        return (yield from climb(space, better, rng, start, down, self.least_gain, self.equal))
