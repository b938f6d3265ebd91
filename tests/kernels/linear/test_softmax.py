"""The loss of softmax regression; its slopes by differences."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fewest.kernels.linear.softmax import losses
from tests.naive.logistic import loss_and_slope, naive_loss, naive_slope


@pytest.mark.parametrize("d", [1, 4, 7])
@pytest.mark.parametrize(("outputs", "n"), [(1, 25), (3, 25), (4, 300), (1, 300)])
def test_losses(outputs, n, d):
    rng = np.random.default_rng(outputs)
    x, weight = rng.normal(size=(d + 1, n)), rng.random(n) + 0.5
    code = rng.integers(0, max(outputs, 2), n)
    penalty, members = rng.random(d + 1), np.arange(d, 0, -1)
    point = rng.normal(size=(outputs, d + 1))
    margin, slope = np.empty((outputs, n)), np.empty((outputs, d + 1))
    value = losses(x, code, weight, penalty, members, d, point, margin, slope)
    own = x[members], code, weight, penalty[members], point
    assert_allclose(value, naive_loss(*own))
    assert_allclose(slope, naive_slope(*own), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("even", [True, False])
@pytest.mark.parametrize("scale", [1.0, 60.0])
def test_rows_near_and_far(even, scale):
    """Blocks with large margins go another way than others, rows of equal weight another."""
    rng = np.random.default_rng(3)
    n, d, outputs = 520, 5, 4
    x, code = rng.normal(size=(d, n)), rng.integers(0, outputs, n)
    x[:, :40] *= scale
    weight = np.full(n, 1.0 / n) if even else rng.random(n)
    penalty, point = np.full(d, 0.1), rng.normal(size=(outputs, d + 1))
    margin, slope = np.empty((outputs, n)), np.empty((outputs, d + 1))
    value = losses(x, code, weight, penalty, np.arange(d), d, point, margin, slope)
    expected, steep = loss_and_slope(x.T, code, weight, penalty, point)
    assert_allclose(value, expected, rtol=1e-13)
    assert_allclose(slope, steep, rtol=1e-11, atol=1e-13)


def test_a_loss_far_from_the_boundary_keeps_its_digits():
    x, code = np.array([[40.0, -40.0, 800.0, -800.0]]), np.array([1, 0, 1, 0])
    margin, slope = np.empty((1, 4)), np.empty((1, 2))
    value = losses(
        x, code, np.ones(4), np.zeros(1), np.arange(1), 1, np.array([[1.0, 0.0]]), margin, slope
    )
    assert_allclose(value, 2.0 * np.log1p(np.exp(-40.0)), rtol=1e-14)
