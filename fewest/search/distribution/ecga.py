"""EcGA: groups of units that are sampled together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...models.base import Model
from ...models.groups import Groups, learn_groups
from ...parameters import number, whole
from .base import EDA, Generation


@dataclass
class EcGA(EDA):
    """Finds groups of units by description length and samples each group as a whole.

    Parameters
    ----------
    population, selected, p0 : see :class:`fewest.search.distribution.base.EDA`
    prior : float
        Added to the count of every combination of a group; 0 draws observed combinations only.

    Notes
    -----
    Harik (1999); Inza (2002, section 4.3.3.1). The default population is enough to learn groups
    of five bits.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.search import Better, EcGA, Subsets
    >>> space = Subsets(5)
    >>> steps = EcGA(population=20).propose(space, Better(space), np.random.default_rng(0))
    >>> next(steps).shape
    (20, 5)
    """

    name: ClassVar[str] = "ecga"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.3.1"

    population: int | None = whole(None, low=2, optional=True)
    prior: float = number(0.0, low=0.0)

    def learn(self, generation: Generation) -> Model:
        """Groups, then their joint frequencies."""
        rows, cards = generation.selected, generation.cardinalities
        return Groups.learn(learn_groups(rows, cards), rows, cards, self.prior)
