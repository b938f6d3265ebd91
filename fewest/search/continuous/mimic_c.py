"""MIMIC_c: the best candidates as a chain of real numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...models.gaussian.base import Density, Floats
from ...models.gaussian.network import GaussianNetwork
from ...models.networks.graph import Graph
from .base import ContinuousEDA


@dataclass
class MIMICc(ContinuousEDA):
    """Samples a chain in which each weight depends on the one before.

    Parameters
    ----------
    population, selected : see :class:`fewest.search.continuous.base.ContinuousEDA`

    Notes
    -----
    Larrañaga et al. (1999, 2000); Inza (2002, section 4.4.2.1). The chain starts with the weight
    of smallest entropy; the next is always the one with the smallest entropy given the last. The
    entropy of a normal variable rises with its variance, so variances are compared.

    Examples
    --------
    >>> from fewest.search import MIMICc
    >>> from fewest.search.spaces.box import Box
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda w: -abs(w - 0.3).sum()).bind(toy_table(n_features=3))
    >>> drive(MIMICc(population=100), Box(3), scorer, max_batches=30).best_value > -0.01
    True
    """

    name: ClassVar[str] = "mimic-c"
    source: ClassVar[str] = "Larrañaga et al. (2000); Inza (2002, thesis), section 4.4.2.1"

    def learn(self, selected: Floats) -> Density:
        """The chain and its regressions."""
        chain = chain_of(np.atleast_2d(np.cov(selected, rowvar=False, bias=True)))
        parents: list[tuple[int, ...]] = [()] * selected.shape[1]
        for before, after in zip(chain, chain[1:], strict=False):
            parents[after] = (before,)
        return GaussianNetwork.learn(Graph(tuple(parents)), selected)


def chain_of(covariance: Floats) -> list[int]:
    """The variables by smallest variance given the one before.

    >>> chain_of(np.array([[2.0, 1.9, 0.0], [1.9, 2.0, 0.0], [0.0, 0.0, 1.0]]))
    [2, 0, 1]
    """
    variance = np.diag(covariance)
    left = list(range(len(variance)))
    chain: list[int] = []
    given = variance
    while left:
        last = min(left, key=given.__getitem__)
        left.remove(last)
        chain.append(last)
        given = variance - covariance[last] ** 2 / max(variance[last], 1e-300)
    return chain
