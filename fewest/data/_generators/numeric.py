"""Domains of numbers: nearer to one of two points, and numeric targets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .._columns import Column, Columns
from .._dataset import Dataset, make_dataset
from .classic import assemble, continuous

_CLASSES = ("zeros", "nines")


def redundant21(
    name: str, n_rows: int, rng: np.random.Generator, scattered: bool = False
) -> Dataset:
    """9 features of the concept; the 1st, the 5th and the 9th have four copies each."""
    copies = {0: 4, 4: 4, 8: 4}
    names = [f"a{j + 1}" for j in range(9)]
    source = list(range(9))
    for j, times in copies.items():
        names += [f"a{j + 1}-copy{k + 1}" for k in range(times)]
        source += [j] * times
    return _repeated(name, n_rows, rng, 9, names, source, scattered)


def groups(
    name: str,
    n_rows: int,
    rng: np.random.Generator,
    n_groups: int,
    size: int,
    single: int,
    scattered: bool = False,
) -> Dataset:
    """``n_groups`` groups of ``size`` equal features, then ``single`` features by themselves."""
    names: list[str] = []
    source: list[int] = []
    for j in range(n_groups + single):
        copies = size - 1 if j < n_groups else 0
        names += [f"a{j + 1}", *(f"a{j + 1}-copy{k + 1}" for k in range(copies))]
        source += [j] * (1 + copies)
    return _repeated(name, n_rows, rng, n_groups + single, names, source, scattered)


def red60of1(name: str, n_rows: int, rng: np.random.Generator) -> Dataset:
    """60 features of the concept and 40 that play no part."""
    values = rng.uniform(3, 6, (n_rows, 100))
    names = [f"a{j + 1}" for j in range(60)] + [f"irrelevant{j + 1}" for j in range(40)]
    return _labelled(name, names, values, np.r_[np.ones(60), np.zeros(40)])


def three_weights(name: str, n_rows: int, rng: np.random.Generator) -> Dataset:
    """12 features, four each with weight 1, one half and 0 in the distance."""
    values = rng.uniform(3, 6, (n_rows, 12))
    weights = np.repeat([1.0, 0.5, 0.0], 4)
    return _labelled(name, [f"a{j + 1}" for j in range(12)], values, weights)


def c_weights(name: str, n_rows: int, rng: np.random.Generator) -> Dataset:
    """10 features with weights between 0 and 1; the same weights for every seed."""
    values = rng.uniform(3, 6, (n_rows, 10))
    weights = np.random.default_rng(2002).uniform(0, 1, 10)
    return _labelled(name, [f"a{j + 1}" for j in range(10)], values, weights)


def _repeated(
    name: str,
    n_rows: int,
    rng: np.random.Generator,
    n_sources: int,
    names: list[str],
    source: list[int],
    scattered: bool,
) -> Dataset:
    values = rng.uniform(3, 6, (n_rows, n_sources))[:, source]
    weights = np.array([0.0 if "-copy" in feature else 1.0 for feature in names])
    if scattered:
        order = rng.permutation(len(names))
        names = [names[j] for j in order]
        values, weights = values[:, order], weights[order]
    return _labelled(name, names, values, weights)


def _labelled(
    name: str, names: list[str], values: NDArray[np.float64], weights: NDArray[np.float64]
) -> Dataset:
    nines = values @ weights / weights.sum() > 4.5
    relevant = [feature for feature, weight in zip(names, weights, strict=True) if weight > 0]
    return assemble(
        name,
        names,
        continuous(values),
        nines,
        _CLASSES,
        relevant,
        weights=tuple(weights.tolist()),
    )


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
    """Make the impedance of a circuit with normal noise, three to one; no irrelevant column."""
    x, reactance = _circuit(n_rows, rng)
    y = np.hypot(x[:, 0], reactance) + noise * rng.normal(size=n_rows)
    names = ["x1", "x2", "x3", "x4"]
    return _numeric(name, names, x, y, names)


def friedman3(name: str, n_rows: int, rng: np.random.Generator, noise: float = 0.1) -> Dataset:
    """Make the phase shift of a circuit with normal noise; no irrelevant column."""
    x, reactance = _circuit(n_rows, rng)
    y = np.arctan2(reactance, x[:, 0]) + noise * rng.normal(size=n_rows)
    names = ["x1", "x2", "x3", "x4"]
    return _numeric(name, names, x, y, names)


def linear(
    name: str, n_rows: int, rng: np.random.Generator, n_features: int = 40, n_relevant: int = 8
) -> Dataset:
    """Make a sum of every fifth column with normal noise; the correlation of columns is
    0.7^distance.

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
    """Return the data set of these columns and a numeric target."""
    every = Columns(
        (*names, "target"), (*continuous(values), Column(numbers=target)), len(target), True
    )
    return make_dataset(every, "target", name, relevant=tuple(relevant))
