"""What the two versions of EMNA share that sample one candidate at a time."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...models.gaussian.normal import MultivariateNormal
from ...parameters import number, whole
from ..base import Proposals, Search, Verdict
from ..better import Better
from ..population import Population, scored
from ..spaces.base import Space
from .base import same_weights


@dataclass
class OneByOne(Search):
    """Base: a normal distribution that is updated after every single candidate.

    Parameters
    ----------
    population : int
        Size of the first population.
    selected : float
        Part of the first population, the best of it, that the search goes on with.
    steps : int
        How many candidates are sampled in all.
    """

    spaces: ClassVar[tuple[str, ...]] = ("box",)
    ends: ClassVar[bool] = True

    population: int = whole(200, low=2)
    selected: float = number(0.5, low=0.0, high=1.0)
    steps: int = whole(2000, low=1)

    @abstractmethod
    def take_in(self, members: Population, new: Population, better: Better) -> Population:
        """The population after one more candidate; the same object where nothing changes."""

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        members = yield from scored(space.sample(self.population, rng, 1.0))
        members = members.best(max(2, round(self.selected * self.population)), better)
        density = MultivariateNormal.learn(members.candidates)
        for _ in range(self.steps):
            if same_weights(members.candidates):
                return Verdict("all individuals of the population are the same")
            new = yield from scored(space.repair(density.sample(1, rng), rng))
            after = self.take_in(members, new, better)
            if after is not members:
                members = after
                density = MultivariateNormal.learn(members.candidates)
        return Verdict(f"{self.steps} candidates sampled")
