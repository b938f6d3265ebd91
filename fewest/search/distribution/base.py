"""What all estimation-of-distribution searches share: select, learn a model, sample, replace."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...measures.base import Candidates
from ...models.base import Model, Rows
from ...parameters import number, whole
from ..base import Proposals, Search, Verdict
from ..better import Better
from ..population import Population, first_population, scored
from ..spaces.base import Space


@dataclass(frozen=True, eq=False)
class Generation:
    """What a model is learned from.

    ``selected`` are the best rows of the population, best first, and ``value`` their values;
    ``before`` is the model of the generation before, None in the first.
    """

    selected: Rows
    value: NDArray[np.float64]
    cardinalities: NDArray[np.int64]
    before: Model | None


@dataclass
class EDA(Search):
    """Base of the searches that learn a distribution of the good candidates and sample it.

    A subclass says in ``learn`` which model it learns; all else is here.

    Parameters
    ----------
    population : int or None
        Number of candidates N kept; each generation samples N - 1 new ones. None is
        :func:`population_for` the cells of the model.
    selected : float
        Part of the population, the best of it, that the model is learned from.
    p0 : float or None
        Probability of each unit in the first population. None is one half for up to 100 units;
        beyond, the first population has subsets of all sizes, small ones as often as large ones.

    Notes
    -----
    The best individual and the best N - 1 of the 2N - 2 others and new ones form the next
    population (Inza et al., 2000, section 3.2.4). The search ends by itself when all
    individuals of the population are the same.
    """

    spaces: ClassVar[tuple[str, ...]] = ("subsets", "levels")
    generational: ClassVar[bool] = True

    #: The cells of the largest table of the model that ``population=None`` is made for.
    cells: ClassVar[int] = 32

    population: int | None = whole(1000, low=2, optional=True)
    selected: float = number(0.5, low=0.0, high=1.0)
    p0: float | None = number(None, low=0.0, high=1.0, optional=True)

    @property
    def size(self) -> int:
        """Return the number of candidates that are kept."""
        if self.population is not None:
            return self.population
        return population_for(self.cells, self.selected)

    @abstractmethod
    def learn(self, generation: Generation) -> Model:
        """The model of the selected individuals."""

    def begin(self, space: Space, rng: np.random.Generator) -> tuple[Model | None, Candidates]:
        """The first population, and the model that it was sampled from where there is one."""
        return None, first_population(space, self.size, rng, self.p0)

    def draw(
        self, model: Model, n: int, newest: Population, better: Better, rng: np.random.Generator
    ) -> Candidates:
        """``n`` new candidates; ``newest`` is the last batch."""
        return better.space.repair(model.sample(n, rng), rng)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        n = self.size
        chosen = max(1, round(self.selected * n))
        model, first = self.begin(space, rng)
        newest = population = yield from scored(first)
        while True:
            population = population.best(n, better)
            if (population.candidates == population.candidates[0]).all():
                return Verdict("all individuals of the population are the same")
            selected = population.candidates[:chosen].astype(np.uint8)
            value = population.value[:chosen]
            model = self.learn(Generation(selected, value, space.cardinalities, model))
            newest = yield from scored(self.draw(model, n - 1, newest, better, rng))
            # The n - 1 new ones cannot push the best old one out of the best n.
            population = population.join(newest)


def population_for(cells: int, selected: float = 0.5, error: float = 0.05) -> int:
    """Return the population from which tables with so many cells can be learned reliably.

    Parameters
    ----------
    cells : int
        Cells of the largest table: 32 for five bits that depend on each other.
    selected : float
        Part of the population that the model is learned from.
    error : float
        Bits of information that may be lost for each table.

    Notes
    -----
    Friedman and Yakhini (1996): a network learned by minimum description length from n rows is
    further from the truth than the best one by about log2(n) / 2n bits for each parameter. The
    population is the smallest, in hundreds, with which this is at most ``error`` for a table.

    Examples
    --------
    >>> population_for(8), population_for(16), population_for(32)
    (1600, 3500, 7700)
    """
    n = 100
    while cells * np.log2(n * selected) / (2 * n * selected) > error:
        n += 100
    return n
