"""Gaussian networks: every variable is a linear function of its parents, plus normal noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..networks.graph import Graph
from .base import LEAST_VARIANCE, Density, Floats, as_numbers


@dataclass(frozen=True, eq=False)
class GaussianNetwork(Density):
    """A graph with a regression for every variable.

    Parameters
    ----------
    graph : Graph
    mean : float64 array of shape (d,)
        The unconditional means m.
    coefficients : tuple of float64 arrays
        For each variable the coefficient b of each of its parents, in their order.
    variance : float64 array of shape (d,)
        The conditional variances v.

    Notes
    -----
    x_i is normal with mean m_i + sum of b_ji (x_j - m_j) over the parents and variance v_i
    (Inza, 2002, equation 3.19; Shachter and Kenley, 1989).

    Examples
    --------
    >>> rows = np.array([[0.0, 1.0], [1.0, 3.0], [2.0, 5.0]])
    >>> network = GaussianNetwork.learn(Graph(((), (0,))), rows)
    >>> network.coefficients[1].round(6), network.variance.round(6)
    (array([2.]), array([0.666667, 0.      ]))
    """

    graph: Graph
    mean: Floats
    coefficients: tuple[Floats, ...]
    variance: Floats

    @staticmethod
    def learn(graph: Graph, rows: Floats) -> GaussianNetwork:
        """The maximum likelihood estimates of a structure."""
        given = as_numbers(rows)
        mean = given.mean(axis=0)
        covariance = (given - mean).T @ (given - mean) / len(given)
        coefficients, variance = [], np.empty(len(mean))
        for child, parents in enumerate(graph.parents):
            listed = list(parents)
            own = covariance[child, listed]
            # Parents that are linear functions of each other share the coefficient.
            b = np.linalg.lstsq(covariance[np.ix_(listed, listed)], own, rcond=None)[0]
            coefficients.append(b)
            variance[child] = max(0.0, covariance[child, child] - own @ b)
        return GaussianNetwork(graph, mean, tuple(coefficients), variance)

    def _expected(self, child: int, rows: Floats) -> Floats:
        listed = list(self.graph.parents[child])
        away = rows[:, listed] - self.mean[listed]
        expected: Floats = self.mean[child] + away @ self.coefficients[child]
        return expected

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        """Ancestral sampling: parents before children."""
        rows = np.zeros((n, len(self.mean)))
        noise = rng.normal(size=rows.shape) * np.sqrt(self.variance)
        for child in self.graph.order:
            rows[:, child] = self._expected(child, rows) + noise[:, child]
        return rows

    def log_density(self, rows: Floats) -> Floats:
        """The sum over the variables."""
        given = as_numbers(rows)
        total = np.zeros(len(given))
        for child, variance in enumerate(np.maximum(self.variance, LEAST_VARIANCE)):
            away = (given[:, child] - self._expected(child, given)) ** 2 / variance
            total -= 0.5 * (np.log(2 * np.pi * variance) + away)
        return total
