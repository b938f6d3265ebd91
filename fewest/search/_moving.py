"""Searches that move one density instead of keeping a population: PBIL_c, SHCLVND, Servet."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

import numpy as np
from scipy.special import ndtri

from .._models.gaussian import Floats, IndependentNormals
from .._parameters import number, one_of, whole
from ._better import Better
from ._search import Proposals, Search, Verdict
from ._spaces.space import Space

State = TypeVar("State")


@dataclass
class Moving(Search, Generic[State]):
    """Base: sample a state, move it by what was best, and so on.

    Parameters
    ----------
    population : int
        Number of candidates sampled in each generation.
    """

    spaces: ClassVar[tuple[str, ...]] = ("box",)
    generational: ClassVar[bool] = True
    example: ClassVar[str] = """
        >>> from fewest.search import Box, {name}
        >>> from fewest.testing import TableMeasure, drive, toy_table
        >>> scorer = TableMeasure(lambda w: -abs(w - 0.3).sum()).bind(toy_table(n_features=3))
        >>> drive({name}(population=100), Box(3), scorer, max_batches=90).best_value > -0.1
        True
        """

    population: int = whole(200, low=3)

    @abstractmethod
    def begin(self, d: int) -> State:
        """Return the first state for d weights."""

    @abstractmethod
    def draw(self, state: State, n: int, rng: np.random.Generator) -> Floats:
        """Draw candidates of a state, before they are repaired."""

    @abstractmethod
    def move(self, state: State, ranked: Floats, first: int = 0) -> State:
        """Return the next state.

        ``ranked`` are the candidates of a generation, the best first, and ``first`` is the place
        of the best in the order in which they were drawn.
        """

    @abstractmethod
    def width(self, state: State) -> float:
        """Return how far candidates of a state can differ; the search ends where they cannot."""

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        state = self.begin(space.n_units)
        while True:
            drawn = space.repair(self.draw(state, self.population, rng), rng)
            value = (yield drawn).value
            order = better.order(drawn, value)
            state = self.move(state, drawn[order], int(order[0]))
            if space.n_units == 0 or self.width(state) < 1e-12:
                return Verdict("the density has no width left")


@dataclass
class PBILc(Moving[IndependentNormals]):
    """Moves a normal density towards the two best candidates and away from the worst.

    Parameters
    ----------
    alpha : float
        How far to move in each generation.
    best : int
        Number of the best candidates that give the standard deviations.
    variance : "moved", "best", "evolved" or "constant"
        Where the standard deviations come from: they move to those of the ``best`` candidates as
        the mean moves, are those of the ``best`` candidates, are those with which the best
        candidate was drawn (each candidate is drawn with its own), or stay as they are.
    first_width : float
        First standard deviation; that of a uniform density unless given.

    Notes
    -----
    The mean moves to (1 - alpha) mean + alpha (best + second best - worst) (Inza, 2002, equation
    4.14); the four rules for the deviations are those of Sebag and Ducoulombier (1998). For
    "evolved", the candidates of a generation have deviations multiplied by exp(z / sqrt(2 n)),
    with z evenly spaced quantiles of the normal distribution and n the number of weights, as in
    an evolution strategy.
    """

    name: ClassVar[str] = "pbil-c"
    source: ClassVar[str] = "Sebag and Ducoulombier (1998); Inza (2002, thesis), section 4.4.1.3"

    alpha: float = number(0.1, low=0.0, high=1.0)
    best: int = whole(20, low=2)
    variance: str = one_of("moved", "best", "evolved", "constant")
    first_width: float = number(12**-0.5, low=1e-9, high=10.0)

    def begin(self, d: int) -> IndependentNormals:
        """Start in the middle of the box."""
        return IndependentNormals(np.full(d, 0.5), np.full(d, self.first_width))

    def draw(self, state: IndependentNormals, n: int, rng: np.random.Generator) -> Floats:
        """Draw independent normal weights."""
        drawn = state.sample(n, rng)
        if self.variance != "evolved":
            return drawn
        own = self._factors(n, len(state.mean))[:, None]
        return np.asarray(state.mean + own * (drawn - state.mean))

    def move(self, state: IndependentNormals, ranked: Floats, first: int = 0) -> IndependentNormals:
        """Move the mean part of the way, and the deviations by their rule."""
        towards = ranked[0] + ranked[1] - ranked[-1]
        spread = ranked[: self.best].std(axis=0)
        deviation = {
            "moved": (1 - self.alpha) * state.deviation + self.alpha * spread,
            "best": spread,
            "evolved": state.deviation * self._factors(len(ranked), len(state.mean))[first],
            "constant": state.deviation,
        }[self.variance]
        mean = (1 - self.alpha) * state.mean + self.alpha * towards
        return IndependentNormals(mean, deviation)

    def _factors(self, n: int, d: int) -> Floats:
        """Return what the deviations of each candidate of a generation are multiplied by."""
        factors: Floats = np.exp(ndtri((np.arange(n) + 0.5) / n) / np.sqrt(2 * d))
        return factors

    def width(self, state: IndependentNormals) -> float:
        return float(state.deviation.max(initial=0.0))


@dataclass
class SHCLVND(Moving[IndependentNormals]):
    """Moves a normal density to the centre of the best candidates and narrows it.

    Parameters
    ----------
    alpha : float
        How far the mean moves to the centre of the best.
    beta : float
        What the standard deviations are multiplied by in each generation.
    best : int
        Number of candidates that count as the best.

    Notes
    -----
    Rudlof and Köppen (1996); Inza (2002, equations 4.12 and 4.13).
    """

    name: ClassVar[str] = "shclvnd"
    source: ClassVar[str] = "Rudlof and Köppen (1996); Inza (2002, thesis), section 4.4.1.2"

    alpha: float = number(0.5, low=0.0, high=1.0)
    beta: float = number(0.93, low=0.0, high=0.999999)
    best: int = whole(10, low=1)

    def begin(self, d: int) -> IndependentNormals:
        return IndependentNormals(np.full(d, 0.5), np.full(d, 12**-0.5))

    def draw(self, state: IndependentNormals, n: int, rng: np.random.Generator) -> Floats:
        return state.sample(n, rng)

    def move(self, state: IndependentNormals, ranked: Floats, first: int = 0) -> IndependentNormals:
        """Use the Hebbian rule for the mean, a constant factor for the deviations."""
        centre = ranked[: self.best].mean(axis=0)
        mean = state.mean + self.alpha * (centre - state.mean)
        return IndependentNormals(mean, self.beta * state.deviation)

    def width(self, state: IndependentNormals) -> float:
        return float(state.deviation.max(initial=0.0))


@dataclass(frozen=True, eq=False)
class LevelIntervals:
    """Lower and upper ends, and the probability of the upper half."""

    low: Floats
    high: Floats
    upper: Floats


@dataclass
class Servet(Moving[LevelIntervals]):
    """Keeps an interval for each weight and halves it once the best lie in one half.

    Parameters
    ----------
    alpha : float
        How far the probability of the upper half moves to its share among the best.
    best : int
        Number of candidates that count as the best.
    certain : float
        An interval is halved when the probability of one of its halves exceeds this.

    Notes
    -----
    Servet et al. (1997); Inza (2002, section 4.4.1.4). A weight is drawn in the upper half with
    its probability, and uniformly inside of the half. After halving, the probability is ½ again.
    """

    name: ClassVar[str] = "servet"
    source: ClassVar[str] = "Servet et al. (1997); Inza (2002, thesis), section 4.4.1.4"

    alpha: float = number(0.3, low=0.0, high=1.0)
    best: int = whole(20, low=1)
    certain: float = number(0.9, low=0.5, high=1.0)

    def begin(self, d: int) -> LevelIntervals:
        return LevelIntervals(np.zeros(d), np.ones(d), np.full(d, 0.5))

    def draw(self, state: LevelIntervals, n: int, rng: np.random.Generator) -> Floats:
        half = (state.high - state.low) / 2
        upper = rng.random((n, len(half))) < state.upper
        drawn: Floats = state.low + half * (upper + rng.random((n, len(half))))
        return drawn

    def move(self, state: LevelIntervals, ranked: Floats, first: int = 0) -> LevelIntervals:
        """Learn the probabilities, then halve what is certain."""
        middle = (state.low + state.high) / 2
        share = (ranked[: self.best] > middle).mean(axis=0)
        upper = (1 - self.alpha) * state.upper + self.alpha * share
        rises, falls = upper > self.certain, upper < 1 - self.certain
        return LevelIntervals(
            np.where(rises, middle, state.low),
            np.where(falls, middle, state.high),
            np.where(rises | falls, 0.5, upper),
        )

    def width(self, state: LevelIntervals) -> float:
        return float((state.high - state.low).max(initial=0.0))
