"""Estimation of distribution with networks and trees: EBNA, BOA, FDA and COMIT."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._models.discrete import Marginals, Model, Rows
from .._models.family_scores import LARGEST_TABLE, Score
from .._models.graph import Graph
from .._models.structure_search import learn_b, learn_pc, learn_tree
from .._parameters import number, one_of, whole
from ..measures._measure import Candidates
from ._better import Better
from ._distribution import EDA, Generation
from ._population import Population
from ._search import LearnedGraph
from ._spaces.space import Space

#: Wider networks take long to learn again and are not readable.
MOST_GRAPH_UNITS = 60


@dataclass
class EBNA(EDA):
    """Learns which units of the best candidates go together as a Bayesian network.

    Parameters
    ----------
    population : int or None
        Number of candidates that are kept. None is 1000 for "b", as in the paper, and otherwise
        :func:`~fewest.search._distribution.population_for` a unit with four parents.
    learning : "b", "k2" or "pc"
        How the structure is found: Algorithm B with BIC, Algorithm B with the penalised K2
        score, or the tests of independence of the PC algorithm.
    max_parents : int or None
        Largest number of parents of a unit ("b" and "k2"); None leaves it to the score.
    significance : float
        Level of the tests ("pc").

    Notes
    -----
    From the empty graph in each generation, parameters (N_ijk + 1) / (N_ij + r_i), ancestral
    sampling (Inza et al., 2000, section 3.2; Inza, 2002, section 4.3.3.4).

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.search import Better, EBNA, Subsets
    >>> space = Subsets(5, max_features=2)
    >>> steps = EBNA(population=20).propose(space, Better(space), np.random.default_rng(0))
    >>> int(next(steps).sum(axis=1).max())
    2
    """

    name: ClassVar[str] = "ebna"
    source: ClassVar[str] = "Inza et al. (2000), section 3.2; Inza (2002, thesis), section 4.3.3.4"

    population: int | None = whole(None, low=2, optional=True)
    learning: str = one_of("b", "k2", "pc")
    max_parents: int | None = whole(None, low=1, optional=True)
    significance: float = number(0.05, low=1e-12, high=1.0)

    @property
    def size(self) -> int:
        """Return the number of candidates that are kept."""
        return 1000 if self.population is None and self.learning == "b" else super().size

    def learned_graph(
        self, candidates: Candidates, value: NDArray[np.float64], space: Space
    ) -> LearnedGraph | None:
        """Return the network of the best candidates, learned as in a generation."""
        if not 2 <= space.n_units <= MOST_GRAPH_UNITS or len(candidates) < 2:
            return None
        best = max(2, round(self.selected * self.size))
        selected = candidates[:best].astype(np.uint8)
        graph = self._graph(selected, space.cardinalities)
        return LearnedGraph(tuple((int(a), int(b)) for a, b in graph.arcs), len(selected))

    def learn(self, generation: Generation) -> Model:
        return generation.network(self._graph(*generation.rows))

    def _graph(self, rows: Rows, cards: NDArray[np.int64]) -> Graph:
        if self.learning == "pc":
            return learn_pc(rows, cards, self.significance)
        score = "bic" if self.learning == "b" else "k2-penalised"
        return learn_b(rows, cards, score, self.max_parents)


@dataclass
class BOA(EDA):
    """Learns a Bayesian network with few parents of the best candidates, and samples it.

    Parameters
    ----------
    max_parents : int
        Largest number of parents of a unit.
    sample_size : float
        Equivalent sample size of the BDe prior.

    Notes
    -----
    Pelikan et al. (1999): Algorithm B with the BDe score from the empty graph (Inza, 2002,
    section 4.3.3.3). The equivalent sample size is shared out evenly over the cells.
    """

    name: ClassVar[str] = "boa"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.3.3"

    cells: ClassVar[int] = 16
    population: int | None = whole(None, low=2, optional=True)
    max_parents: int = whole(3, low=0)
    sample_size: float = number(1.0, low=1e-6)

    def learn(self, generation: Generation) -> Model:
        score = Score("bde", self.sample_size)
        return generation.network(learn_b(*generation.rows, score, self.max_parents))


def _are_cliques(value: object) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(clique, list | tuple)
        and all(isinstance(u, int | np.integer) and u >= 0 for u in clique)
        for clique in value
    )


@dataclass
class FDA(EDA):
    """Samples a factorisation given by the user: units that interact stand in a common clique.

    Parameters
    ----------
    cliques : tuple of tuples of int
        Sets of units (positions among the free units of the space). A unit in none of them is
        independent of all; without cliques this is UMDA.

    Notes
    -----
    Mühlenbein et al. (1999): the product over the cliques of p(new units | units seen before);
    Inza (2002, section 4.3.3.2), with Laplace's correction. The structure never changes.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.search import Better, FDA, Subsets
    >>> space = Subsets(5)
    >>> search = FDA(population=20, cliques=((0, 1, 2), (2, 3)))
    >>> next(search.propose(space, Better(space), np.random.default_rng(0))).shape
    (20, 5)
    """

    name: ClassVar[str] = "fda"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.3.2"

    cliques: tuple[tuple[int, ...], ...] = dataclasses.field(
        default=(),
        metadata={"must": "tuples of whole numbers of at least 0", "check": _are_cliques},
    )

    def learn(self, generation: Generation) -> Model:
        return generation.network(factorisation(self.cliques, generation.cardinalities.tolist()))


def factorisation(cliques: Sequence[Sequence[int]], cards: Sequence[int]) -> Graph:
    """Return the graph in which a new unit of a clique depends on all of the clique before it."""
    parents: list[tuple[int, ...]] = [()] * len(cards)
    seen: set[int] = set()
    for clique in cliques:
        if max(clique, default=0) >= len(cards):
            raise InputError(
                f"`cliques` of FDA must name units from 0 to {len(cards) - 1} (the free units of "
                f"the space), but names {max(clique)}."
            )
        size = np.prod([float(cards[u]) for u in set(clique)])
        if size > LARGEST_TABLE:
            raise InputError(
                f"`cliques` of FDA must have at most {LARGEST_TABLE} combinations each, but "
                f"{tuple(clique)!r} has {size:.0f}; give smaller cliques."
            )
        known = sorted(set(clique) & seen)
        for unit in dict.fromkeys(u for u in clique if u not in seen):
            parents[unit] = tuple(known)
            known.append(unit)
        seen.update(clique)
    return Graph(tuple(parents))


@dataclass
class COMIT(EDA):
    """Samples the Chow-Liu tree of the best candidates and improves on the best samples beside it.

    Parameters
    ----------
    optimiser : "hill-climbing" or "pbil"
        The fast search: neighbours of the climbers, or a vector of probabilities that is moved
        half of the way to them.
    climbers : int
        Number of the best samples of the generation before from which it starts. With few, their
        neighbours fill the population, and the tree has nothing left to learn.
    improved : float
        Part of each generation that comes from it.

    Notes
    -----
    Baluja and Davies (1998); Inza (2002, section 4.3.2.3): the fast search starts from the best
    samples of the tree. They run it to its end between two trees; here it takes one step in each
    generation, from the best of the batch before, in the same batch as the new samples of the
    tree. So a generation stays one batch, and a climb goes on for as long as it leads.
    """

    name: ClassVar[str] = "comit"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.2.3"

    optimiser: str = one_of("hill-climbing", "pbil")
    climbers: int = whole(100, low=1)
    improved: float = number(0.5, low=0.0, high=1.0)

    def learn(self, generation: Generation) -> Model:
        return generation.network(learn_tree(*generation.rows))

    def draw(
        self, model: Model, n: int, newest: Population, better: Better, rng: np.random.Generator
    ) -> Candidates:
        """Sample the tree, then take steps of the fast search."""
        local, space = round(self.improved * n), better.space
        rows = newest.best(len(newest), better).candidates.astype(np.uint8)
        step = _neighbours if self.optimiser == "hill-climbing" else _moved
        climbed = step(rows, self.climbers, local, space.cardinalities, rng)
        return space.repair(np.concatenate([model.sample(n - local, rng), climbed]), rng)


def _neighbours(
    rows: Rows, climbers: int, n: int, cards: Candidates, rng: np.random.Generator
) -> Rows:
    """Return the climbers in turn, each with one random unit at another level."""
    out = rows[np.arange(n) % min(climbers, len(rows))]
    unit = rng.integers(out.shape[1], size=n)
    other = rng.integers(1, np.maximum(cards[unit], 2))
    out[np.arange(n), unit] = (out[np.arange(n), unit] + other) % cards[unit]
    return out


def _moved(rows: Rows, climbers: int, n: int, cards: Candidates, rng: np.random.Generator) -> Rows:
    """Draw from the frequencies of the samples, moved half of the way to the climbers'."""
    everyone = Marginals.learn(rows, cards)
    return everyone.moved(Marginals.learn(rows[:climbers], cards), 0.5).sample(n, rng)
