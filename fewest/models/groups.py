"""Groups of variables that are independent of each other: a product of joint distributions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.networks.grouping import copy_groups, group_variables
from .base import Model, Rows, as_rows


def learn_groups(rows: NDArray[Any], cardinalities: NDArray[Any]) -> tuple[tuple[int, ...], ...]:
    """The partition of the variables that describes the rows in the fewest bits, greedily.

    Notes
    -----
    Harik (1999): n times the sum of the entropies of the groups, and log2(n + 1) bits for each
    free parameter; from single variables, the two groups whose union saves most are joined
    while one saves (Inza, 2002, section 4.3.3.1).

    Examples
    --------
    >>> import numpy as np
    >>> a = np.arange(64) % 2; b = np.arange(64) // 2 % 2
    >>> learn_groups(np.stack([a, b, a, b, a ^ b], axis=1), np.full(5, 2))
    ((0, 2), (1, 3), (4,))
    """
    data, cards = as_rows(rows, cardinalities)
    groups: dict[int, list[int]] = {}
    for i, g in enumerate(group_variables(data, cards).tolist()):
        groups.setdefault(g, []).append(i)
    return tuple(tuple(groups[g]) for g in sorted(groups))


@dataclass(frozen=True, eq=False)
class Groups(Model):
    """Each group of variables has the joint frequencies of the rows; the groups are independent.

    Parameters
    ----------
    cardinalities : int64 array of shape (d,)
    groups : tuple of tuples of int
        A partition of the variables.
    rows : uint8 array of shape (n, d)
        What it was learned from: to draw a group is to copy it from a random row.
    prior : float
        Added to the count of every combination of levels of a group.
    """

    cardinalities: NDArray[np.int64]
    groups: tuple[tuple[int, ...], ...]
    rows: Rows
    prior: float = 0.0

    @staticmethod
    def learn(
        groups: tuple[tuple[int, ...], ...],
        rows: NDArray[Any],
        cardinalities: NDArray[Any],
        prior: float = 0.0,
    ) -> Groups:
        """The model of these groups."""
        data, cards = as_rows(rows, cardinalities)
        return Groups(cards, groups, data, prior)

    def _even(self, group: tuple[int, ...]) -> tuple[float, float]:
        """Number of combinations of a group, and the weight of the even part of its mixture."""
        combinations = float(np.prod(self.cardinalities[list(group)].astype(np.float64)))
        added = self.prior * combinations
        return combinations, added / (len(self.rows) + added)

    def sample(self, n: int, rng: np.random.Generator) -> Rows:
        picks = np.empty((len(self.groups), n), dtype=np.int64)
        of = np.zeros(len(self.cardinalities), dtype=np.int64)
        anew: list[tuple[NDArray[np.intp], tuple[int, ...], Rows]] = []
        for g, group in enumerate(self.groups):
            of[list(group)] = g
            # (N_k + a) / (N + a r) mixes the rows, N / (N + a r), with all combinations alike.
            picks[g] = rng.integers(len(self.rows), size=n)
            uniform = rng.random(n)
            if self.prior > 0:
                even = np.flatnonzero(uniform < self._even(group)[1])
                high = self.cardinalities[list(group)]
                fresh = rng.integers(0, high, (len(even), len(group)), dtype=np.uint8)
                anew.append((even, group, fresh))
        drawn: Rows = copy_groups(self.rows, picks, of)
        for even, group, fresh in anew:
            drawn[even[:, None], group] = fresh
        return drawn

    def log_probability(self, rows: Rows) -> NDArray[np.float64]:
        data, _ = as_rows(rows, self.cardinalities)
        total = np.zeros(len(data))
        for group in self.groups:
            at = list(group)
            combinations, even = self._even(group)
            known, count = np.unique(self.rows[:, at], axis=0, return_counts=True)
            share = {row.tobytes(): c / len(self.rows) for row, c in zip(known, count, strict=True)}
            met = np.array([share.get(row.tobytes(), 0.0) for row in data[:, at]])
            with np.errstate(divide="ignore"):
                total += np.log((1 - even) * met + even / combinations)
        return total
