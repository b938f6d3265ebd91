"""Quadratic rules against whole matrices."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from fewest.kernels.linear.quadratic import quadratic_values
from tests.naive.linear import naive_quadratic


def test_quadratic():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(3, 20, 4))
    covariance = np.array([np.cov(part.T) for part in rows])
    mean, x, prior = rng.normal(size=(3, 4)), rng.normal(size=(4, 7)), np.log([0.2, 0.3, 0.5])
    masks = np.array([[1, 0, 0, 0], [1, 1, 0, 1], [1, 1, 1, 1]], dtype=bool)
    values, slack = np.empty((3, 3, 7)), np.empty((3, 7))
    unsure = np.zeros(3, dtype=bool)
    quadratic_values(
        covariance, np.zeros(4), mean, prior, x, np.ones(4), 1e-4, masks, values, slack, unsure
    )
    assert not unsure.any()
    for mask, got in zip(masks, values, strict=True):
        expected = naive_quadratic(covariance, mean, prior, x, np.flatnonzero(mask))
        assert_allclose(got, expected, rtol=1e-10)
    assert ((slack > 0.0) & (slack < 1e-10)).all()
    covariance[1, 3] = covariance[1, :, 3] = 0.0
    quadratic_values(
        covariance, np.zeros(4), mean, prior, x, np.ones(4), 1e-4, masks, values, slack, unsure
    )
    assert_array_equal(unsure, [False, True, True])
