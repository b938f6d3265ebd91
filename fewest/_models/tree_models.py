"""Structures with at most one parent each: the Chow-Liu tree, a forest, a chain."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from .._kernels.networks.pairs import CHI_SQUARED, MUTUAL_INFORMATION, grow_chain, grow_forest
from .discrete import as_rows
from .graph import Graph


def learn_tree(rows: NDArray[Any], cardinalities: NDArray[Any]) -> Graph:
    """Learn the tree with the largest likelihood, variable 0 its root.

    Notes
    -----
    Chow and Liu (1968): the maximum-weight spanning tree of the mutual informations of all
    pairs (Inza, 2002, section 4.3.2.2).

    Examples
    --------
    >>> import numpy as np
    >>> a = np.arange(16) % 2; b = np.arange(16) // 2 % 2
    >>> learn_tree(np.stack([a, b, a & b], axis=1), np.array([2, 2, 2])).parents
    ((), (2,), (0,))
    """
    data, cards = as_rows(rows, cardinalities)
    anything = np.full(_most_freedom(cards) + 1, -np.inf)
    return _of_single(grow_forest(data, cards, MUTUAL_INFORMATION, anything))


def learn_forest(
    rows: NDArray[Any], cardinalities: NDArray[Any], significance: float = 0.05
) -> Graph:
    """Learn the forest of the strongest dependences that are significant.

    Notes
    -----
    Pelikan and Mühlenbein (1999): edges by Pearson's chi-squared statistic, above its critical
    value (3.84 for bits at 0.05). A new root is the smallest variable left, not a random one;
    the distribution is the same whatever the root (Inza, 2002, section 4.3.2.4).

    Examples
    --------
    >>> import numpy as np
    >>> a = np.arange(16) % 2; b = np.arange(16) // 2 % 2
    >>> learn_forest(np.stack([a, b, a], axis=1), np.array([2, 2, 2])).parents
    ((), (), (0,))
    """
    data, cards = as_rows(rows, cardinalities)
    critical = critical_values(significance, _most_freedom(cards))
    return _of_single(grow_forest(data, cards, CHI_SQUARED, critical))


def learn_chain(rows: NDArray[Any], cardinalities: NDArray[Any]) -> Graph:
    """Learn a chain: each variable depends on the one before it.

    Notes
    -----
    De Bonet et al. (1997): first the variable of least entropy, then always the one of least
    entropy given the last (Inza, 2002, section 4.3.2.1).

    Examples
    --------
    >>> import numpy as np
    >>> a = np.arange(16) % 2; b = np.arange(16) // 2 % 2
    >>> learn_chain(np.stack([a, b, a], axis=1), np.array([2, 2, 2])).order
    (0, 2, 1)
    """
    data, cards = as_rows(rows, cardinalities)
    order = grow_chain(data, cards)
    parents = np.full(len(cards), -1)
    parents[order[1:]] = order[:-1]
    return _of_single(parents)


@lru_cache(maxsize=16)
def critical_values(significance: float, most: int) -> NDArray[np.float64]:
    """Return chi-squared at this level for 0 (as for 1) to ``most`` degrees of freedom."""
    return np.asarray(chi2.isf(significance, np.maximum(np.arange(most + 1), 1)))


def _most_freedom(cards: NDArray[np.int64]) -> int:
    return int((cards.max(initial=1) - 1) ** 2)


def _of_single(parents: NDArray[np.int64]) -> Graph:
    return Graph(tuple(() if p < 0 else (p,) for p in parents.tolist()))
