"""Weight, mean and scatter of groups of rows: added, and taken away again, without the rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Moments:
    """Sufficient statistics of some rows for every linear model over their columns.

    Parameters
    ----------
    weight : float64 array of shape (groups,)
        Total weight of the rows of each group.
    mean : float64 array of shape (groups, columns)
        Zero where a group has no rows.
    scatter : float64 array of shape (groups, columns, columns)
        Weighted sum of the products of deviations from the mean.

    Notes
    -----
    Sums and differences follow Chan, Golub and LeVeque (1983). Taking a fold away from the whole
    costs nothing per row, so the folds of a cross-validation read the table once; a table in
    parts (on disk, in an engine) is the sum of its parts.

    Examples
    --------
    >>> X = np.array([[1.0, 2.0], [3.0, 5.0], [4.0, 1.0]])
    >>> whole = Moments.of(X)
    >>> rest = whole - Moments.of(X[:1])
    >>> rest.mean[0].tolist()
    [3.5, 3.0]
    """

    weight: Floats
    mean: Floats
    scatter: Floats

    @staticmethod
    def of(
        X: Floats,
        groups: NDArray[np.int64] | None = None,
        n_groups: int = 1,
        weight: Floats | None = None,
    ) -> Moments:
        """The moments of the rows of ``X`` in each group, numbered from 0."""
        d = X.shape[1]
        total, mean = np.zeros(n_groups), np.zeros((n_groups, d))
        scatter = np.zeros((n_groups, d, d))
        for g in range(n_groups):
            rows = slice(None) if groups is None else np.flatnonzero(groups == g)
            part = X[rows]
            own = np.ones(len(part)) if weight is None else weight[rows]
            total[g] = own.sum()
            if total[g] > 0.0:
                mean[g] = own @ part / total[g]
                away = part - mean[g]
                scatter[g] = (away * own[:, None]).T @ away
        return Moments(total, mean, scatter)

    def __add__(self, other: Moments) -> Moments:
        return self._joined(other, 1.0)

    def __sub__(self, other: Moments) -> Moments:
        return self._joined(other, -1.0)

    def _joined(self, other: Moments, sign: float) -> Moments:
        weight = self.weight + sign * other.weight
        # What rounding leaves of a group that was taken away whole is no group.
        some = weight > 1e-12 * np.maximum(self.weight, other.weight)
        weight = np.where(some, weight, 0.0)
        share = np.divide(sign * other.weight, weight, out=np.zeros(len(weight)), where=some)
        away = other.mean - self.mean
        mean = np.where(some[:, None], self.mean + share[:, None] * away, 0.0)
        product = away[:, :, None] * away[:, None, :]
        between = (share * self.weight)[:, None, None] * product
        scatter = self.scatter + sign * other.scatter + between
        return Moments(weight, mean, np.where(some[:, None, None], scatter, 0.0))

    def together(self) -> Moments:
        """All groups as one."""
        weight = self.weight.sum(keepdims=True)
        mean = self.weight @ self.mean / weight
        return Moments(weight, mean[None], (self.within() + self.between())[None])

    def within(self) -> Floats:
        """Scatter about the means of the groups, shape (columns, columns)."""
        return np.asarray(self.scatter.sum(axis=0))

    def between(self) -> Floats:
        """Scatter of the means of the groups about the common mean."""
        away = self.mean - self.weight @ self.mean / self.weight.sum()
        return np.asarray((away * self.weight[:, None]).T @ away)

    def about(self, centre: Floats) -> Floats:
        """Sum of the products of deviations of all rows from ``centre``."""
        away = self.mean - centre
        return np.asarray(self.within() + (away * self.weight[:, None]).T @ away)
