"""EMNA: a multivariate normal distribution of the best candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...models.gaussian.base import Density, Floats
from ...models.gaussian.normal import MultivariateNormal
from .base import ContinuousEDA


@dataclass
class EMNA(ContinuousEDA):
    """Samples a multivariate normal distribution with the mean and covariance of the best.

    Parameters
    ----------
    population, selected : see :class:`fewest.search.continuous.base.ContinuousEDA`

    Notes
    -----
    Larrañaga et al. (1999); Inza (2002, section 4.4.3.1): EMNA_global, maximum likelihood
    estimates in each generation.

    Examples
    --------
    >>> from fewest.search import EMNA
    >>> from fewest.search.spaces.box import Box
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda w: -abs(w - 0.3).sum()).bind(toy_table(n_features=3))
    >>> drive(EMNA(population=100), Box(3), scorer, max_batches=30).best_value > -0.01
    True
    """

    name: ClassVar[str] = "emna"
    source: ClassVar[str] = "Larrañaga et al. (1999); Inza (2002, thesis), section 4.4.3.1"

    def learn(self, selected: Floats) -> Density:
        """Mean and covariance."""
        return MultivariateNormal.learn(selected)
