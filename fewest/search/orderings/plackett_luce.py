"""Estimation of distribution over orderings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...models.plackett_luce import PlackettLuce
from ...parameters import number, whole
from ..base import Proposals, Search
from ..better import Better
from ..population import scored, survivors
from ..spaces.base import Space
from .variation import swap


@dataclass(kw_only=True)
class PlackettLuceEDA(Search):
    """Learn a Plackett-Luce model of the best orderings and draw the next ones from it.

    Parameters
    ----------
    population : int
        How many orderings are kept, and how many are drawn per generation.
    selected : float
        The share of the population that the model is learned from.
    mutation : float
        The probability that two places of a drawn ordering are exchanged.

    Notes
    -----
    Ceberio, Mendiburu and Lozano (2013). Plackett-Luce rather than Mallows, because its worths
    are found by a convex problem while the centre of a Mallows model is a Kemeny ranking, which
    is NP-hard to find; because orderings are drawn exactly by one sort; and because variables
    whose place does not matter get equal worths, where Mallows has one spread for all.

    Examples
    --------
    >>> from fewest.search import PlackettLuceEDA
    >>> from fewest.search.spaces.orderings import Orderings
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda o: -float(abs(o - np.arange(6.0)).sum())).bind(toy_table())
    >>> drive(PlackettLuceEDA(population=50), Orderings(6), scorer, max_batches=20).best_value
    -0.0
    """

    name: ClassVar[str] = "plackett-luce"
    source: ClassVar[str] = "Ceberio, Mendiburu and Lozano (2013)"
    spaces: ClassVar[tuple[str, ...]] = ("orderings",)
    generational: ClassVar[bool] = True

    population: int = whole(100, low=4)
    selected: float = number(0.25, low=0.01, high=1.0)
    mutation: float = number(0.2, low=0.0, high=1.0)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """One batch per generation."""
        people = yield from scored(space.sample(self.population, rng))
        number_selected = max(2, round(self.selected * self.population))
        while True:
            best = people.best(number_selected, better)
            model = PlackettLuce.learn(best.candidates)
            drawn = model.sample(self.population, rng).astype(people.candidates.dtype)
            new = yield from scored(swap(drawn, self.mutation, rng))
            people = survivors(people, new, self.population, better)
