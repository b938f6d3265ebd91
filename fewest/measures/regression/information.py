"""Filters for numeric targets by mutual information, which sees relations that are not linear."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma

from ...data.table import Table
from ...kernels.neighbours.mutual import mutual_information
from ...parameters import whole
from ..base import Measure, Scorer
from ..filters.mrmr import RelevanceRedundancy
from ..filters.pair_values import PairValues
from .distances import drawn_rows
from .squares import numbers_of, target_of

Floats = NDArray[np.float64]


@dataclass
class InformationMRMR(Measure):
    """Maximum relevance and minimum redundancy by mutual information, for a numeric target.

    Parameters
    ----------
    neighbours : int
        Neighbours of each row in the estimator; more of them mean less variance and more bias.
    samples : int or None
        How many rows, drawn at random, are looked at; None for every row.

    Notes
    -----
    For k features, Σ I(A_i; Y) - Σ_{i<j} I(A_i; A_j) / (k - 1), the difference form of Peng, Long
    and Ding (2005) as in :class:`~fewest.measures.filters.mrmr.MRMR`. Mutual information is
    estimated from nearest neighbours (Kraskov, Stögbauer and Grassberger, 2004), in nats, on
    columns of standard deviation 1, as ``mutual_info_regression`` of scikit-learn does. As there,
    noise of 1e-10 parts equal values, which the estimator would misjudge; it is always the same.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("diabetes")
    >>> selector = fewest.SubsetSelector(measure="mrmr-information", search="sfs", max_features=2)
    >>> selector.fit(data.X, data.y).result_.features
    ['sex', 'bmi']
    """

    name: ClassVar[str] = "mrmr-information"
    source: ClassVar[str] = "Peng, Long and Ding (2005)"
    needs_classes: ClassVar[bool] = False

    neighbours: int = whole(3, low=1)
    samples: int | None = whole(2000, low=10, optional=True)

    @property
    def task(self) -> str | None:
        """The target must be a number."""
        return "regression"

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Estimate the relevance; pairs of features are looked at when a search reaches them."""
        self.check_parameters()
        X, y = numbers_of(table, self.name), target_of(table, self.name)
        rows = drawn_rows(len(y), self.samples, rng)
        both = _standardised(np.column_stack([X[rows], y[rows]]))
        k = min(self.neighbours, len(rows) - 1)
        relevance = _with_others(both, k, len(both) - 1)[:-1]
        features = np.ascontiguousarray(both[:-1])
        redundancy = PairValues(
            len(features), partial(_with_others, features, k), partial(_everything, features, k)
        )
        return RelevanceRedundancy(relevance, redundancy)


def _standardised(values: Floats) -> Floats:
    """One row per column, of standard deviation 1; constant columns are zero."""
    spread = values.std(axis=0)
    still = spread <= 1e-12 * np.abs(values).max(axis=0)
    scaled = (values - values.mean(axis=0)) / np.where(still, 1.0, spread)
    noise = 1e-10 * np.random.default_rng(0).normal(size=values.shape)
    return np.ascontiguousarray(np.where(still, 0.0, scaled + noise).T)


def _with_others(columns: Floats, k: int, j: int) -> Floats:
    """The mutual information of one column with every other, none with itself."""
    steps = np.zeros(columns.shape[1] + 1)
    steps[1:] = digamma(np.arange(1, len(steps)))
    alive: NDArray[np.bool_] = np.asarray(columns.any(axis=1))
    return np.array(
        [
            mutual_information(columns[j], other, k, steps)
            if i != j and alive[i] and alive[j]
            else 0.0
            for i, other in enumerate(columns)
        ]
    )


def _everything(columns: Floats, k: int) -> Floats:
    """All pairs, each looked at once."""
    d = len(columns)
    found = np.zeros((d, d))
    for j in range(1, d):
        found[j, :j] = _with_others(columns[: j + 1], k, j)[:j]
    return found + found.T
