"""Genetic algorithm with one-point crossover."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...measures.base import Candidates
from .base import Genetic
from .variation import one_point


@dataclass
class GAOnePoint(Genetic):
    """Breed good subsets: parents by value, one-point crossover, mutation, the best survive.

    Parameters
    ----------
    population, crossover, mutation, p0 : see :class:`fewest.search.genetic.base.Genetic`

    Notes
    -----
    One-point crossover keeps units together that lie side by side: it suffers where features
    that work together do not (Inza, 2002, thesis, sections 6.4.4 and 6.5).

    Examples
    --------
    >>> from fewest.search import GAOnePoint, Subsets
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda mask: float(mask[:8].sum())).bind(toy_table(n_features=12))
    >>> drive(GAOnePoint(population=50), Subsets(12), scorer, max_batches=20).best_value
    8.0
    """

    name: ClassVar[str] = "ga-one-point"

    def cross(
        self, mothers: Candidates, fathers: Candidates, rng: np.random.Generator
    ) -> tuple[Candidates, Candidates]:
        """Cut each pair once."""
        return one_point(mothers, fathers, rng)
