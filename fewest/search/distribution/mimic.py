"""MIMIC: a chain of the best candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...models.base import Model
from ...models.networks.network import Network
from ...models.trees import learn_chain
from ...parameters import number
from .base import EDA, Generation


@dataclass
class MIMIC(EDA):
    """Samples a chain in which each unit depends on the one before.

    Parameters
    ----------
    population, selected, p0 : see :class:`fewest.search.distribution.base.EDA`
    alpha : float
        Laplace's correction: so many rows of each level are added to the counts; 0 is plain
        frequencies, with which a level that no selected candidate has is lost for ever.

    Notes
    -----
    De Bonet et al. (1997): the chain by smallest conditional entropy (Inza, 2002, section
    4.3.2.1), where ``alpha`` is 0.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.search import Better, MIMIC, Subsets
    >>> space = Subsets(5)
    >>> steps = MIMIC(population=20).propose(space, Better(space), np.random.default_rng(0))
    >>> next(steps).shape
    (20, 5)
    """

    name: ClassVar[str] = "mimic"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.2.1"

    alpha: float = number(1.0, low=0.0)

    def learn(self, generation: Generation) -> Model:
        """Structure, then parameters."""
        rows, cards = generation.selected, generation.cardinalities
        return Network.learn(learn_chain(rows, cards), rows, cards, prior=self.alpha)
