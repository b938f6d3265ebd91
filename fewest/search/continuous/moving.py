"""What searches share that move one density instead of keeping a population."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

import numpy as np

from ...models.gaussian.base import Floats
from ...parameters import whole
from ..base import Proposals, Search, Verdict
from ..better import Better
from ..population import scored
from ..spaces.base import Space

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

    population: int = whole(200, low=3)

    @abstractmethod
    def begin(self, d: int) -> State:
        """The first state for d weights."""

    @abstractmethod
    def draw(self, state: State, n: int, rng: np.random.Generator) -> Floats:
        """Candidates of a state, before they are repaired."""

    @abstractmethod
    def move(self, state: State, ranked: Floats) -> State:
        """The next state; ``ranked`` are the candidates of a generation, the best first."""

    @abstractmethod
    def width(self, state: State) -> float:
        """How far candidates of a state can differ; the search ends where they cannot."""

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        state = self.begin(space.n_units)
        while True:
            drawn = space.repair(self.draw(state, self.population, rng), rng)
            new = (yield from scored(drawn)).best(self.population, better)
            state = self.move(state, new.candidates)
            if space.n_units == 0 or self.width(state) < 1e-12:
                return Verdict("the density has no width left")
