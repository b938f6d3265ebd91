"""Random subsets, and simulated annealing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .._parameters import number, whole
from ..measures._measure import Candidates
from ._better import Better
from ._genetic import change
from ._population import scored
from ._search import Proposals, Search, Verdict
from ._spaces.space import Space


@dataclass
class RandomSearch(Search):
    """Draw subsets at random, as many as you say: what every other search must beat.

    Parameters
    ----------
    draws : int or None
        How many subsets are drawn in all; None goes on until a stop rule ends it.
    batch : int
        How many subsets are drawn at once.
    p0 : float
        The probability of each feature to be in.

    Examples
    --------
    >>> from fewest.search import RandomSearch, Subsets
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(sum).bind(toy_table(n_features=4))
    >>> done = drive(RandomSearch(batch=50), Subsets(4, max_features=2), scorer, max_batches=2)
    >>> done.best_value, done.evaluations
    (2.0, 11)
    """

    name: ClassVar[str] = "random"
    source: ClassVar[str] = "random sampling"
    spaces: ClassVar[tuple[str, ...]] = ("subsets", "levels", "orderings", "box")
    generational: ClassVar[bool] = True
    ends: ClassVar[bool] = True

    draws: int | None = whole(10_000, low=1, optional=True)
    batch: int = whole(1000, low=1)
    p0: float = number(0.5, low=0.0, high=1.0)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        left = math.inf if self.draws is None else self.draws
        while left > 0:
            n = int(min(self.batch, left))
            yield space.sample(n, rng, self.p0)
            left -= n
        return Verdict(f"{self.draws} subsets drawn")


@dataclass
class Annealing(Search):
    """Change one feature at a time; take worse subsets too, ever less often as it cools.

    Parameters
    ----------
    chains : int
        How many walks go side by side, one candidate each a batch.
    steps : int
        How many changes each walk tries.
    temperature : float or None
        The first temperature, in units of the value; None is the spread (standard deviation) of
        the values of the starting subsets.
    cooling : float
        The last temperature as a part of the first; in between it falls geometrically.
    p0 : float
        The probability of each feature to be in at the start.

    Notes
    -----
    Kirkpatrick, Gelatt and Vecchi (1983): a change from value v to w is taken with probability
    min(1, exp((w - v) / T)). For subsets first used by Doak (1992).

    Examples
    --------
    >>> from fewest.search import Annealing, Subsets
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda mask: float(mask[::2].sum())).bind(toy_table(n_features=12))
    >>> done = drive(Annealing(chains=5, steps=100), Subsets(12), scorer)
    >>> done.best_value, done.verdict.reason
    (6.0, 'cooled down after 100 steps')
    """

    name: ClassVar[str] = "annealing"
    source: ClassVar[str] = "Kirkpatrick, Gelatt and Vecchi (1983); Doak (1992)"
    spaces: ClassVar[tuple[str, ...]] = ("subsets", "levels")
    ends: ClassVar[bool] = True

    chains: int = whole(50, low=1)
    steps: int = whole(200, low=1)
    temperature: float | None = number(None, low=1e-300, optional=True)
    cooling: float = number(0.001, low=1e-12, high=1.0)
    p0: float = number(0.5, low=0.0, high=1.0)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """Yield one batch per step: the next candidate of every walk."""
        start = yield from scored(space.sample(self.chains, rng, self.p0))
        here, value = start.candidates.copy(), _known(start.value)
        first = self.temperature or _spread(value)
        for step in range(self.steps):
            moved = space.repair(_one_change(here, space, rng), rng)
            there = _known((yield moved).value)
            now = first * self.cooling ** (step / self.steps)
            taken = _acceptance(there, value, now) > rng.random(self.chains)
            here[taken], value[taken] = moved[taken], there[taken]
        return Verdict(f"cooled down after {self.steps} steps")


def _known(value: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.isnan(value), -np.inf, value)


def _spread(value: NDArray[np.float64]) -> float:
    finite = value[np.isfinite(value)]
    return float(finite.std()) if len(finite) > 1 and finite.std() > 0 else 1e-3


def _acceptance(
    new: NDArray[np.float64], old: NDArray[np.float64], temperature: float
) -> Candidates:
    worse = new < old
    gain = np.where(worse, new, 0.0) - np.where(worse, old, 0.0)
    return np.exp(gain / temperature)


def _one_change(here: Candidates, space: Space, rng: np.random.Generator) -> Candidates:
    where = np.zeros(here.shape, dtype=bool)
    if space.n_units:
        where[np.arange(len(here)), rng.integers(space.n_units, size=len(here))] = True
    where &= space.cardinalities > 1
    return change(here, where, space.cardinalities, rng)
