"""Tables with numeric targets, with constant, repeated and dependent columns."""

from __future__ import annotations

import numpy as np

from fewest.data._as_table import as_table


def rows(seed=0, n=40, d=6, trouble=True, noise=1.0):
    """Correlated columns; the second repeats the first, the third is constant."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) @ (np.eye(d) + 0.5 * rng.normal(size=(d, d)))
    if trouble:
        X[:, 1], X[:, 2], X[:, 3] = X[:, 0], 7.0, X[:, 4] - 2 * X[:, 5]
    y = X @ rng.normal(size=d) + noise * rng.normal(size=n)
    return X, y


def table(*arguments, **options):
    """The same as a table."""
    X, y = rows(*arguments, **options)
    return as_table(X, y, task="regression")
