"""Small searches to drive the run with."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fewest.search import Search


@dataclass
class Walk(Search):
    """Random generations, for ever; every tenth candidate repeats an earlier one."""

    name: ClassVar[str] = "walk"
    generational: ClassVar[bool] = True
    population: int = 10

    def propose(self, space, better, rng):
        while True:
            batch = space.sample(self.population, rng)
            batch[-1] = batch[0]
            yield batch


@dataclass
class Listed(Search):
    """The given batches, then the end."""

    name: ClassVar[str] = "listed"
    generational: ClassVar[bool] = True
    batches: tuple = ()

    def propose(self, space, better, rng):
        for batch in self.batches:
            yield np.array(batch, dtype=bool)
