"""UMDA: the best candidates as independent units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...models.base import Model
from ...models.marginals import Marginals
from ...parameters import number
from .base import EDA, Generation


@dataclass
class UMDA(EDA):
    """Samples each unit with its frequency among the best candidates.

    Parameters
    ----------
    population, selected, p0 : see :class:`fewest.search.distribution.base.EDA`
    alpha : float
        Laplace's correction: so many rows of each level are added to the counts; 0 is plain
        frequencies, with which a level that no selected candidate has is lost for ever.

    Notes
    -----
    Mühlenbein (1998); Inza (2002, section 4.3.1.1), where ``alpha`` is 0.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.search import Better, Subsets, UMDA
    >>> space = Subsets(5)
    >>> steps = UMDA(population=20).propose(space, Better(space), np.random.default_rng(0))
    >>> next(steps).shape
    (20, 5)
    """

    name: ClassVar[str] = "umda"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.1.1"

    alpha: float = number(1.0, low=0.0)

    def learn(self, generation: Generation) -> Model:
        """Marginal frequencies."""
        return Marginals.learn(generation.selected, generation.cardinalities, prior=self.alpha)
