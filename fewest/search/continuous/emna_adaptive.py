"""EMNA_a: a normal distribution that follows a population in a steady state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..better import Better
from ..population import Population
from .one_by_one import OneByOne


@dataclass
class EMNAAdaptive(OneByOne):
    """Samples one candidate at a time; if it is better than the worst, it takes its place.

    Parameters
    ----------
    population, selected, steps : see :class:`fewest.search.continuous.one_by_one.OneByOne`

    Notes
    -----
    Larrañaga and Lozano (2001); Inza (2002, section 4.4.3.1). The distribution is learned anew
    from the population after every replacement.

    Examples
    --------
    >>> from fewest.search import EMNAAdaptive
    >>> from fewest.search.spaces.box import Box
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda w: -abs(w - 0.3).sum()).bind(toy_table(n_features=3))
    >>> drive(EMNAAdaptive(population=60, steps=900), Box(3), scorer).best_value > -0.05
    True
    """

    name: ClassVar[str] = "emna-adaptive"
    source: ClassVar[str] = "Larrañaga and Lozano (2001); Inza (2002, thesis), section 4.4.3.1"

    def take_in(self, members: Population, new: Population, better: Better) -> Population:
        """Replace the last of the sorted population, if the new one is better."""
        if not better.improves(float(new.value[0]), float(members.value[-1])):
            return members
        kept = members.take(np.arange(len(members) - 1)).join(new)
        return kept.best(len(kept), better)
