"""EMNA_i: a normal distribution of a population that grows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..better import Better
from ..population import Population
from .one_by_one import OneByOne


@dataclass
class EMNAIncremental(OneByOne):
    """Samples one candidate at a time and adds every one to the population.

    Parameters
    ----------
    population, selected, steps : see :class:`fewest.search.continuous.one_by_one.OneByOne`

    Notes
    -----
    Larrañaga and Lozano (2001); Inza (2002, section 4.4.3.1). Since every candidate is added
    without a restriction, nothing drives the distribution to better ones after the first
    selection: it keeps to the region of the first selected candidates.

    Examples
    --------
    >>> from fewest.search import EMNAIncremental
    >>> from fewest.search.spaces.box import Box
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda w: -abs(w - 0.3).sum()).bind(toy_table(n_features=3))
    >>> drive(EMNAIncremental(steps=200), Box(3), scorer).best_value > -0.3
    True
    """

    name: ClassVar[str] = "emna-incremental"
    source: ClassVar[str] = "Larrañaga and Lozano (2001); Inza (2002, thesis), section 4.4.3.1"

    def take_in(self, members: Population, new: Population, better: Better) -> Population:
        """Add it, whatever its value."""
        return members.join(new)
