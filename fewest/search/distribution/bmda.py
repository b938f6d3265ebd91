"""BMDA: a forest of the significant pairwise dependences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...models.base import Model
from ...models.networks.network import Network
from ...models.trees import learn_forest
from ...parameters import number
from .base import EDA, Generation


@dataclass
class BMDA(EDA):
    """Samples trees of those pairwise dependences that are significant.

    Parameters
    ----------
    population, selected, p0 : see :class:`fewest.search.distribution.base.EDA`
    significance : float
        Level of the chi-squared test; 0.05 is the usual threshold of 3.84 for bits.

    Notes
    -----
    Pelikan and Mühlenbein (1999): Pearson's chi-squared against its critical value (Inza, 2002,
    section 4.3.2.4), with Laplace's correction.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.search import Better, BMDA, Subsets
    >>> space = Subsets(5)
    >>> steps = BMDA(population=20).propose(space, Better(space), np.random.default_rng(0))
    >>> next(steps).shape
    (20, 5)
    """

    name: ClassVar[str] = "bmda"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.2.4"

    significance: float = number(0.05, low=1e-12, high=1.0)

    def learn(self, generation: Generation) -> Model:
        """Structure, then parameters."""
        rows, cards = generation.selected, generation.cardinalities
        return Network.learn(learn_forest(rows, cards, self.significance), rows, cards)
