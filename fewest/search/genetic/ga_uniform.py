"""Genetic algorithm with uniform crossover."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...measures.base import Candidates
from .base import Genetic
from .variation import uniform


@dataclass
class GAUniform(Genetic):
    """Breed good subsets: parents by value, uniform crossover, mutation, the best survive.

    Parameters
    ----------
    population, crossover, mutation, p0 : see :class:`fewest.search.genetic.base.Genetic`

    Notes
    -----
    Uniform crossover does not care in which order the features stand.

    Examples
    --------
    >>> from fewest.search import GAUniform, Subsets
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda mask: float(mask[::2].sum())).bind(toy_table(n_features=12))
    >>> drive(GAUniform(population=50), Subsets(12), scorer, max_batches=20).best_value
    6.0
    """

    name: ClassVar[str] = "ga-uniform"

    def cross(
        self, mothers: Candidates, fathers: Candidates, rng: np.random.Generator
    ) -> tuple[Candidates, Candidates]:
        """Exchange each unit with probability ½."""
        return uniform(mothers, fathers, rng)
