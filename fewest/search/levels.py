"""Weights for features, each one of a few levels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..measures.base import Candidates
from .space import Space


@dataclass(frozen=True, eq=False)
class Levels(Space):
    """Each of ``n_features`` features has one of a few weights; 0 leaves it out.

    Parameters
    ----------
    n_features : int
    values : tuple of float
        The weights that a feature can have, ascending; candidates hold their positions.

    Examples
    --------
    >>> Levels(3).expand(np.array([[0, 2, 1]]))
    array([[0. , 1. , 0.5]])
    """

    kind: ClassVar[str] = "levels"

    n_features: int
    values: tuple[float, ...] = (0.0, 0.5, 1.0)

    @property
    def cardinalities(self) -> NDArray[np.int64]:
        """As many for every feature as there are weights."""
        return np.full(self.n_features, len(self.values), dtype=np.int64)

    def sample(self, n: int, rng: np.random.Generator, p: float = 0.5) -> Candidates:
        """``n`` candidates; each feature has the first weight with probability ``1 - p``.

        With p = ½ and three levels this is not uniform: the start leaves out half of them.
        """
        drawn = rng.integers(1, len(self.values), size=(n, self.n_features))
        return np.where(rng.random((n, self.n_features)) < p, drawn, 0)

    def repair(self, candidates: Candidates, rng: np.random.Generator) -> Candidates:
        """The candidates: there are no constraints."""
        return np.asarray(candidates, dtype=np.int64)

    def feasible(self, candidates: Candidates) -> NDArray[np.bool_]:
        """All of them."""
        return np.ones(len(candidates), dtype=bool)

    def expand(self, candidates: Candidates) -> Candidates:
        """The weights of the features."""
        return np.asarray(self.values)[np.asarray(candidates, dtype=np.int64)]

    def cost(self, candidates: Candidates) -> NDArray[np.float64]:
        """How many features have a weight other than 0."""
        return np.count_nonzero(self.expand(candidates), axis=1).astype(np.float64)
