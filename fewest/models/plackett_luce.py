"""The Plackett-Luce distribution of orderings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError


@dataclass(frozen=True, eq=False)
class PlackettLuce:
    """Orderings drawn item by item, each next one in proportion to its worth.

    Parameters
    ----------
    worth : float64 array of shape (d,)
        Positive numbers; only their ratios matter.

    Notes
    -----
    P(ordering) = product over places k of w(k) / (w(k) + w(k + 1) + ... + w(d)) (Plackett, 1975).
    The worths are fitted by minorisation and maximisation (Hunter, 2004), with ``prior``
    imaginary wins of each item against an item of the mean worth, so that an item that always
    stands first has a finite one.

    Examples
    --------
    >>> model = PlackettLuce.learn(np.array([[0, 1, 2], [0, 2, 1], [1, 0, 2]]))
    >>> np.argsort(-model.worth)
    array([0, 1, 2])
    >>> float(np.exp(PlackettLuce(np.array([2.0, 1.0, 1.0])).log_probability([[0, 1, 2]])[0]))
    0.25
    """

    worth: NDArray[np.float64]

    @staticmethod
    def learn(orders: NDArray[Any], *, prior: float = 1.0, steps: int = 50) -> PlackettLuce:
        """The worths under which these orderings (one per row) are most probable."""
        lines = np.asarray(orders, dtype=np.int64)
        if lines.ndim != 2 or not (np.sort(lines, axis=1) == np.arange(lines.shape[1])).all():
            raise InputError("`orders` must hold one ordering per row, each item once.")
        n, d = lines.shape
        wins = np.full(d, n + prior) - np.bincount(lines[:, -1], minlength=d)
        worth = np.ones(d)
        places = np.argsort(lines, axis=1)
        for _ in range(steps):
            left = np.cumsum(worth[lines][:, ::-1], axis=1)[:, ::-1]
            # An item is compared at every place up to its own, the last one excepted.
            shares = np.cumsum(1 / left[:, :-1], axis=1)
            rows = np.minimum(places, d - 2)
            compared = np.take_along_axis(shares, rows, axis=1).sum(axis=0) if d > 1 else 0.0
            new = wins / (compared + 2 * prior / (worth + 1.0))
            new /= new.mean()
            if np.abs(new - worth).max() < 1e-8 * new.max():
                break
            worth = new
        return PlackettLuce(worth)

    def sample(self, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """``n`` orderings: sorting log worth plus Gumbel noise draws item by item."""
        noise = rng.gumbel(size=(n, len(self.worth)))
        return np.argsort(-(np.log(self.worth) + noise), axis=1)

    def log_probability(self, orders: NDArray[Any] | list[Any]) -> NDArray[np.float64]:
        """Natural logarithm of the probability of each ordering."""
        worth = self.worth[np.asarray(orders)]
        left = np.cumsum(worth[:, ::-1], axis=1)[:, ::-1]
        return np.asarray(np.log(worth / left).sum(axis=1))
