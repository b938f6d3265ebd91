"""Class statistics against the slow obvious way, compiled or not."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from fewest._kernels.bayes.class_statistics import class_evidence, class_moments, level_counts
from tests.naive.class_statistics import naive_evidence, naive_level_counts, naive_moments


def _table(rng, n=30, d=4):
    values = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 4, d)
    values[rng.random((n, d)) < 0.2] = np.nan
    values[:, 2] = 0.1
    return values, rng.integers(0, 3, n), rng.integers(0, 4, n) * 0.5


def test_moments():
    rng = np.random.default_rng(0)
    for _ in range(5):
        values, target, weight = _table(rng)
        for got, expected in zip(
            class_moments(values, target, weight, 3),
            naive_moments(values, target, weight, 3),
            strict=True,
        ):
            assert_allclose(got, expected, rtol=1e-10, atol=1e-12)


def test_moments_of_a_column_do_not_depend_on_its_neighbours():
    values, target, weight = _table(np.random.default_rng(1))
    whole = class_moments(values, target, weight, 3)
    for j in range(4):
        alone = class_moments(np.ascontiguousarray(values[:, [j]]), target, weight, 3)
        for a, b in zip(whole, alone, strict=True):
            assert_array_equal(a[:, [j]], b)


def test_level_counts():
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 5, (30, 3)).astype(float)
    codes[rng.random((30, 3)) < 0.2] = np.nan
    target, weight = rng.integers(0, 3, 30), rng.integers(0, 4, 30) * 0.5
    assert_array_equal(
        level_counts(codes, target, weight, 3, 5), naive_level_counts(codes, target, weight, 3, 5)
    )


def test_evidence():
    rng = np.random.default_rng(3)
    values = np.column_stack([rng.integers(0, 4, 20), rng.normal(size=(20, 2))]).astype(float)
    values[rng.random((20, 3)) < 0.2] = np.nan
    levels, nominal = rng.normal(size=(3, 3, 2)), np.array([True, False, False])
    mean, variance = rng.normal(size=(2, 3)), rng.random((2, 3)) + 0.1
    variance[:, 2] = np.inf
    assert_allclose(
        class_evidence(values, nominal, levels, mean, variance),
        naive_evidence(values, nominal, levels, mean, variance),
    )
