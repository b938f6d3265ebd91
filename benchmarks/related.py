"""How often the test for a relation to the target says yes: ``python -m benchmarks.related``.

Tables with weak signals of several kinds, and noise of several shapes. fewest keeps nothing where
this test, and a test of the curve, say no. The largest relation of a single feature was the whole
test before.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from fewest.data import as_table
from fewest.measures._probes import relations, shares_above
from fewest.search._path import RELATED

Drawn = tuple[Any, Any]


def spread(rng: np.random.Generator, weights: list[float], columns: int) -> Drawn:
    """Return rows of independent columns, the first ones with these weights."""
    X = rng.normal(size=(200, columns))
    return X, classes(rng, X[:, : len(weights)] @ weights)


def differences(rng: np.random.Generator) -> Drawn:
    """Return columns that are alike; what they differ by tells the class."""
    X = 0.9 * rng.normal(size=(200, 1)) + np.sqrt(0.19) * rng.normal(size=(200, 12))
    return X, classes(rng, X[:, :4] @ [0.8, -0.8, 0.6, -0.6])


def circles(rng: np.random.Generator) -> Drawn:
    """Return columns of which the distance from the centre tells the class."""
    X = rng.normal(size=(200, 6))
    return X, classes(rng, 0.7 * (X[:, 0] ** 2 - 1) + 0.5 * (np.abs(X[:, 1]) - 0.8))


def noise(rng: np.random.Generator, rows: int, columns: int, share: float, skewed: bool) -> Drawn:
    """Return rows, and classes that have nothing to do with them."""
    X = rng.exponential(size=(rows, columns)) ** 2 if skewed else rng.normal(size=(rows, columns))
    return X, (rng.random(rows) < share).astype(int)


def classes(rng: np.random.Generator, value: Any) -> Any:
    """Return the classes that a logistic model draws."""
    return (value + rng.logistic(size=len(value)) > 0).astype(int)


KINDS: dict[str, Callable[[np.random.Generator], Drawn]] = {
    "12 of 12 columns": partial(spread, weights=[0.22] * 12, columns=12),
    "5 of 40 columns": partial(spread, weights=[0.3] * 5, columns=40),
    "1 of 12 columns": partial(spread, weights=[0.5], columns=12),
    "differences": differences,
    "circles": circles,
    **{
        f"noise, {rows} x {columns}, {share:.0%}{', skewed' if skewed else ''}": partial(
            noise, rows=rows, columns=columns, share=share, skewed=skewed
        )
        for rows, columns in ((60, 500), (100, 12), (300, 6), (300, 40))
        for share in (0.5, 0.15)
        for skewed in (False, True)
    },
}


def main() -> None:
    """Print how often each kind is found related."""
    parser = argparse.ArgumentParser(description="Weak signals and noise, found related.")
    parser.add_argument("--tables", type=int, default=100)
    tables = parser.parse_args().tables
    print("| table | largest alone | all three |\n|---|---:|---:|")
    for kind, draw in KINDS.items():
        found = np.zeros((tables, 2))
        for seed in range(tables):
            rng = np.random.default_rng(seed)
            X, y = draw(rng)
            _, *views = relations(as_table(X, y), rng)
            shares = np.array([shares_above(view) for view in views])
            smallest = shares.min(axis=0)
            found[seed] = shares[0, 0], (smallest <= smallest[0]).mean()
        alone, together = (found <= RELATED).mean(axis=0)
        print(f"| {kind} | {alone:.0%} | {together:.0%} |", flush=True)


if __name__ == "__main__":
    main()
