"""ReliefF, and weights of features without a search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ..._errors import InputError
from ..._kernels.neighbours.near_rows import relief_weights
from ..._parameters import flag, number, whole
from ...data._discretise import Discretiser
from ...data._information import Floats, nominal_codes
from ...data._table import Table
from .._measure import Measure
from .rankings import SumScore

#: Of tables with more rows than this, a sample of rows is compared with all others.
MOST_ROWS, SAMPLED_ROWS = 2000, 1000
SAMPLED_NOTE = (
    "ReliefF compared {:,} of the {:,} rows, drawn at random, with all others; `exact=True` "
    "compares every row."
)


@dataclass
class ReliefF(Measure):
    """Sum over the subset of each feature's ReliefF weight, less a threshold.

    Parameters
    ----------
    neighbours : int
        Number of neighbours of each class.
    samples : int or None
        Number of rows, drawn at random, that are compared with all others; None for all of up to
        2,000 rows, and 1,000 of more.
    exact : bool
        Compare every row however many there are, unless ``samples`` says otherwise.
    threshold : float
        What a feature must weigh to be worth its place.

    Notes
    -----
    W_i = mean over rows of Σ_{c ≠ class} P(c) / (1 - P(class))·diff_i(nearest of c) -
    diff_i(nearest of the own class) (Kononenko, 1994; Robnik-Šikonja and Kononenko, 2003).
    diff is 0 or 1 for nominal values and the difference over the range for continuous ones,
    which are not discretised. An unknown value differs by 1 - 1/levels from a nominal one, and
    from a continuous one by as much as it may. Neighbours are found with all features, so
    a weight belongs to the whole table. Rows as far as the last neighbour share its place: the
    weights do not depend on the order of the rows. It costs rows² · features, so large tables
    are sampled; the result says so.

    Examples
    --------
    >>> from fewest.data import as_table
    >>> table = as_table([[1.0, 5.0], [1.1, 9.0], [8.0, 5.1], [8.2, 9.1]] * 5, list("aabb") * 5)
    >>> subsets = np.eye(2, dtype=bool)
    >>> ReliefF(neighbours=1).bind(table).score(subsets).value.round(2).tolist()
    [0.98, 0.02]
    """

    name: ClassVar[str] = "relieff"
    source: ClassVar[str] = "Kononenko (1994)"

    neighbours: int = whole(10, low=1)
    samples: int | None = whole(None, low=1, optional=True)
    exact: bool = flag(False)
    threshold: float = number(0.0)

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> SumScore:
        """Weigh every feature once."""
        self.check_parameters()
        if table.classes is None:
            raise InputError("the target must be a class, but is a number; give class labels.")
        n, samples = table.n_rows, self.samples
        notes: tuple[str, ...] = ()
        if samples is None and not self.exact and n > MOST_ROWS:
            samples, notes = SAMPLED_ROWS, (SAMPLED_NOTE.format(SAMPLED_ROWS, n),)
        rows = drawn_rows(n, samples, rng)
        shares = np.bincount(table.target, minlength=table.n_classes) / max(1, table.n_rows)
        weights = relief_weights(
            scaled_columns(table), table.cardinalities, table.target, shares, rows, self.neighbours
        )
        return SumScore(weights - self.threshold, notes)


def drawn_rows(n: int, samples: int | None, rng: np.random.Generator | None) -> NDArray[np.intp]:
    """Return all rows, or some of them drawn at random."""
    if samples is None or samples >= n:
        return np.arange(n)
    rng = np.random.default_rng(0) if rng is None else rng
    return np.sort(rng.choice(n, samples, replace=False))


def scaled_columns(table: Table) -> NDArray[np.float64]:
    """Scale continuous columns to [0, 1]; constant ones become 0."""
    values = np.array(table.values, dtype=np.float64)
    for j in np.flatnonzero(~table.nominal):
        known = values[~np.isnan(values[:, j]), j]
        if len(known):
            low, high = known.min(), known.max()
            values[:, j] = (values[:, j] - low) / (high - low if high > low else 1.0)
    return values


#: Cells of squared differences that the gradient keeps; more rows than fit are drawn at random.
MOST_CELLS = 20_000_000


def mutual_information(table: Table, rng: np.random.Generator) -> Floats:
    """Return the mutual information of each feature with the class, in bits.

    Wettschereck and Dietterich (1995); continuous features are cut by MDL.
    """
    del rng
    return table.information().relevance


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
    rows = drawn_rows(table.n_rows, most, rng)
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
    """Return weights between 0 and 1, the largest 1; all are 1 where none is worth anything."""
    if table.classes is None:
        raise InputError("the target must be a class, but is a number; give class labels.")
    worth = np.maximum(FILTERS[name](table, rng), 0.0)
    largest = float(worth.max(initial=0.0))
    return worth / largest if largest > 0 else np.ones_like(worth)
