"""Counts, means and squares of every feature by fold and class: what trains naive Bayes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np
from numpy.typing import NDArray

from ..kernels.bayes.class_statistics import class_moments, level_counts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
#: Weight, mean and variance by class, the last row for all classes together.
ClassMoments = tuple[Floats, Floats, Floats]


@dataclass(eq=False)
class ClassSums:
    """Weights, levels, means and squares of every feature, by fold and class.

    Parameters
    ----------
    nominal : bool array of shape (d,)
    prior : float64 array of shape (folds, classes)
    counts : float64 array of shape (nominal features, levels, folds, classes)
    weight, mean, squares : float64 arrays of shape (folds, classes, continuous features)
        Of known values; ``squares`` are sums of squared deviations from the mean.

    Notes
    -----
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
        """Before the first row; nominal features have at most ``levels`` levels."""
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

    def training(self, fold: int) -> tuple[Floats, Floats, ClassMoments]:
        """Class weights, level counts, and weight, mean, variance, without one fold.

        The last row of the moments is for all classes together.
        """
        return self._of(np.arange(len(self.prior)) != fold, self._without[:, fold])

    def whole(self) -> tuple[Floats, Floats, ClassMoments]:
        """The same of all folds."""
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
    """Weight, mean and squares of two parts together (Chan, Golub and LeVeque, 1983)."""
    weight = one[0] + other[0]
    share = np.divide(other[0], weight, out=np.zeros_like(weight), where=weight > 0.0)
    away = other[1] - one[1]
    return np.array([weight, one[1] + share * away, one[2] + other[2] + share * one[0] * away**2])


def _together(known: Floats) -> Floats:
    """Weight, mean and squares of all parts, which are along the second axis."""
    return reduce(_joined, list(np.moveaxis(known, 1, 0)))
