"""RReliefF against loops."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from fewest._kernels.neighbours.near_rows import regression_relief
from tests.naive.numeric_filters import rrelieff


def test_weights():
    rng = np.random.default_rng(0)
    X, k = rng.random((25, 3)), 4
    y = np.clip(X[:, 0] + 0.1 * rng.random(25), 0, 1)
    weights = regression_relief(X, np.zeros(3, dtype=np.int64), y, np.arange(25), np.ones(k))
    assert_allclose(weights, rrelieff(X.tolist(), y.tolist(), k), rtol=1e-12)
    assert weights[0] == weights.max() > 0


def test_weights_that_fall_with_the_rank():
    rng = np.random.default_rng(1)
    X, y = rng.random((20, 3)), rng.random(20)
    influence = np.exp(-((np.arange(1, 6) / 2.0) ** 2))
    weights = regression_relief(X, np.zeros(3, dtype=np.int64), y, np.arange(20), influence)
    expected = rrelieff(X.tolist(), y.tolist(), 5, influence.tolist())
    assert_allclose(weights, expected, rtol=1e-12)


def test_a_constant_target_weighs_nothing():
    X = np.random.default_rng(0).random((6, 2))
    none = regression_relief(X, np.zeros(2, dtype=np.int64), np.zeros(6), np.arange(6), np.ones(2))
    assert_array_equal(none, np.zeros(2))
