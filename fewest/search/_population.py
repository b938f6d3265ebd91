"""Population of genetic and distribution searches: members, survivors, parents."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..measures._measure import Candidates, Scores
from ._better import Better
from ._search import Search
from ._spaces.space import Space
from ._spaces.weight_spaces import Box, Levels


@dataclass(frozen=True, eq=False)
class Population:
    """Candidates with their scores."""

    candidates: Candidates
    scores: Scores

    def __len__(self) -> int:
        return len(self.candidates)

    @property
    def value(self) -> NDArray[np.float64]:
        return self.scores.value

    def take(self, rows: NDArray[np.intp]) -> Population:
        """Return these members, in this order."""
        return Population(self.candidates[rows], self.scores.take(rows))

    def best(self, n: int, better: Better) -> Population:
        """Return the best ``n`` (truncation selection), from best to worst."""
        return self.take(better.order(self.candidates, self.value)[:n])

    def join(self, other: Population) -> Population:
        return Population(
            np.concatenate([self.candidates, other.candidates]),
            Scores.join([self.scores, other.scores]),
        )


class PopulationSearch(Search):
    """Base of the searches that begin with a random population.

    Parameters
    ----------
    p0 : float or None
        Probability of each unit in the first population. None is one half for up to 100 units;
        beyond, the first population has subsets of all sizes, small ones as often as large ones.
    """

    spaces: ClassVar[tuple[str, ...]] = ("subsets", "levels")
    example: ClassVar[str] = """
        >>> from fewest.search import {name}, Subsets
        >>> from fewest.testing import TableMeasure, drive, toy_table
        >>> scorer = TableMeasure(lambda mask: float(mask[:8].sum())).bind(toy_table(n_features=12))
        >>> drive({name}(population=60), Subsets(12), scorer, max_batches=20).best_value
        8.0
        """


#: With more units than this, a start with half of them in would only find large subsets.
MOST_UNITS_AT_HALF = 100


def first_population(
    space: Space, n: int, rng: np.random.Generator, p0: float | None
) -> Candidates:
    """Draw ``n`` feasible candidates, each unit in with probability ``p0``.

    None is one half for up to 100 units. Beyond, the size of each subset is drawn first, uniformly
    on a logarithmic scale up to 50 or twice the square root of the number of units: with half of
    very many units in, every subset of few rows looks perfect, and nothing is learned.

    Where the space has weights to start from, they come first.
    """
    drawn = _drawn(space, n, rng, p0)
    if isinstance(space, Levels | Box) and space.starts is not None:
        drawn[: len(space.starts)] = space.repair(space.nearest(space.starts[:n]), rng)
    return drawn


def _drawn(space: Space, n: int, rng: np.random.Generator, p0: float | None) -> Candidates:
    d = space.n_units
    if p0 is not None or d <= MOST_UNITS_AT_HALF or space.kind != "subsets":
        return space.sample(n, rng, 0.5 if p0 is None else p0)
    low, high = max(1.0, float(space.min_features)), _largest(d)
    if space.max_features is not None:
        high = min(high, float(space.max_features))
    sizes = np.exp(rng.uniform(np.log(low), np.log(max(low, high)), size=(n, 1)))
    return space.sample(n, rng, sizes / d)


def mean_share(n_units: int, p0: float | None) -> float:
    """Return the mean probability of a unit in :func:`first_population`."""
    if p0 is not None or n_units <= MOST_UNITS_AT_HALF:
        return 0.5 if p0 is None else p0
    high = _largest(n_units)
    return float((high - 1) / np.log(high) / n_units)


def _largest(n_units: int) -> float:
    """Return the largest size in the first population of a wide table."""
    return float(max(MOST_UNITS_AT_HALF / 2, 2.0 * np.sqrt(n_units)))


def scored(candidates: Candidates) -> Generator[Candidates, Scores, Population]:
    """Yield the candidates as a batch and return them with the scores that are sent back.

    ``population = yield from scored(space.sample(n, rng))``
    """
    scores = yield candidates
    return Population(candidates, scores)


def survivors(old: Population, new: Population, n: int, better: Better) -> Population:
    """Return the best ``n`` of the old population and the offspring, from best to worst."""
    return old.join(new).best(n, better)


def proportional(value: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Draw ``n`` indices with replacement, with probabilities proportional to the values.

    Fitness-proportional selection needs values of at least 0, such as accuracies. Where some
    are negative (a description length), all are raised by the smallest. Where all are equal, or
    none is a number, every index is equally likely; beside numbers, NaN is never drawn.
    """
    known = np.where(np.isfinite(value), value, -np.inf)
    if not np.isfinite(known).any():
        return rng.integers(len(value), size=n)
    low = min(0.0, float(known[np.isfinite(known)].min()))
    weight = np.where(np.isfinite(known), known - low, 0.0)
    if weight.sum() <= 0:
        weight = np.isfinite(known).astype(np.float64)
    drawn = np.searchsorted(np.cumsum(weight / weight.sum()), rng.random(n), side="right")
    return np.asarray(np.minimum(drawn, np.flatnonzero(weight)[-1]))
