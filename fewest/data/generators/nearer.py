"""Points in [3, 6]^d, nearer to (0, ..., 0) or to (9, ..., 9); some features are repeated.

Inza et al. (2000, section 5), Inza (2002, sections 6.4, 6.5 and 7.5). Nearer to the zeros means
that the (weighted) mean of the features of the concept is below 4.5.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..dataset import Dataset
from .assemble import assemble, continuous

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
