"""EGNA: a Gaussian network of the best candidates, sampled for the next ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...models.gaussian.base import Density, Floats
from ...models.gaussian.network import GaussianNetwork
from ...models.gaussian.scores import GaussianScore
from ...models.gaussian.structure import learn_by_exclusion, learn_gaussian_b
from ...parameters import number, one_of, whole
from .base import ContinuousEDA


@dataclass
class EGNA(ContinuousEDA):
    """Learns which weights of the best candidates go together as a Gaussian network.

    Parameters
    ----------
    population, selected : see :class:`fewest.search.continuous.base.ContinuousEDA`
    learning : "bge", "bic" or "edge-exclusion"
        How the structure is found: Algorithm B with the BGe score, with BIC, or by tests of
        single edges.
    max_parents : int or None
        The most parents of a weight ("bge" and "bic"); None leaves it to the score.
    significance : float
        Level of the tests ("edge-exclusion").

    Notes
    -----
    From the empty graph in each generation, maximum likelihood parameters, ancestral sampling
    (Larrañaga et al., 1999, 2000; Inza, 2002, sections 4.4.3.2 and 7.4).

    Examples
    --------
    >>> from fewest.search import EGNA
    >>> from fewest.search.spaces.box import Box
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda w: -abs(w - 0.3).sum()).bind(toy_table(n_features=3))
    >>> drive(EGNA(population=100), Box(3), scorer, max_batches=30).best_value > -0.01
    True
    """

    name: ClassVar[str] = "egna"
    source: ClassVar[str] = "Larrañaga et al. (2000); Inza (2002, thesis), section 4.4.3.2"

    learning: str = one_of("bge", "bic", "edge-exclusion")
    max_parents: int | None = whole(None, low=1, optional=True)
    significance: float = number(0.05, low=1e-12, high=1.0)

    def learn(self, selected: Floats) -> Density:
        """Structure, then parameters."""
        if self.learning == "edge-exclusion":
            graph = learn_by_exclusion(selected, self.significance)
        else:
            graph = learn_gaussian_b(GaussianScore.of(selected, self.learning), self.max_parents)
        return GaussianNetwork.learn(graph, selected)
