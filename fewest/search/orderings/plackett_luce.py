"""Estimation of distribution over orderings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...models.plackett_luce import PlackettLuce
from ...parameters import number, whole
from ..base import Proposals, Search
from ..better import Better
from ..population import scored
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
    whose place does not matter get equal worths, where Mallows has one spread for all. Of equally
    good orderings chance decides which ones the model is learned from.

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
            best = people.take(ties_by_chance(people.value, rng)[:number_selected])
            model = PlackettLuce.learn(best.candidates)
            drawn = model.sample(self.population, rng).astype(people.candidates.dtype)
            new = yield from scored(swap(drawn, self.mutation, rng))
            people = people.join(new)
            people = people.take(ties_by_chance(people.value, rng)[: self.population])


def ties_by_chance(value: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.intp]:
    """The indices from the best value to the worst, equal values in random order.

    Many orderings lead to equivalent networks. Were ties broken by the key, as elsewhere, the
    model would learn the keys. Sums in another order count as equal.

    >>> ties_by_chance(np.array([1.0, 3.0, np.nan, 2.0]), np.random.default_rng(0))
    array([1, 3, 0, 2])
    """
    known = np.where(np.isfinite(value), value, -np.inf)
    finite = known[np.isfinite(known)]
    scale = 1e-10 * max(1.0, float(np.abs(finite).max(initial=0.0)))
    return np.lexsort((rng.random(len(value)), -np.round(known / scale)))
