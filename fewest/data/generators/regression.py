"""Domains with a numeric target: Friedman (1991), and a linear one with correlated columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..columns import Column, Columns
from ..dataset import Dataset, make_dataset
from .assemble import continuous

Floats = NDArray[np.float64]


def friedman1(name: str, n_rows: int, rng: np.random.Generator, noise: float = 1.0) -> Dataset:
    """10 sin(π x1 x2) + 20 (x3 - 0.5)² + 10 x4 + 5 x5 with normal noise; five more columns."""
    x = rng.random((n_rows, 10))
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2
    y += 10 * x[:, 3] + 5 * x[:, 4] + noise * rng.normal(size=n_rows)
    names = [f"x{j + 1}" for j in range(10)]
    return _numeric(name, names, x, y, names[:5])


def _circuit(n_rows: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Resistance, angular frequency, inductance and capacity; what the last three make."""
    low = np.array([0.0, 40 * np.pi, 0.0, 1.0])
    high = np.array([100.0, 560 * np.pi, 1.0, 11.0])
    x = low + (high - low) * rng.random((n_rows, 4))
    return x, x[:, 1] * x[:, 2] - 1 / (x[:, 1] * x[:, 3])


def friedman2(name: str, n_rows: int, rng: np.random.Generator, noise: float = 125.0) -> Dataset:
    """The impedance of a circuit with normal noise, three to one; no irrelevant column."""
    x, reactance = _circuit(n_rows, rng)
    y = np.hypot(x[:, 0], reactance) + noise * rng.normal(size=n_rows)
    names = ["x1", "x2", "x3", "x4"]
    return _numeric(name, names, x, y, names)


def friedman3(name: str, n_rows: int, rng: np.random.Generator, noise: float = 0.1) -> Dataset:
    """The phase shift of a circuit with normal noise; no irrelevant column."""
    x, reactance = _circuit(n_rows, rng)
    y = np.arctan2(reactance, x[:, 0]) + noise * rng.normal(size=n_rows)
    names = ["x1", "x2", "x3", "x4"]
    return _numeric(name, names, x, y, names)


def linear(
    name: str, n_rows: int, rng: np.random.Generator, n_features: int = 40, n_relevant: int = 8
) -> Dataset:
    """A sum of every fifth column with normal noise; the correlation of columns is 0.7^distance.

    So the irrelevant columns between two relevant ones are correlated with the target.
    """
    x = rng.normal(size=(n_rows, n_features))
    for j in range(1, n_features):
        x[:, j] = 0.7 * x[:, j - 1] + np.sqrt(1 - 0.7**2) * x[:, j]
    relevant = np.arange(n_relevant) * (n_features // n_relevant)
    signs = np.where(np.arange(n_relevant) % 2, -1.0, 1.0)
    y = x[:, relevant] @ signs + 2.0 * rng.normal(size=n_rows)
    names = [f"x{j + 1}" for j in range(n_features)]
    return _numeric(name, names, x, y, [names[j] for j in relevant])


def _numeric(
    name: str, names: Sequence[str], values: Floats, target: Floats, relevant: Sequence[str]
) -> Dataset:
    """The data set of these columns and a numeric target."""
    every = Columns(
        (*names, "target"), (*continuous(values), Column(numbers=target)), len(target), True
    )
    return make_dataset(every, "target", name, relevant=tuple(relevant))
