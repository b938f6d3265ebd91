"""Nothing to find: the honest accuracy of every subset is that of guessing."""

from __future__ import annotations

import numpy as np

from ..dataset import Dataset
from .assemble import assemble, continuous


def noise(name: str, n_rows: int, rng: np.random.Generator, n_features: int = 500) -> Dataset:
    """Normal numbers and two classes of equal size that have nothing to do with them."""
    values = rng.normal(size=(n_rows, n_features))
    label = rng.permutation(np.arange(n_rows) % 2)
    names = [f"x{j + 1}" for j in range(n_features)]
    return assemble(name, names, continuous(values), label, ("0", "1"), ())
