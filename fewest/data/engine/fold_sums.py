"""Sums over the rows of each fold, made by one scan: what models are trained from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...kernels.bayes.class_statistics import class_moments, level_counts
from ..moments import Moments
from .learn import Floats
from .rows import FoldedRows, Rows


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
    """

    nominal: NDArray[np.bool_]
    prior: Floats
    counts: Floats
    weight: Floats
    mean: Floats
    squares: Floats

    @staticmethod
    def of(rows: FoldedRows) -> ClassSums:
        """Scan the rows once."""
        t, folds, classes = rows.table, rows.n_folds, rows.table.n_classes
        nominal, groups = t.nominal, rows.n_folds * rows.table.n_classes
        levels = int(t.cardinalities.max(initial=0))
        numbers = int((~nominal).sum())
        prior, counts = np.zeros(groups), np.zeros((int(nominal.sum()), levels, groups))
        known = np.zeros((3, groups, numbers))
        for part in rows.batches():
            group = part.fold * classes + part.target.astype(np.int64)
            prior += np.bincount(group, part.weight, minlength=groups)
            if nominal.any():
                codes = np.ascontiguousarray(part.values[:, nominal])
                counts += level_counts(codes, group, part.weight, groups, levels)
            if numbers:
                values = np.ascontiguousarray(part.values[:, ~nominal])
                weight, mean, variance = class_moments(values, group, part.weight, groups)
                known = _joined(known, np.array([weight, mean, variance * weight])[:, :-1])
        shape = (folds, classes)
        return ClassSums(
            nominal,
            prior.reshape(shape),
            counts.reshape(*counts.shape[:2], *shape),
            *known.reshape(3, *shape, numbers),
        )

    def training(self, fold: int) -> tuple[Floats, Floats, tuple[Floats, Floats, Floats]]:
        """Class weights, level counts, and weight, mean, variance, without one fold.

        The last row of the moments is for all classes together.
        """
        others = np.arange(len(self.prior)) != fold
        known = np.array([self.weight, self.mean, self.squares])[:, others]
        by_class = _together(known, axis=1)
        everything = _together(by_class, axis=1)[:, None]
        weight, mean, squares = np.concatenate([by_class, everything], axis=1)
        variance = np.divide(squares, weight, out=np.zeros_like(squares), where=weight > 0.0)
        counts = np.ascontiguousarray(self.counts[:, :, others].sum(axis=2))
        return self.prior[others].sum(axis=0), counts, (weight, mean, variance)


def _joined(one: Floats, other: Floats) -> Floats:
    """Weight, mean and squares of two parts together (Chan, Golub and LeVeque, 1983)."""
    weight = one[0] + other[0]
    share = np.divide(other[0], weight, out=np.zeros_like(weight), where=weight > 0.0)
    away = other[1] - one[1]
    return np.array([weight, one[1] + share * away, one[2] + other[2] + share * one[0] * away**2])


def _together(known: Floats, axis: int) -> Floats:
    parts = np.moveaxis(known, axis, 0)
    return reduce(_joined, list(parts))


def fold_moments(rows: FoldedRows, by_class: bool) -> list[Moments]:
    """For each fold the moments of the features and, for a numeric target, of the target.

    With ``by_class`` every class is a group.
    """
    groups = rows.table.n_classes if by_class else 1
    found: list[Moments | None] = [None] * rows.n_folds
    for part in rows.batches():
        check_numbers(rows, part)
        columns = part.values if by_class else np.column_stack([part.values, part.target])
        for fold in range(rows.n_folds):
            inside = part.fold == fold
            of = part.target[inside].astype(np.int64) if by_class else None
            own = Moments.of(columns[inside], of, groups, part.weight[inside])
            known = found[fold]
            found[fold] = own if known is None else known + own
    return [moments for moments in found if moments is not None]


def check_numbers(rows: FoldedRows, part: Rows) -> None:
    """Refuse labels and unknown values, for models of numbers."""
    table = rows.table
    if table.nominal.any():
        name = table.names[int(np.flatnonzero(table.nominal)[0])]
        raise InputError(
            f"The estimator takes numbers, but column {name!r} holds labels; leave it out, or use "
            "naive-bayes."
        )
    unknown = np.isnan(part.values).any(axis=0)
    if unknown.any():
        name = table.names[int(np.argmax(unknown))]
        raise InputError(
            f"The estimator takes known values only, but column {name!r} has unknown ones; leave "
            "it out, or use naive-bayes."
        )
