"""Sums by fold and class, joined, are those of the training rows of every fold."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from fewest.data._class_sums import ClassSums
from tests.naive.class_statistics import naive_level_counts, naive_moments


def _rows(n=200):
    rng = np.random.default_rng(3)
    values = np.column_stack([rng.normal(5.0, 2.0, n), rng.integers(0, 3, n), rng.normal(size=n)])
    values[rng.random(values.shape) < 0.1] = np.nan
    return values, rng.integers(0, 2, n), rng.integers(0, 5, n), rng.random(n) + 0.5


def test_training_sums_are_those_of_the_other_folds():
    values, target, fold, weight = _rows()
    nominal = np.array([False, True, False])
    sums = ClassSums.nothing(nominal, 3, 4, 2)
    for part in (slice(0, 70), slice(70, 71), slice(71, None)):
        sums.add(values[part], target[part], fold[part], weight[part])
    cases = [(sums.training(f), (fold != f) & (fold < 4)) for f in range(4)]
    for (prior, counts, moments), train in [*cases, (sums.whole(), fold < 4)]:
        rows, of, own = values[train], target[train], weight[train]
        assert_allclose(prior, np.bincount(of, own))
        assert_allclose(counts, naive_level_counts(rows[:, nominal], of, own, 2, 3))
        for found, wanted in zip(
            moments, naive_moments(rows[:, ~nominal], of, own, 2), strict=True
        ):
            assert_allclose(found, wanted, rtol=1e-12)


def test_counts_without_weights_are_exact():
    values, target, fold, _ = _rows()
    sums = ClassSums.nothing(np.array([False, True, False]), 3, 5, 2)
    sums.add(values, target, fold, np.ones(len(values)))
    assert_array_equal(sums.whole()[0], np.bincount(target))
    assert sums.whole()[1].sum() == np.isfinite(values[:, 1]).sum()
