"""Estimation of distribution: select, learn a model, draw from it."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .._models.discrete import Groups, Marginals, Model, Rows, learn_groups
from .._models.graph import Graph, Network
from .._models.structure_search import learn_chain, learn_forest, learn_tree
from .._parameters import number, one_of, whole
from ..measures._measure import Candidates
from ._better import Better
from ._population import Population, PopulationSearch, first_population, mean_share, scored
from ._search import Proposals, Verdict
from ._spaces.space import Space


@dataclass(frozen=True, eq=False)
class Generation:
    """Individuals that a model is learned from.

    ``selected`` are the best rows of the population, best first, and ``value`` their values;
    ``before`` is the model of the generation before, None in the first.
    """

    selected: Rows
    value: NDArray[np.float64]
    cardinalities: NDArray[np.int64]
    before: Model | None

    @property
    def rows(self) -> tuple[Rows, NDArray[np.int64]]:
        """Selected rows and their cardinalities, as learners take them."""
        return self.selected, self.cardinalities

    def network(self, graph: Graph, prior: float = 1.0) -> Network:
        """Learn the tables of a graph."""
        return Network.learn(graph, *self.rows, prior=prior)


@dataclass
class EDA(PopulationSearch):
    """Base of the searches that learn a distribution of the good candidates and sample it.

    A subclass defines in ``learn`` which model it learns; all else is here.

    Parameters
    ----------
    population : int or None
        Number of candidates N kept; each generation samples N - 1 new ones. None is
        :func:`population_for` the cells of the model.
    selected : float
        Part of the population, the best of it, that the model is learned from.

    Notes
    -----
    The best individual and the best N - 1 of the 2N - 2 others and new ones form the next
    population (Inza et al., 2000, section 3.2.4). The search ends by itself when all
    individuals of the population are the same.

    Examples
    --------
    >>> from fewest.search import UMDA
    >>> issubclass(UMDA, EDA)
    True
    """

    generational: ClassVar[bool] = True

    #: Cells of the largest table of the model that ``population=None`` is made for.
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
        """Learn the model of the selected individuals."""

    def begin(self, space: Space, rng: np.random.Generator) -> tuple[Model | None, Candidates]:
        """Return the first population, and the model that it was sampled from, or None."""
        return None, first_population(space, self.size, rng, self.p0)

    def draw(
        self, model: Model, n: int, newest: Population, better: Better, rng: np.random.Generator
    ) -> Candidates:
        """Draw ``n`` new candidates; ``newest`` is the last batch."""
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
    """Return the population from which tables with this many cells can be learned reliably.

    cells: cells of the largest table: 32 for five bits that depend on each other.
    selected: part of the population that the model is learned from.
    error: bits of information that may be lost for each table.

    Friedman and Yakhini (1996): a network learned by minimum description length from n rows is
    further from the truth than the best one by about log2(n) / 2n bits for each parameter. The
    population is the smallest, in hundreds, with which this is at most ``error`` for a table.
    """
    n = 100
    while cells * np.log2(n * selected) / (2 * n * selected) > error:
        n += 100
    return n


@dataclass
class Smoothed(EDA):
    """Base of the searches over smoothed frequencies.

    Parameters
    ----------
    alpha : float
        Laplace's correction: the number of rows of each level that are added to the counts. With
        0, as in the source, a level that no selected candidate has is lost for ever.
    """

    alpha: float = number(1.0, low=0.0)


@dataclass
class UMDA(Smoothed):
    """Samples each unit with its frequency among the best candidates.

    Notes
    -----
    Mühlenbein (1998); Inza (2002, section 4.3.1.1).
    """

    name: ClassVar[str] = "umda"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.1.1"

    def learn(self, generation: Generation) -> Model:
        return Marginals.learn(*generation.rows, prior=self.alpha)


@dataclass
class BSC(Smoothed):
    """Samples each unit with its share of the value of the best candidates.

    Notes
    -----
    Syswerda (1993); Inza (2002, equation 4.4). The values must be at least 0, such as
    accuracies; where some are negative, all are raised by the smallest. The weights are scaled
    to a mean of 1 before ``alpha`` rows of each level are added.
    """

    name: ClassVar[str] = "bsc"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.1.2"

    def learn(self, generation: Generation) -> Model:
        return Marginals.learn(*generation.rows, as_shares(generation.value), prior=self.alpha)


@dataclass
class MIMIC(Smoothed):
    """Samples a chain in which each unit depends on the one before.

    Notes
    -----
    De Bonet et al. (1997): the chain by smallest conditional entropy (Inza, 2002, section
    4.3.2.1).
    """

    name: ClassVar[str] = "mimic"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.2.1"

    def learn(self, generation: Generation) -> Model:
        return generation.network(learn_chain(*generation.rows), self.alpha)


@dataclass
class TREE(Smoothed):
    """Samples the tree of pairwise dependences that fits the best candidates best.

    Notes
    -----
    Chow and Liu (1968); Inza (2002, section 4.3.2.2). Made for many features: a tree over 1,558
    takes about a tenth of a second.
    """

    name: ClassVar[str] = "tree"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.2.2"

    def learn(self, generation: Generation) -> Model:
        return generation.network(learn_tree(*generation.rows), self.alpha)


@dataclass
class BMDA(EDA):
    """Samples trees of those pairwise dependences that are significant.

    Parameters
    ----------
    significance : float
        Level of the chi-squared test; 0.05 is the usual threshold of 3.84 for bits.

    Notes
    -----
    Pelikan and Mühlenbein (1999): Pearson's chi-squared against its critical value (Inza, 2002,
    section 4.3.2.4), with Laplace's correction.
    """

    name: ClassVar[str] = "bmda"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.2.4"

    significance: float = number(0.05, low=1e-12, high=1.0)

    def learn(self, generation: Generation) -> Model:
        return generation.network(learn_forest(*generation.rows, self.significance))


@dataclass
class EcGA(EDA):
    """Finds groups of units by description length and samples each group as a whole.

    Parameters
    ----------
    prior : float
        Added to the count of every combination of a group; 0 draws observed combinations only.

    Notes
    -----
    Harik (1999); Inza (2002, section 4.3.3.1). The default population is enough to learn groups
    of five bits.
    """

    name: ClassVar[str] = "ecga"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.3.1"

    population: int | None = whole(None, low=2, optional=True)
    prior: float = number(0.0, low=0.0)

    def learn(self, generation: Generation) -> Model:
        return Groups.learn(learn_groups(*generation.rows), *generation.rows, self.prior)


def as_shares(value: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights in proportion to the values, with a mean of 1; all 1 if none is above 0."""
    known = np.isfinite(value)
    low = min(0.0, float(value[known].min(initial=0.0)))
    raised = np.where(known, value - low, 0.0)
    if not raised.sum() > 0:
        return np.ones(len(value))
    return np.asarray(raised * (len(value) / raised.sum()))


