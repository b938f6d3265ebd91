"""BOA: a Bayesian network by a Bayesian score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...models.base import Model
from ...models.networks.algorithm_b import learn_b
from ...models.networks.network import Network
from ...models.networks.scores import Score
from ...parameters import number, whole
from .base import EDA, Generation


@dataclass
class BOA(EDA):
    """Learns a Bayesian network with few parents of the best candidates, and samples it.

    Parameters
    ----------
    population, selected, p0 : see :class:`fewest.search.distribution.base.EDA`
    max_parents : int
        The most parents of a unit.
    sample_size : float
        Equivalent sample size of the BDe prior.

    Notes
    -----
    Pelikan et al. (1999): Algorithm B with the BDe score from the empty graph (Inza, 2002,
    section 4.3.3.3). The equivalent sample size is shared out evenly over the cells.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.search import Better, BOA, Subsets
    >>> space = Subsets(5)
    >>> steps = BOA(population=20).propose(space, Better(space), np.random.default_rng(0))
    >>> next(steps).shape
    (20, 5)
    """

    name: ClassVar[str] = "boa"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.3.3"

    cells: ClassVar[int] = 16
    population: int | None = whole(None, low=2, optional=True)
    max_parents: int = whole(3, low=0)
    sample_size: float = number(1.0, low=1e-6)

    def learn(self, generation: Generation) -> Model:
        """Structure, then parameters."""
        rows, cards = generation.selected, generation.cardinalities
        graph = learn_b(rows, cards, Score("bde", self.sample_size), self.max_parents)
        return Network.learn(graph, rows, cards)
