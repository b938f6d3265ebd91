"""EMNA and CMA-ES: one multivariate normal distribution."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .._errors import InputError
from .._models.gaussian import Density, Floats, MultivariateNormal
from .._parameters import number, whole
from ._better import Better
from ._continuous import ContinuousEDA, same_weights
from ._population import Population, scored
from ._search import Proposals, Search, Verdict
from ._spaces.space import Space


@dataclass
class EMNA(ContinuousEDA):
    """Samples a multivariate normal distribution with the mean and covariance of the best.

    Notes
    -----
    Larrañaga et al. (1999); Inza (2002, section 4.4.3.1): EMNA_global, maximum likelihood
    estimates in each generation.
    """

    name: ClassVar[str] = "emna"
    source: ClassVar[str] = "Larrañaga et al. (1999); Inza (2002, thesis), section 4.4.3.1"

    def learn(self, selected: Floats) -> Density:
        return MultivariateNormal.learn(selected)


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
        Number of candidates sampled in all.
    """

    spaces: ClassVar[tuple[str, ...]] = ("box",)
    ends: ClassVar[bool] = True
    example: ClassVar[str] = """
        >>> from fewest.search import Box, {name}
        >>> from fewest.testing import TableMeasure, drive, toy_table
        >>> scorer = TableMeasure(lambda w: -abs(w - 0.3).sum()).bind(toy_table(n_features=3))
        >>> drive({name}(steps=200), Box(3), scorer).best_value > -0.3
        True
        """

    population: int = whole(200, low=2)
    selected: float = number(0.5, low=0.0, high=1.0)
    steps: int = whole(2000, low=1)

    @abstractmethod
    def take_in(self, members: Population, new: Population, better: Better) -> Population:
        """Return the population after one more candidate; the same object where nothing changes."""

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


@dataclass
class EMNAAdaptive(OneByOne):
    """Samples one candidate at a time; if it is better than the worst, it takes its place.

    Notes
    -----
    Larrañaga and Lozano (2001); Inza (2002, section 4.4.3.1). The distribution is learned anew
    from the population after every replacement.
    """

    name: ClassVar[str] = "emna-adaptive"
    source: ClassVar[str] = "Larrañaga and Lozano (2001); Inza (2002, thesis), section 4.4.3.1"

    def take_in(self, members: Population, new: Population, better: Better) -> Population:
        """Replace the last of the sorted population, if the new one is better."""
        if not better.improves(float(new.value[0]), float(members.value[-1])):
            return members
        kept = members.take(np.arange(len(members) - 1)).join(new)
        return kept.best(len(kept), better)


@dataclass
class EMNAIncremental(OneByOne):
    """Samples one candidate at a time and adds every one to the population.

    Notes
    -----
    Larrañaga and Lozano (2001); Inza (2002, section 4.4.3.1). Since every candidate is added
    without a restriction, nothing drives the distribution to better ones after the first
    selection: it keeps to the region of the first selected candidates.
    """

    name: ClassVar[str] = "emna-incremental"
    source: ClassVar[str] = "Larrañaga and Lozano (2001); Inza (2002, thesis), section 4.4.3.1"

    def take_in(self, members: Population, new: Population, better: Better) -> Population:
        """Add it, whatever its value."""
        return members.join(new)


@dataclass
class CMAES(Search):
    """CMA-ES of the package ``cmaes``, for comparison with the other searches over numbers.

    Parameters
    ----------
    population : int or None
        Candidates in each generation; None is 4 + 3 ln(d).
    sigma : float
        First step size; the search starts in the middle of the box.
    generations : int
        Largest number of generations; it ends before that where it has converged.

    Notes
    -----
    Hansen and Ostermeier (2001). Needs the extra ``fewest[continuous]``.

    Examples
    --------
    >>> from fewest.search import CMAES, Box
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda w: -abs(w - 0.3).sum()).bind(toy_table(n_features=3))
    >>> drive(CMAES(), Box(3), scorer, max_batches=60).best_value > -0.05
    True
    """

    name: ClassVar[str] = "cma-es"
    source: ClassVar[str] = "Hansen and Ostermeier (2001)"
    spaces: ClassVar[tuple[str, ...]] = ("box",)
    ends: ClassVar[bool] = True

    population: int | None = whole(None, low=3, optional=True)
    sigma: float = number(0.3, low=1e-9, high=10.0)
    generations: int = whole(200, low=1)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        d = space.n_units
        if d < 2:
            yield space.sample(100, rng, 1.0)
            return Verdict("100 candidates scored: the method needs two weights")
        strategy = _strategy(d, self.sigma, self.population, int(rng.integers(2**31)))
        for _ in range(self.generations):
            drawn = np.array([strategy.ask() for _ in range(strategy.population_size)])
            given = space.repair(drawn, rng)
            value = (yield given).value
            ranks = np.empty(len(given))
            ranks[better.order(given, value)] = np.arange(len(given))
            # Ranks are all it looks at; they also order what has no value.
            strategy.tell(list(zip(drawn, ranks.tolist(), strict=True)))
            if strategy.should_stop():
                return Verdict("the strategy has converged")
        return Verdict(f"{self.generations} generations done")


def _strategy(d: int, sigma: float, population: int | None, seed: int) -> Any:
    try:
        from cmaes import CMA
    except ImportError:
        raise InputError(
            'The search "cma-es" needs the package cmaes; install it with '
            'pip install "fewest[continuous]".'
        ) from None
    bounds = np.column_stack([np.zeros(d), np.ones(d)])
    return CMA(np.full(d, 0.5), sigma, bounds=bounds, seed=seed, population_size=population)