@dataclass
class PBIL(EDA):
    """Moves the probability of each unit part of the way to its frequency among the best.

    Parameters
    ----------
    alpha : float
        How far to move in each generation; 1 is UMDA without Laplace's correction.
    vector : "p0" or "random"
        The vector at the start: ``p0`` for every unit, or drawn uniformly between 0 and 1.

    Notes
    -----
    p <- (1 - alpha) p + alpha (mean of the selected); Baluja (1994); Inza (2002, equation 4.6).
    The thesis starts from a random vector; the first population then shows little about a unit
    that starts near 0 or 1, and so starting every unit at ``p0`` is the default.
    """

    name: ClassVar[str] = "pbil"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.1.3"

    alpha: float = number(0.5, low=0.0, high=1.0)
    vector: str = one_of("p0", "random")

    def begin(self, space: Space, rng: np.random.Generator) -> tuple[Model | None, Candidates]:
        """Start from a random vector, or from ``p0``."""
        if self.vector == "p0":
            return super().begin(space, rng)
        first = Marginals.random(space.cardinalities, rng)
        return first, space.repair(first.sample(self.size, rng), rng)

    def learn(self, generation: Generation) -> Model:
        """Move the vector."""
        cards = generation.cardinalities
        before = generation.before
        start = Marginals.uniform(cards, above=mean_share(len(cards), self.p0))
        old = before if isinstance(before, Marginals) else start
        return old.moved(Marginals.learn(generation.selected, cards, prior=0.0), self.alpha)


@dataclass
class CGA(PopulationSearch):
    """Shifts the probability of each unit towards the winners of duels between two samples.

    Parameters
    ----------
    population : int
        Candidates of a batch, two to a duel.
    size : int
        K: a winner shifts each probability by 1 / K; the size of the simulated population.

    Notes
    -----
    Harik et al. (1998); Inza (2002, figure 4.4): two candidates are drawn from the newest vector
    and compete. With a larger ``population`` several duels are drawn from the same vector, so
    that they are scored as one batch. It ends when every probability is 0 or 1.
    """

    name: ClassVar[str] = "cga"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.1.4"
    samples_on: ClassVar[bool] = True

    population: int = whole(2, low=2)
    size: int = whole(100, low=2)
    p0: float | None = number(None, low=0.0, high=1.0, optional=True)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        cards = space.cardinalities
        population = yield from scored(first_population(space, self.population, rng, self.p0))
        vector = Marginals.uniform(cards, above=mean_share(len(cards), self.p0))
        while True:
            order = better.order(population.candidates, population.value)
            vector = self._after_duels(vector, population.candidates.astype(np.uint8), order)
            if (vector.probabilities.max(axis=1, initial=0.0) > 1.0 - 1e-9).all():
                return Verdict("every probability is 0 or 1")
            population = yield from scored(space.repair(vector.sample(self.population, rng), rng))

    def _after_duels(self, vector: Marginals, rows: Rows, order: NDArray[np.intp]) -> Marginals:
        """Shift by duels of the first and second row, the third and fourth, ..."""
        rank = np.argsort(order)
        one = np.arange(0, len(rows) - 1, 2)
        first_wins = rank[one] < rank[one + 1]
        winner = rows[np.where(first_wins, one, one + 1)]
        loser = rows[np.where(first_wins, one + 1, one)]
        levels = range(vector.probabilities.shape[1])
        won = np.stack([np.count_nonzero(winner == k, axis=0) for k in levels], axis=1)
        lost = np.stack([np.count_nonzero(loser == k, axis=0) for k in levels], axis=1)
        shifted = np.clip(vector.probabilities + (won - lost) / self.size, 0.0, 1.0)
        return Marginals(vector.cardinalities, shifted / shifted.sum(axis=1, keepdims=True))
