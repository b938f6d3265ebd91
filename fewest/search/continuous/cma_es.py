"""CMA-ES: the evolution strategy that adapts its covariance matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...errors import InputError
from ...parameters import number, whole
from ..base import Proposals, Search, Verdict
from ..better import Better
from ..spaces.base import Space


@dataclass
class CMAES(Search):
    """CMA-ES of the package ``cmaes``, for comparison with the other searches over numbers.

    Parameters
    ----------
    population : int or None
        Candidates in each generation; None is 4 + 3 ln(d).
    sigma : float
        The first step size; the search starts in the middle of the box.
    generations : int
        The most generations; it ends before that where it has converged.

    Notes
    -----
    Hansen and Ostermeier (2001). Needs the extra ``fewest[continuous]``.

    Examples
    --------
    >>> from fewest.search import CMAES
    >>> from fewest.search.spaces.box import Box
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
            asked = np.array([strategy.ask() for _ in range(strategy.population_size)])
            given = space.repair(asked, rng)
            value = (yield given).value
            ranks = np.empty(len(given))
            ranks[better.order(given, value)] = np.arange(len(given))
            # Ranks are all it looks at; they also order what has no value.
            strategy.tell(list(zip(asked, ranks.tolist(), strict=True)))
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
