"""cGA: a vector of probabilities that learns from duels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...models.base import Rows
from ...models.marginals import Marginals
from ...parameters import number, whole
from ..base import Proposals, Search, Verdict
from ..better import Better
from ..population import first_population, mean_share, scored
from ..spaces.base import Space


@dataclass
class CGA(Search):
    """Shifts the probability of each unit towards the winners of duels between two samples.

    Parameters
    ----------
    population : int
        Candidates of a batch, two to a duel.
    size : int
        K: a winner shifts each probability by 1 / K; the size of the simulated population.
    p0 : float or None
        Probability of each unit in the first population. None is one half for up to 100 units;
        beyond, the first population has subsets of all sizes, small ones as often as large ones.

    Notes
    -----
    Harik et al. (1998); Inza (2002, figure 4.4): two candidates are drawn from the newest vector
    and compete. With a larger ``population`` several duels are drawn from the same vector, so
    that they are scored as one batch. It ends when every probability is 0 or 1.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.search import Better, CGA, Subsets
    >>> space = Subsets(5)
    >>> steps = CGA(population=20).propose(space, Better(space), np.random.default_rng(0))
    >>> next(steps).shape
    (20, 5)
    """

    name: ClassVar[str] = "cga"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.1.4"
    spaces: ClassVar[tuple[str, ...]] = ("subsets", "levels")
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
        """The vector after duels of the first and second row, the third and fourth, ..."""
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
