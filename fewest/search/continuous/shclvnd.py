"""SHCLVND: stochastic hill climbing with a vector of normal densities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...models.gaussian.base import Floats
from ...models.gaussian.normal import IndependentNormals
from ...parameters import number, whole
from .moving import Moving


@dataclass
class SHCLVND(Moving[IndependentNormals]):
    """Moves a normal density to the centre of the best candidates and narrows it.

    Parameters
    ----------
    population : see :class:`fewest.search.continuous.moving.Moving`
    alpha : float
        How far the mean moves to the centre of the best.
    beta : float
        What the standard deviations are multiplied by in each generation.
    best : int
        How many candidates are the best.

    Notes
    -----
    Rudlof and Köppen (1996); Inza (2002, equations 4.12 and 4.13).

    Examples
    --------
    >>> from fewest.search import SHCLVND
    >>> from fewest.search.spaces.box import Box
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda w: -abs(w - 0.3).sum()).bind(toy_table(n_features=3))
    >>> drive(SHCLVND(population=100), Box(3), scorer, max_batches=60).best_value > -0.05
    True
    """

    name: ClassVar[str] = "shclvnd"
    source: ClassVar[str] = "Rudlof and Köppen (1996); Inza (2002, thesis), section 4.4.1.2"

    alpha: float = number(0.5, low=0.0, high=1.0)
    beta: float = number(0.93, low=0.0, high=0.999999)
    best: int = whole(10, low=1)

    def begin(self, d: int) -> IndependentNormals:
        """The middle of the box, as wide as a uniform density."""
        return IndependentNormals(np.full(d, 0.5), np.full(d, 12**-0.5))

    def draw(self, state: IndependentNormals, n: int, rng: np.random.Generator) -> Floats:
        """Independent normal weights."""
        return state.sample(n, rng)

    def move(self, state: IndependentNormals, ranked: Floats) -> IndependentNormals:
        """The Hebbian rule for the mean, a constant factor for the deviations."""
        centre = ranked[: self.best].mean(axis=0)
        mean = state.mean + self.alpha * (centre - state.mean)
        return IndependentNormals(mean, self.beta * state.deviation)

    def width(self, state: IndependentNormals) -> float:
        """The largest deviation."""
        return float(state.deviation.max(initial=0.0))
