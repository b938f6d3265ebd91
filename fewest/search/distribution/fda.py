"""FDA: a factorisation that the user knows."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...errors import InputError
from ...models.base import Model
from ...models.networks.algorithm_b import LARGEST_TABLE
from ...models.networks.graph import Graph
from ...models.networks.network import Network
from .base import EDA, Generation


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
    population, selected, p0 : see :class:`fewest.search.distribution.base.EDA`
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
        """Parameters only."""
        rows, cards = generation.selected, generation.cardinalities
        graph = factorisation(self.cliques, cards.tolist())
        return Network.learn(graph, rows, cards)


def factorisation(cliques: Sequence[Sequence[int]], cards: Sequence[int]) -> Graph:
    """The graph in which each new unit of a clique depends on all of the clique before it.

    >>> factorisation(((0, 1), (1, 2)), [2, 2, 2, 2]).parents
    ((), (0,), (1,), ())
    """
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
