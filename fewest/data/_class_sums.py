"""Counts, means and scatter by fold and class, which can be added and taken away."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np
from numpy.typing import NDArray

from .._kernels.bayes.class_statistics import class_moments, level_counts

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
        """Return the moments of the rows of ``X`` in each group, numbered from 0."""
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
                # Without weights the product is symmetric, which halves it.
                scatter[g] = (away if weight is None else away * own[:, None]).T @ away
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
        """Join all groups into one."""
        weight = self.weight.sum(keepdims=True)
        mean = self.weight @ self.mean / weight
        return Moments(weight, mean[None], (self.within() + self.between())[None])

    def within(self) -> Floats:
        """Return the scatter about the means of the groups, shape (columns, columns)."""
        return np.asarray(self.scatter.sum(axis=0))

    def between(self) -> Floats:
        """Return the scatter of the means of the groups about the common mean."""
        away = self.mean - self.weight @ self.mean / self.weight.sum()
        return np.asarray((away * self.weight[:, None]).T @ away)

    def about(self, centre: Floats) -> Floats:
        """Sum of the products of deviations of all rows from ``centre``."""
        away = self.mean - centre
        return np.asarray(self.within() + (away * self.weight[:, None]).T @ away)


Ints = NDArray[np.int64]
#: Weight, mean and variance by class, the last row for all classes together.
ClassMoments = tuple[Floats, Floats, Floats]


@dataclass(eq=False)
class ClassSums:
    """Weights, levels, means and squares of every feature, by fold and class.

    nominal (d,)
    prior (folds, classes)
    counts (nominal features, levels, folds, classes)
    weight, mean, squares (folds, classes, continuous features): of known values; ``squares`` are
        sums of squared deviations from the mean.

    The statistics of the training rows of a fold are those of the other folds together (Chan,
    Golub and LeVeque, 1983): the rows are read once for all folds, and nothing cancels, as it
    would if the fold were subtracted from the total.
    """

    nominal: NDArray[np.bool_]
    prior: Floats
    counts: Floats
    weight: Floats
    mean: Floats
    squares: Floats

    @staticmethod
    def nothing(nominal: NDArray[np.bool_], levels: int, folds: int, classes: int) -> ClassSums:
        """Return the sums before the first row; nominal features have at most ``levels`` levels."""
        some = int(nominal.sum())
        known = np.zeros((3, folds, classes, len(nominal) - some))
        counts = np.zeros((some, levels, folds, classes))
        return ClassSums(nominal, np.zeros((folds, classes)), counts, *known)

    def add(self, values: Floats, target: Ints, fold: Ints, weight: Floats) -> None:
        """Add some rows; a row whose fold is beyond the last is in none."""
        self.__dict__.pop("_without", None)
        folds, classes = self.prior.shape
        groups = folds * classes
        group = fold * classes + target
        inside = fold < folds
        if not inside.all():
            values, group, weight = values[inside], group[inside], weight[inside]
        self.prior += np.bincount(group, weight, minlength=groups).reshape(folds, classes)
        if len(self.counts):
            codes = values[:, self.nominal]
            found = level_counts(codes, group, weight, groups, self.counts.shape[1])
            self.counts += found.reshape(self.counts.shape)
        if self.mean.shape[2]:
            numbers = values[:, ~self.nominal] if self.nominal.any() else values
            own, mean, variance = class_moments(numbers, group, weight, groups)
            added = np.array([own, mean, variance * own])[:, :-1].reshape(3, *self.mean.shape)
            known = np.array([self.weight, self.mean, self.squares])
            self.weight, self.mean, self.squares = _joined(known, added)

    def __iadd__(self, other: ClassSums) -> ClassSums:
        self.__dict__.pop("_without", None)
        self.prior += other.prior
        self.counts += other.counts
        known = (np.array([own.weight, own.mean, own.squares]) for own in (self, other))
        self.weight, self.mean, self.squares = _joined(*known)
        return self

    def training(self, fold: int) -> tuple[Floats, Floats, ClassMoments]:
        """Return class weights, level counts, and weight, mean, variance, without one fold.

        The last row of the moments is for all classes together.
        """
        return self._of(np.arange(len(self.prior)) != fold, self._without[:, fold])

    def whole(self) -> tuple[Floats, Floats, ClassMoments]:
        """Return the same of all folds."""
        known = np.array([self.weight, self.mean, self.squares])
        return self._of(np.ones(len(self.prior), dtype=bool), _together(known))

    @cached_property
    def _without(self) -> Floats:
        """Weight, mean and squares without each fold, shape (3, folds, classes, features)."""
        known = np.array([self.weight, self.mean, self.squares])
        folds = np.arange(known.shape[1])
        left = np.repeat(known[:, :1], len(folds), axis=1)
        left[:, 0] = known[:, 1]
        for fold in folds[1:]:
            # Without the first fold, all begins with the second.
            others = (folds != fold) & ((folds > 0) | (fold > 1))
            left[:, others] = _joined(left[:, others], known[:, fold, None])
        return left

    def _of(
        self, folds: NDArray[np.bool_], by_class: Floats
    ) -> tuple[Floats, Floats, ClassMoments]:
        everything = _together(by_class)[:, None]
        weight, mean, squares = np.concatenate([by_class, everything], axis=1)
        variance = np.divide(squares, weight, out=np.zeros_like(squares), where=weight > 0.0)
        counts = np.ascontiguousarray(self.counts[:, :, folds].sum(axis=2))
        return self.prior[folds].sum(axis=0), counts, (weight, mean, variance)


def _joined(one: Floats, other: Floats) -> Floats:
    """Join weight, mean and squares of two parts (Chan, Golub and LeVeque, 1983)."""
    weight = one[0] + other[0]
    share = np.divide(other[0], weight, out=np.zeros_like(weight), where=weight > 0.0)
    away = other[1] - one[1]
    return np.array([weight, one[1] + share * away, one[2] + other[2] + share * one[0] * away**2])


def _together(known: Floats) -> Floats:
    """Join weight, mean and squares of all parts, which are along the second axis."""
    return reduce(_joined, list(np.moveaxis(known, 1, 0)))
