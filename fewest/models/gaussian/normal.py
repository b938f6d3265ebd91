"""The multivariate normal distribution, and independent normal variables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .base import LEAST_VARIANCE, Density, Floats, as_numbers


@dataclass(frozen=True, eq=False)
class MultivariateNormal(Density):
    """A normal distribution with a mean vector and a covariance matrix.

    Examples
    --------
    >>> model = MultivariateNormal.learn(np.array([[0.0, 1.0], [2.0, 3.0]]))
    >>> model.covariance
    array([[1., 1.],
           [1., 1.]])
    """

    mean: Floats
    covariance: Floats

    @staticmethod
    def learn(rows: Floats) -> MultivariateNormal:
        """The maximum likelihood estimates."""
        given = as_numbers(rows)
        mean = given.mean(axis=0)
        centred = given - mean
        return MultivariateNormal(mean, centred.T @ centred / len(given))

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        """Rows by the square root of the covariance, which may be singular."""
        value, vector = np.linalg.eigh(self.covariance)
        root = vector * np.sqrt(np.maximum(value, 0.0))
        drawn: Floats = self.mean + rng.normal(size=(n, len(self.mean))) @ root.T
        return drawn

    def log_density(self, rows: Floats) -> Floats:
        """From the eigenvalues; directions without variance get a tiny one."""
        value, vector = np.linalg.eigh(self.covariance)
        value = np.maximum(value, LEAST_VARIANCE)
        turned = (as_numbers(rows) - self.mean) @ vector
        logs: Floats = -0.5 * (np.log(2 * np.pi * value) + turned**2 / value).sum(axis=1)
        return logs


@dataclass(frozen=True, eq=False)
class IndependentNormals(Density):
    """Independent normal variables."""

    mean: Floats
    deviation: Floats

    @staticmethod
    def learn(rows: Floats) -> IndependentNormals:
        """The maximum likelihood estimates.

        >>> IndependentNormals.learn(np.array([[0.0], [2.0]])).deviation
        array([1.])
        """
        given = as_numbers(rows)
        return IndependentNormals(given.mean(axis=0), given.std(axis=0))

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        """Each variable on its own."""
        drawn: Floats = rng.normal(self.mean, self.deviation, (n, len(self.mean)))
        return drawn

    def log_density(self, rows: Floats) -> Floats:
        """The sum over the variables."""
        variance = np.maximum(self.deviation**2, LEAST_VARIANCE)
        away = (as_numbers(rows) - self.mean) ** 2 / variance
        logs: Floats = -0.5 * (np.log(2 * np.pi * variance) + away).sum(axis=1)
        return logs
