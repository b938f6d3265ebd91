"""Searches that move one vector of probabilities: PBIL and cGA."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .._models.discrete import Marginals, Model, Rows
from .._parameters import number, one_of, whole
from ..measures._measure import Candidates
from ._better import Better
from ._distribution import EDA, Generation
from ._population import PopulationSearch, first_population, mean_share, scored
from ._search import Proposals, Verdict
from ._spaces.space import Space


@dataclass
class PBIL(EDA):
    """Moves the probability of each unit part of the way to its frequency among the best.

    Parameters
    ----------
    alpha : float
        How far to move in each generation; 1 is UMDA without Laplace's correction.
    vector : "p0" or "random"
        The vector at the start: ``p0`` for every unit, or drawn uniformly between 0 and 1.

    Notes
    -----
    p <- (1 - alpha) p + alpha (mean of the selected); Baluja (1994); Inza (2002, equation 4.6).
    The thesis starts from a random vector; the first population then shows little about a unit
    that starts near 0 or 1, and so starting every unit at ``p0`` is the default.
    """

    name: ClassVar[str] = "pbil"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.1.3"

    alpha: float = number(0.5, low=0.0, high=1.0)
    vector: str = one_of("p0", "random")

    def begin(self, space: Space, rng: np.random.Generator) -> tuple[Model | None, Candidates]:
        """Start from a random vector, or from ``p0``."""
        if self.vector == "p0":
            return super().begin(space, rng)
        first = Marginals.random(space.cardinalities, rng)
        return first, space.repair(first.sample(self.size, rng), rng)

    def learn(self, generation: Generation) -> Model:
        """Move the vector."""
        cards = generation.cardinalities
        before = generation.before
        start = Marginals.uniform(cards, above=mean_share(len(cards), self.p0))
        old = before if isinstance(before, Marginals) else start
        return old.moved(Marginals.learn(generation.selected, cards, prior=0.0), self.alpha)


@dataclass
class CGA(PopulationSearch):
    """Shifts the probability of each unit towards the winners of duels between two samples.

    Parameters
    ----------
    population : int
        Candidates of a batch, two to a duel.
    size : int
        K: a winner shifts each probability by 1 / K; the size of the simulated population.

    Notes
    -----
    Harik et al. (1998); Inza (2002, figure 4.4): two candidates are drawn from the newest vector
    and compete. With a larger ``population`` several duels are drawn from the same vector, so
    that they are scored as one batch. It ends when every probability is 0 or 1.
    """

    name: ClassVar[str] = "cga"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.1.4"
    samples_on: ClassVar[bool] = True

    population: int = whole(2, low=2)
    size: int = whole(100, low=2)
    p0: float | None = number(None, low=0.0, high=1.0, optional=True)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        cards = space.cardinalities
        population = yield from scored(first_population(space, self.population, rng, self.p0))
        vector = Marginals.uniform(cards, above=mean_share(len(cards), self.p0))
        while True:
            order = better.order(population.candidates, population.value)
            vector = self._after_duels(vector, population.candidates.astype(np.uint8), order)
            if (vector.probabilities.max(axis=1, initial=0.0) > 1.0 - 1e-9).all():
                return Verdict("every probability is 0 or 1")
            population = yield from scored(space.repair(vector.sample(self.population, rng), rng))

    def _after_duels(self, vector: Marginals, rows: Rows, order: NDArray[np.intp]) -> Marginals:
        """Shift by duels of the first and second row, the third and fourth, ..."""
        rank = np.argsort(order)
        one = np.arange(0, len(rows) - 1, 2)
        first_wins = rank[one] < rank[one + 1]
        winner = rows[np.where(first_wins, one, one + 1)]
        loser = rows[np.where(first_wins, one + 1, one)]
        levels = range(vector.probabilities.shape[1])
        won = np.stack([np.count_nonzero(winner == k, axis=0) for k in levels], axis=1)
        lost = np.stack([np.count_nonzero(loser == k, axis=0) for k in levels], axis=1)
        shifted = np.clip(vector.probabilities + (won - lost) / self.size, 0.0, 1.0)
        return Marginals(vector.cardinalities, shifted / shifted.sum(axis=1, keepdims=True))
