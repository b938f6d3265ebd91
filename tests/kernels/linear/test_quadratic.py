"""Quadratic rules against whole matrices."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from fewest._kernels.linear.linear_rules import quadratic_values
from tests.naive.linear import naive_quadratic

EPS = float(np.finfo(np.float64).eps)


def test_quadratic():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(3, 20, 4))
    covariance = np.array([np.cov(part.T) for part in rows])
    mean, x, prior = rng.normal(size=(3, 4)), rng.normal(size=(4, 7)), np.log([0.2, 0.3, 0.5])
    masks = np.array([[1, 0, 0, 0], [1, 1, 0, 1], [1, 1, 1, 1]], dtype=bool)
    values, slack = np.empty((3, 3, 7)), np.empty((3, 7))
    unsure = np.zeros(3, dtype=bool)
    drift, given = np.full(4, 1e-14), (np.ones(4), 1e-4)
    quadratic_values(
        covariance, np.zeros(4), mean, prior, x, *given, drift, EPS, masks, values, slack, unsure
    )
    assert not unsure.any()
    for mask, got in zip(masks, values, strict=True):
        expected = naive_quadratic(covariance, mean, prior, x, np.flatnonzero(mask))
        assert_allclose(got, expected, rtol=1e-10)
    assert ((slack > 0.0) & (slack < 1e-10)).all()
    covariance[1, 3] = covariance[1, :, 3] = 0.0
    drift, given = np.full(4, 1e-14), (np.ones(4), 1e-4)
    quadratic_values(
        covariance, np.zeros(4), mean, prior, x, *given, drift, EPS, masks, values, slack, unsure
    )
    assert_array_equal(unsure, [False, True, True])


def test_rounded_columns_move_values_no_further_than_the_slack():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(2, 30, 3))
    covariance = np.array([np.cov(part.T) for part in rows])
    mean, x, prior = rng.normal(size=(2, 3)), rng.normal(size=(3, 9)), np.log([0.4, 0.6])
    masks, drift = np.ones((1, 3), dtype=bool), np.array([1e-6, 1e-9, 1e-5])
    values, slack = np.empty((1, 2, 9)), np.empty((1, 9))
    given = (np.ones(3), 1e-4, drift, EPS, masks, values, slack, np.zeros(1, dtype=bool))
    quadratic_values(covariance, np.zeros(3), mean, prior, x, *given)
    away = rng.choice([-1.0, 1.0], x.shape) * drift[:, None]
    moved = naive_quadratic(covariance, mean, prior, x + away, np.arange(3))
    assert (np.abs(moved - values[0]) <= slack[0]).all()
    assert (slack < 1e-2).all()
