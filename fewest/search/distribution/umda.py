"""UMDA: the best candidates as independent units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...models.base import Model
from ...models.marginals import Marginals
from .base import EDA, Generation


@dataclass
class UMDA(EDA):
    """Samples each unit with its frequency among the best candidates.

    Parameters
    ----------
    population, selected, p0 : see :class:`fewest.search.distribution.base.EDA`

    Notes
    -----
    Mühlenbein (1998); Inza (2002, section 4.3.1.1), with Laplace's correction so that no unit
    is lost for ever.

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

    def learn(self, generation: Generation) -> Model:
        """Marginal frequencies."""
        return Marginals.learn(generation.selected, generation.cardinalities)
