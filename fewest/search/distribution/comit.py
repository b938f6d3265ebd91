"""COMIT: the tree of the best candidates, its samples improved by a fast local search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...measures.base import Candidates
from ...models.base import Model, Rows
from ...models.marginals import Marginals
from ...models.networks.network import Network
from ...models.trees import learn_tree
from ...parameters import number, one_of, whole
from ..better import Better
from ..population import Population
from .base import EDA, Generation


@dataclass
class COMIT(EDA):
    """Samples the Chow-Liu tree of the best candidates and improves on the best samples beside it.

    Parameters
    ----------
    population, selected, p0 : see :class:`fewest.search.distribution.base.EDA`
    optimiser : "hill-climbing" or "pbil"
        The fast search: neighbours of the climbers, or a vector of probabilities that is moved
        half of the way to them.
    climbers : int
        From how many of the best samples of the generation before it starts. With few, their
        neighbours fill the population, and the tree has nothing left to learn.
    improved : float
        Part of each generation that comes from it.

    Notes
    -----
    Baluja and Davies (1998); Inza (2002, section 4.3.2.3): the fast search starts from the best
    samples of the tree. They run it to its end between two trees; here it takes one step in each
    generation, from the best of the batch before, in the same batch as the new samples of the
    tree. So a generation stays one batch, and a climb goes on for as long as it leads.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.search import Better, COMIT, Subsets
    >>> space = Subsets(5)
    >>> steps = COMIT(population=20).propose(space, Better(space), np.random.default_rng(0))
    >>> next(steps).shape
    (20, 5)
    """

    name: ClassVar[str] = "comit"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.2.3"

    optimiser: str = one_of("hill-climbing", "pbil")
    climbers: int = whole(100, low=1)
    improved: float = number(0.5, low=0.0, high=1.0)

    def learn(self, generation: Generation) -> Model:
        """Structure, then parameters."""
        rows, cards = generation.selected, generation.cardinalities
        return Network.learn(learn_tree(rows, cards), rows, cards)

    def draw(
        self, model: Model, n: int, newest: Population, better: Better, rng: np.random.Generator
    ) -> Candidates:
        """Samples of the tree, then steps of the fast search."""
        local, space = round(self.improved * n), better.space
        rows = newest.best(len(newest), better).candidates.astype(np.uint8)
        step = _neighbours if self.optimiser == "hill-climbing" else _moved
        climbed = step(rows, self.climbers, local, space.cardinalities, rng)
        return space.repair(np.concatenate([model.sample(n - local, rng), climbed]), rng)


def _neighbours(
    rows: Rows, climbers: int, n: int, cards: Candidates, rng: np.random.Generator
) -> Rows:
    """The climbers in turn, each with one random unit at another level."""
    out = rows[np.arange(n) % min(climbers, len(rows))]
    unit = rng.integers(out.shape[1], size=n)
    other = rng.integers(1, np.maximum(cards[unit], 2))
    out[np.arange(n), unit] = (out[np.arange(n), unit] + other) % cards[unit]
    return out


def _moved(rows: Rows, climbers: int, n: int, cards: Candidates, rng: np.random.Generator) -> Rows:
    """Draws from the frequencies of the samples, moved half of the way to the climbers'."""
    everyone = Marginals.learn(rows, cards)
    return everyone.moved(Marginals.learn(rows[:climbers], cards), 0.5).sample(n, rng)
