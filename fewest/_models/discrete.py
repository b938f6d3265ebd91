"""Discrete models that draw rows: independent variables, and groups of variables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._kernels.networks.pairs import copy_groups, group_variables

#: Rows of small whole numbers, shape (n, d): column i holds 0 ... cardinalities[i] - 1.
Rows = NDArray[np.uint8]


class Model(ABC):
    """Distribution over rows of small whole numbers."""

    cardinalities: NDArray[np.int64]

    @abstractmethod
    def sample(self, n: int, rng: np.random.Generator) -> Rows:
        """Draw ``n`` independent rows."""


def as_rows(rows: NDArray[Any], cardinalities: NDArray[Any]) -> tuple[Rows, NDArray[np.int64]]:
    """Return rows and cardinalities as the kernels take them, or raise an error."""
    cards = np.asarray(cardinalities, dtype=np.int64)
    given = np.asarray(rows)
    if given.ndim != 2 or given.shape[1] != len(cards):
        raise InputError(
            f"`rows` must have two dimensions and {len(cards)} columns (one a cardinality), "
            f"but has shape {given.shape}."
        )
    if len(given) == 0:
        raise InputError("`rows` must hold at least one row, but is empty.")
    if (cards < 1).any() or (cards > 255).any():
        raise InputError("`cardinalities` must be between 1 and 255.")
    if (given.max(axis=0) >= cards).any() or (given.dtype.kind != "u" and given.min() < 0):
        raise InputError(
            "`rows` must hold whole numbers from 0 to one less than the cardinality of their "
            "column, but some are outside."
        )
    return np.ascontiguousarray(given, dtype=np.uint8), cards


def as_weights(weights: NDArray[Any] | None, n: int) -> NDArray[np.float64]:
    """Return the row weights, ones where none are given."""
    if weights is None:
        return np.ones(n)
    out = np.asarray(weights, dtype=np.float64)
    if out.shape != (n,) or not np.isfinite(out).all() or (out < 0).any():
        raise InputError(f"`weights` must be {n} finite numbers (one a row), none below 0.")
    return out


@dataclass(frozen=True, eq=False)
class Marginals(Model):
    """Distribution in which all variables are independent.

    Parameters
    ----------
    cardinalities : int64 array of shape (d,)
    probabilities : float64 array of shape (d, largest cardinality)
        Row i holds the probabilities of the levels of variable i, then zeros.

    Examples
    --------
    >>> import numpy as np
    >>> model = Marginals.learn(np.array([[0, 1], [0, 0]]), np.array([2, 2]))
    >>> model.probabilities
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """

    cardinalities: NDArray[np.int64]
    probabilities: NDArray[np.float64]

    @staticmethod
    def learn(
        rows: NDArray[Any],
        cardinalities: NDArray[Any],
        weights: NDArray[Any] | None = None,
        prior: float = 1.0,
    ) -> Marginals:
        """Learn the frequencies (weight at the level + prior) / (weight + levels x prior)."""
        data, cards = as_rows(rows, cardinalities)
        w = as_weights(weights, len(data))
        levels = np.arange(cards.max(initial=1))
        counts = np.stack([w @ (data == k) for k in levels], axis=1)
        counts = np.where(levels < cards[:, None], counts + prior, 0.0)
        return Marginals(cards, _normalised(counts, cards))

    @staticmethod
    def uniform(cardinalities: NDArray[Any], above: float | None = None) -> Marginals:
        """Give every level the same probability, or those above 0 probability ``above``."""
        cards = np.asarray(cardinalities, dtype=np.int64)
        even = _normalised(np.zeros((len(cards), cards.max(initial=1))), cards)
        if above is not None:
            free = cards > 1
            even[free, 1:] *= above * (cards[free] / (cards[free] - 1))[:, None]
            even[free, 0] = 1.0 - above
        return Marginals(cards, even)

    @staticmethod
    def random(cardinalities: NDArray[Any], rng: np.random.Generator) -> Marginals:
        """Draw probabilities at random, every distribution of a variable equally likely."""
        cards = np.asarray(cardinalities, dtype=np.int64)
        parts = rng.standard_exponential((len(cards), cards.max(initial=1)))
        parts[np.arange(parts.shape[1]) >= cards[:, None]] = 0.0
        return Marginals(cards, _normalised(parts, cards))

    def moved(self, other: Marginals, step: float) -> Marginals:
        """Return the mixture ``(1 - step) * self + step * other``."""
        mixed = (1.0 - step) * self.probabilities + step * other.probabilities
        return Marginals(self.cardinalities, mixed)

    def sample(self, n: int, rng: np.random.Generator) -> Rows:
        uniform = rng.random((n, len(self.cardinalities)))
        rows = np.zeros(uniform.shape, dtype=np.uint8)
        running = np.cumsum(self.probabilities, axis=1)
        for k in range(running.shape[1] - 1):
            # Rounding may leave the last running sum of a variable a little under 1.
            rows += (uniform >= running[:, k]) & (k < self.cardinalities - 1)
        return rows


def _normalised(counts: NDArray[np.float64], cards: NDArray[np.int64]) -> NDArray[np.float64]:
    total = counts.sum(axis=1, keepdims=True)
    flat = (np.arange(counts.shape[1]) < cards[:, None]) / cards[:, None]
    return np.where(total > 0, counts / np.where(total > 0, total, 1.0), flat)


def learn_groups(rows: NDArray[Any], cardinalities: NDArray[Any]) -> tuple[tuple[int, ...], ...]:
    """Find the partition of the variables that describes the rows in the fewest bits, greedily.

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
    """Independent groups of variables, each with the joint frequencies of the rows.

    Parameters
    ----------
    cardinalities : int64 array of shape (d,)
    groups : tuple of tuples of int
        A partition of the variables.
    rows : uint8 array of shape (n, d)
        What it was learned from: to draw a group is to copy it from a random row.
    prior : float
        Added to the count of every combination of levels of a group.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.array([[0, 0], [1, 1]], dtype=np.uint8)
    >>> model = Groups(np.array([2, 2]), ((0, 1),), rows, 0.0)
    >>> model.sample(3, np.random.default_rng(0)).shape
    (3, 2)
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
        """Learn the model of these groups."""
        data, cards = as_rows(rows, cardinalities)
        return Groups(cards, groups, data, prior)

    def _even(self, group: tuple[int, ...]) -> float:
        """Return the weight of the uniform part of a group."""
        added = self.prior * float(np.prod(self.cardinalities[list(group)].astype(np.float64)))
        return added / (len(self.rows) + added)

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
                even = np.flatnonzero(uniform < self._even(group))
                high = self.cardinalities[list(group)]
                fresh = rng.integers(0, high, (len(even), len(group)), dtype=np.uint8)
                anew.append((even, group, fresh))
        drawn: Rows = copy_groups(self.rows, picks, of)
        for even, group, fresh in anew:
            drawn[even[:, None], group] = fresh
        return drawn
