"""PBIL_c: normal densities that move towards the best and away from the worst."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...models.gaussian.base import Floats
from ...models.gaussian.normal import IndependentNormals
from ...parameters import number, whole
from .moving import Moving


@dataclass
class PBILc(Moving[IndependentNormals]):
    """Moves a normal density towards the two best candidates and away from the worst.

    Parameters
    ----------
    population : see :class:`fewest.search.continuous.moving.Moving`
    alpha : float
        How far to move in each generation.
    best : int
        So many of the best candidates give the standard deviations.

    Notes
    -----
    The mean moves to (1 - alpha) mean + alpha (best + second best - worst), the standard
    deviations in the same way to those of the ``best`` candidates, which is one of the four
    heuristics of Sebag and Ducoulombier (1998); Inza (2002, equation 4.14).

    Examples
    --------
    >>> from fewest.search import PBILc
    >>> from fewest.search.spaces.box import Box
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda w: -abs(w - 0.3).sum()).bind(toy_table(n_features=3))
    >>> drive(PBILc(population=100), Box(3), scorer, max_batches=60).best_value > -0.05
    True
    """

    name: ClassVar[str] = "pbil-c"
    source: ClassVar[str] = "Sebag and Ducoulombier (1998); Inza (2002, thesis), section 4.4.1.3"

    alpha: float = number(0.1, low=0.0, high=1.0)
    best: int = whole(20, low=2)

    def begin(self, d: int) -> IndependentNormals:
        """The middle of the box, as wide as a uniform density."""
        return IndependentNormals(np.full(d, 0.5), np.full(d, 12**-0.5))

    def draw(self, state: IndependentNormals, n: int, rng: np.random.Generator) -> Floats:
        """Independent normal weights."""
        return state.sample(n, rng)

    def move(self, state: IndependentNormals, ranked: Floats) -> IndependentNormals:
        """Mean and deviations, part of the way."""
        towards = ranked[0] + ranked[1] - ranked[-1]
        spread = ranked[: self.best].std(axis=0)
        return IndependentNormals(
            (1 - self.alpha) * state.mean + self.alpha * towards,
            (1 - self.alpha) * state.deviation + self.alpha * spread,
        )

    def width(self, state: IndependentNormals) -> float:
        """The largest deviation."""
        return float(state.deviation.max(initial=0.0))
