"""BSC: independent units, each candidate counted by its value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...models.base import Model
from ...models.marginals import Marginals
from ...parameters import number
from .base import EDA, Generation


@dataclass
class BSC(EDA):
    """Samples each unit with its share of the value of the best candidates.

    Parameters
    ----------
    population, selected, p0 : see :class:`fewest.search.distribution.base.EDA`
    alpha : float
        Laplace's correction: so many rows of each level are added to the counts; 0 is plain
        frequencies, with which a level that no selected candidate has is lost for ever.

    Notes
    -----
    Syswerda (1993); Inza (2002, equation 4.4). The values must be at least 0, such as
    accuracies; where some are negative, all are raised by the smallest. The weights are scaled
    to a mean of 1 before ``alpha`` rows of each level are added; in the source it is 0.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.search import Better, BSC, Subsets
    >>> space = Subsets(5)
    >>> steps = BSC(population=20).propose(space, Better(space), np.random.default_rng(0))
    >>> next(steps).shape
    (20, 5)
    """

    name: ClassVar[str] = "bsc"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.1.2"

    alpha: float = number(1.0, low=0.0)

    def learn(self, generation: Generation) -> Model:
        """Weighted marginal frequencies."""
        weights = as_shares(generation.value)
        return Marginals.learn(
            generation.selected, generation.cardinalities, weights, prior=self.alpha
        )


def as_shares(value: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights in proportion to the values, with a mean of 1; all 1 where none is above 0.

    >>> as_shares(np.array([3.0, 1.0, np.nan, 0.0])).tolist()
    [3.0, 1.0, 0.0, 0.0]
    """
    known = np.isfinite(value)
    low = min(0.0, float(value[known].min(initial=0.0)))
    raised = np.where(known, value - low, 0.0)
    if not raised.sum() > 0:
        return np.ones(len(value))
    return np.asarray(raised * (len(value) / raised.sum()))
