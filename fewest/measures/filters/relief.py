"""ReliefF: features that tell near neighbours of different classes apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...data.table import Table
from ...errors import InputError
from ...kernels.neighbours.relief import relief_weights
from ...parameters import flag, number, whole
from ..base import Measure
from .base import SumScore

#: Of more rows than this so many are compared with all others.
MOST_ROWS, SAMPLED = 2000, 1000
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
        How many neighbours of each class are looked at.
    samples : int or None
        How many rows, drawn at random, are compared with all others; None for every row of up to
        2,000 rows, and for 1,000 of more.
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
    from a continuous one by as much as it may. The neighbours are found with all features, so
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
        rows, samples = np.arange(table.n_rows), self.samples
        notes: tuple[str, ...] = ()
        if samples is None and not self.exact and len(rows) > MOST_ROWS:
            samples, notes = SAMPLED, (SAMPLED_NOTE.format(SAMPLED, len(rows)),)
        if samples is not None and samples < len(rows):
            rng = np.random.default_rng(0) if rng is None else rng
            rows = np.sort(rng.choice(len(rows), samples, replace=False))
        shares = np.bincount(table.target, minlength=table.n_classes) / max(1, table.n_rows)
        weights = relief_weights(
            scaled_columns(table), table.cardinalities, table.target, shares, rows, self.neighbours
        )
        return SumScore(weights - self.threshold, notes)


def scaled_columns(table: Table) -> NDArray[np.float64]:
    """Continuous columns over their range, constant ones 0."""
    values = np.array(table.values, dtype=np.float64)
    for j in np.flatnonzero(~table.nominal):
        known = values[~np.isnan(values[:, j]), j]
        if len(known):
            low, high = known.min(), known.max()
            values[:, j] = (values[:, j] - low) / (high - low if high > low else 1.0)
    return values
