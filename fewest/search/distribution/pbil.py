"""PBIL: a vector of probabilities that moves towards the best candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...measures.base import Candidates
from ...models.base import Model
from ...models.marginals import Marginals
from ...parameters import number, one_of
from ..population import mean_share
from ..spaces.base import Space
from .base import EDA, Generation


@dataclass
class PBIL(EDA):
    """Moves the probability of each unit part of the way to its frequency among the best.

    Parameters
    ----------
    population, selected, p0 : see :class:`fewest.search.distribution.base.EDA`
    alpha : float
        How far to move in each generation; 1 is UMDA without Laplace's correction.
    vector : "p0" or "random"
        The vector at the start: ``p0`` for every unit, or drawn uniformly between 0 and 1.

    Notes
    -----
    p <- (1 - alpha) p + alpha (mean of the selected); Baluja (1994); Inza (2002, equation 4.6).
    The thesis starts from a random vector; the first population then says little about a unit
    that starts near 0 or 1, and so starting every unit at ``p0`` is the default.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.search import Better, PBIL, Subsets
    >>> space = Subsets(5)
    >>> steps = PBIL(population=20).propose(space, Better(space), np.random.default_rng(0))
    >>> next(steps).shape
    (20, 5)
    """

    name: ClassVar[str] = "pbil"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.1.3"

    alpha: float = number(0.5, low=0.0, high=1.0)
    vector: str = one_of("p0", "random")

    def begin(self, space: Space, rng: np.random.Generator) -> tuple[Model | None, Candidates]:
        """The first population, from a random vector where that is asked for."""
        if self.vector == "p0":
            return super().begin(space, rng)
        first = Marginals.random(space.cardinalities, rng)
        return first, space.repair(first.sample(self.size, rng), rng)

    def learn(self, generation: Generation) -> Model:
        """The vector, moved."""
        cards = generation.cardinalities
        before = generation.before
        start = Marginals.uniform(cards, above=mean_share(len(cards), self.p0))
        old = before if isinstance(before, Marginals) else start
        return old.moved(Marginals.learn(generation.selected, cards, prior=0.0), self.alpha)
