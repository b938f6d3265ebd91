"""EBNA: a Bayesian network of the best candidates, sampled for the next ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...measures.base import Candidates
from ...models.base import Model, Rows
from ...models.networks.algorithm_b import learn_b
from ...models.networks.graph import Graph
from ...models.networks.network import Network
from ...models.networks.pc import learn_pc
from ...parameters import number, one_of, whole
from ..base import LearnedGraph
from ..spaces.base import Space
from .base import EDA, Generation

#: Wider networks take long to learn again and are not readable.
MOST_UNITS = 60


@dataclass
class EBNA(EDA):
    """Learns which units of the best candidates go together as a Bayesian network.

    Parameters
    ----------
    population : int or None
        Number of candidates that are kept. None is 1000 for "b", as in the paper, and otherwise
        :func:`~fewest.search.distribution.base.population_for` a unit with four parents.
    selected, p0 : see :class:`fewest.search.distribution.base.EDA`
    learning : "b", "k2" or "pc"
        How the structure is found: Algorithm B with BIC, Algorithm B with the penalised K2
        score, or the tests of independence of the PC algorithm.
    max_parents : int or None
        The most parents of a unit ("b" and "k2"); None leaves it to the score.
    significance : float
        Level of the tests ("pc").

    Notes
    -----
    From the empty graph in each generation, parameters (N_ijk + 1) / (N_ij + r_i), ancestral
    sampling (Inza et al., 2000, section 3.2; Inza, 2002, section 4.3.3.4).

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.search import Better, EBNA, Subsets
    >>> space = Subsets(5, max_features=2)
    >>> steps = EBNA(population=20).propose(space, Better(space), np.random.default_rng(0))
    >>> int(next(steps).sum(axis=1).max())
    2
    """

    name: ClassVar[str] = "ebna"
    source: ClassVar[str] = "Inza et al. (2000), section 3.2; Inza (2002, thesis), section 4.3.3.4"

    population: int | None = whole(None, low=2, optional=True)
    learning: str = one_of("b", "k2", "pc")
    max_parents: int | None = whole(None, low=1, optional=True)
    significance: float = number(0.05, low=1e-12, high=1.0)

    @property
    def size(self) -> int:
        """Return the number of candidates that are kept."""
        return 1000 if self.population is None and self.learning == "b" else super().size

    def learned_graph(
        self, candidates: Candidates, value: NDArray[np.float64], space: Space
    ) -> LearnedGraph | None:
        """The network of the best candidates, learned as in a generation, from as many rows."""
        if not 2 <= space.n_units <= MOST_UNITS or len(candidates) < 2:
            return None
        best = max(2, round(self.selected * self.size))
        selected = candidates[:best].astype(np.uint8)
        graph = self._graph(selected, space.cardinalities)
        return LearnedGraph(tuple((int(a), int(b)) for a, b in graph.arcs), len(selected))

    def learn(self, generation: Generation) -> Model:
        """Structure, then parameters."""
        rows, cards = generation.selected, generation.cardinalities
        return Network.learn(self._graph(rows, cards), rows, cards)

    def _graph(self, rows: Rows, cards: NDArray[np.int64]) -> Graph:
        if self.learning == "pc":
            return learn_pc(rows, cards, self.significance)
        score = "bic" if self.learning == "b" else "k2-penalised"
        return learn_b(rows, cards, score, self.max_parents)
