"""Weights of features from the data alone, without a search: filters and a gradient."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize

from ...data.coded_rows import nominal_codes
from ...data.discretise import Discretiser
from ...data.information import Floats
from ...data.table import Table
from ...errors import InputError
from .relief import ReliefF, scaled_columns

#: Cells of squared differences that the gradient keeps; more rows than fit are drawn at random.
MOST_CELLS = 20_000_000


def mutual_information(table: Table, rng: np.random.Generator) -> Floats:
    """Return what each feature tells about the class, in bits.

    Wettschereck and Dietterich (1995); continuous features are cut by MDL.
    """
    del rng
    return table.information("mdl", 10).relevance


def relieff(table: Table, rng: np.random.Generator) -> Floats:
    """Return the ReliefF weight of each feature, 0 for negative ones (Kononenko, 1994)."""
    return ReliefF().bind(table, rng).worth


def class_conditional(table: Table, rng: np.random.Generator) -> Floats:
    """Return by how much the expected Σ P(class | value)² of a feature exceeds that of none.

    The cross-category feature importance of Creecy et al. (1992), averaged over the values of a
    feature; continuous features are cut into ten intervals of equal frequency.
    """
    del rng
    cuts = None if table.nominal.all() else Discretiser(method="frequency", bins=10).fit(table)
    codes, cardinalities = nominal_codes(table, cuts)
    k, n = table.n_classes, table.n_rows
    none = (np.bincount(table.target, minlength=k) / n) ** 2
    worth = np.empty(table.n_features)
    for j, levels in enumerate(cardinalities):
        cell = codes[j].astype(np.int64) * k + table.target
        counts = np.bincount(cell, minlength=levels * k).reshape(-1, k)
        rows = counts.sum(axis=1)
        worth[j] = ((counts**2).sum(axis=1)[rows > 0] / rows[rows > 0]).sum() / n - none.sum()
    return worth


def gradient(table: Table, rng: np.random.Generator) -> Floats:
    """Return the weights that minimise a smooth error of rows that are left out, by L-BFGS-B.

    Lowe (1995): each other row votes with exp(-distance), the distance is the sum of weight times
    squared difference, and the error is the squared distance of the votes from the class. Here
    all rows vote, where Lowe takes the nearest ten, so that one gradient serves all.
    """
    most = max(20, int(np.sqrt(MOST_CELLS / max(1, table.n_features))))
    rows = np.arange(table.n_rows)
    if len(rows) > most:
        rows = np.sort(rng.choice(len(rows), most, replace=False))
    n, d = len(rows), table.n_features
    values = scaled_columns(table)[rows]
    squares = np.empty((d, n, n))
    for j in range(d):
        apart = values[:, j, None] - values[None, :, j]
        squares[j] = np.nan_to_num((apart != 0) if table.nominal[j] else apart**2, nan=1.0)
    flat = squares.reshape(d, -1)
    same = table.target[rows][:, None] == table.target[rows]

    def error(weights: Floats) -> tuple[float, Floats]:
        distance = (weights @ flat).reshape(n, n)
        np.fill_diagonal(distance, np.inf)
        vote = np.exp(distance.min(axis=1, keepdims=True) - distance)
        vote /= vote.sum(axis=1, keepdims=True)
        right = (vote * same).sum(axis=1, keepdims=True)
        # The gradient of (1 - right)² by each distance, then by each weight.
        by_distance = 2 * (1 - right) * vote * (same - right)
        return float(((1 - right) ** 2).sum()), flat @ by_distance.ravel()

    start = np.full(d, 5.0 / max(1e-9, float(flat.mean()) * d))
    found = minimize(error, start, jac=True, method="L-BFGS-B", bounds=[(0, None)] * d,
                     options={"maxiter": 50})  # fmt: skip
    return np.asarray(found.x)


FILTERS: dict[str, Callable[[Table, np.random.Generator], Floats]] = {
    "mutual-information": mutual_information,
    "relieff": relieff,
    "class-conditional": class_conditional,
    "gradient": gradient,
}


def filter_weights(name: str, table: Table, rng: np.random.Generator) -> Floats:
    """Return weights between 0 and 1, the largest 1; all are 1 where no feature is worth anything.

    Examples
    --------
    >>> from fewest.data import as_table
    >>> table = as_table([[1.0, 5.0], [1.1, 9.0], [8.0, 5.1], [8.2, 9.1]] * 5, list("aabb") * 5)
    >>> filter_weights("mutual-information", table, np.random.default_rng(0))
    array([1., 0.])
    """
    if table.classes is None:
        raise InputError("the target must be a class, but is a number; give class labels.")
    worth = np.maximum(FILTERS[name](table, rng), 0.0)
    largest = float(worth.max(initial=0.0))
    return worth / largest if largest > 0 else np.ones_like(worth)
