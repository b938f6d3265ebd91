"""Independent variables: the product of the marginal distributions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .base import Model, Rows, as_rows, as_weights


@dataclass(frozen=True, eq=False)
class Marginals(Model):
    """A distribution in which all variables are independent.

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
        """Frequencies of the rows, (weight at the level + prior) / (weight + levels x prior)."""
        data, cards = as_rows(rows, cardinalities)
        w = as_weights(weights, len(data))
        levels = np.arange(cards.max(initial=1))
        counts = np.stack([w @ (data == k) for k in levels], axis=1)
        counts = np.where(levels < cards[:, None], counts + prior, 0.0)
        return Marginals(cards, _normalised(counts, cards))

    @staticmethod
    def uniform(cardinalities: NDArray[Any], above: float | None = None) -> Marginals:
        """Every level as probable as the others, or those above 0 with probability ``above``."""
        cards = np.asarray(cardinalities, dtype=np.int64)
        even = _normalised(np.zeros((len(cards), cards.max(initial=1))), cards)
        if above is not None:
            free = cards > 1
            even[free, 1:] *= above * (cards[free] / (cards[free] - 1))[:, None]
            even[free, 0] = 1.0 - above
        return Marginals(cards, even)

    @staticmethod
    def random(cardinalities: NDArray[Any], rng: np.random.Generator) -> Marginals:
        """Probabilities drawn at random, every distribution of a variable equally likely."""
        cards = np.asarray(cardinalities, dtype=np.int64)
        parts = rng.standard_exponential((len(cards), cards.max(initial=1)))
        parts[np.arange(parts.shape[1]) >= cards[:, None]] = 0.0
        return Marginals(cards, _normalised(parts, cards))

    def moved(self, other: Marginals, step: float) -> Marginals:
        """The mixture ``(1 - step) * self + step * other``."""
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

    def log_probability(self, rows: Rows) -> NDArray[np.float64]:
        data, _ = as_rows(rows, self.cardinalities)
        met = self.probabilities[np.arange(data.shape[1]), data]
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(met).sum(axis=1))


def _normalised(counts: NDArray[np.float64], cards: NDArray[np.int64]) -> NDArray[np.float64]:
    total = counts.sum(axis=1, keepdims=True)
    flat = (np.arange(counts.shape[1]) < cards[:, None]) / cards[:, None]
    return np.where(total > 0, counts / np.where(total > 0, total, 1.0), flat)
