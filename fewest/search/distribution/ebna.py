"""EBNA: a Bayesian network of the best candidates, sampled for the next ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...models.base import Model
from ...models.networks.algorithm_b import learn_b
from ...models.networks.network import Network
from ...models.networks.pc import learn_pc
from ...parameters import number, one_of, whole
from .base import EDA, Generation


@dataclass
class EBNA(EDA):
    """Learns which units of the best candidates go together as a Bayesian network.

    Parameters
    ----------
    population, selected, p0 : see :class:`fewest.search.distribution.base.EDA`
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

    learning: str = one_of("b", "k2", "pc")
    max_parents: int | None = whole(None, low=1, optional=True)
    significance: float = number(0.05, low=1e-12, high=1.0)

    def learn(self, generation: Generation) -> Model:
        """Structure, then parameters."""
        rows, cards = generation.selected, generation.cardinalities
        if self.learning == "pc":
            graph = learn_pc(rows, cards, self.significance)
        else:
            score = "bic" if self.learning == "b" else "k2-penalised"
            graph = learn_b(rows, cards, score, self.max_parents)
        return Network.learn(graph, rows, cards)
