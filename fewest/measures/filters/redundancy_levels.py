"""Redundancy at any level: what a feature adds to the class given several others together."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from ...data.information import Information
from ...data.table import Table
from ...errors import InputError
from .redundancy import allowed_noise_alone, below


def cost_of_level(n_features: int, level: int) -> int:
    """How many sets of ``level`` other features :func:`redundant_at` looks at in all.

    >>> cost_of_level(20, 2)
    3420
    """
    return n_features * comb(max(0, n_features - 1), level)


@dataclass(frozen=True)
class LevelRedundancy:
    """A feature at one level of redundancy.

    Parameters
    ----------
    feature : str
    given : tuple of str
        The other features given which it adds least beyond its cost.
    bits, cost : float
        I(A; C | given), and the noise allowed there.
    redundant : bool
        Whether the bits do not reach the cost.
    """

    feature: str
    given: tuple[str, ...]
    bits: float
    cost: float
    redundant: bool


def redundant_at(
    table: Table,
    level: int,
    *,
    noise: bool = True,
    discretise: str = "mdl",
    bins: int = 10,
    max_sets: int = 1_000_000,
) -> list[LevelRedundancy]:
    """For every feature, whether it is redundant given some ``level`` others together.

    Parameters
    ----------
    table : Table
    level : int
        How many other features are given at once; 0 and 1 are what
        :func:`~fewest.measures.filters.redundancy.explain_redundancy` tells.
    noise, discretise, bins
        As in :func:`~fewest.measures.filters.redundancy.explain_redundancy`.
    max_sets : int
        More sets than this are refused; :func:`cost_of_level` says how many there are.

    Notes
    -----
    Drugan and Wiering (2010), definition 3: A_i is redundant at level k if a set S of k other
    features has H(C | S) - H(C | A_i, S) < ξ. All sets are looked at, and |Ω(S)|, the number of
    combinations of values, is the product of the cardinalities, so that the noise allowed soon
    exceeds every information: high levels need many rows.

    Examples
    --------
    >>> from fewest.data import as_table
    >>> rows = [[a, b, a + b] for a in "xy" for b in "uv"] * 10
    >>> table = as_table(rows, [row[2] for row in rows])
    >>> redundant_at(table, 2)[2].given, redundant_at(table, 2)[2].redundant
    (('x0', 'x1'), True)
    """
    if not 0 <= level < max(1, table.n_features):
        raise InputError(
            f"`level` must be between 0 and {table.n_features - 1} (the other features), but is "
            f"{level}."
        )
    sets = cost_of_level(table.n_features, level)
    if sets > max_sets:
        raise InputError(
            f"`level` {level} looks at {sets:,} sets of features, more than `max_sets` "
            f"({max_sets:,}); choose a lower level, fewer features, or raise `max_sets`."
        )
    counted = table.information(discretise, bins)
    return [_at_level(i, level, table.names, counted, noise) for i in range(table.n_features)]


def _at_level(
    i: int,
    level: int,
    names: tuple[str, ...],
    bits: Information,
    noise: bool,
) -> LevelRedundancy:
    d = len(names)
    others = list(combinations([j for j in range(d) if j != i], level))
    given = np.zeros((len(others), d), dtype=bool)
    for row, members in enumerate(others):
        given[row, list(members)] = True
    both = given.copy()
    both[:, i] = True
    alone, together = bits.of_subsets(given), bits.of_subsets(both)
    added = (alone[:, 1] - alone[:, 0]) - (together[:, 1] - together[:, 0])
    added = np.where(added < 1e-12, 0.0, added)
    cells = np.array([np.prod(bits.cardinalities[list(m)], dtype=float) for m in others])
    own = float(allowed_noise_alone(bits)[i])
    cost = own * cells if noise else np.zeros(len(others))
    least = int(np.argmin(added - cost))
    facts = float(added[least]), float(cost[least])
    return LevelRedundancy(names[i], tuple(names[j] for j in others[least]), *facts, below(*facts))
