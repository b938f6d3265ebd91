"""The steps of L-BFGS against those of scipy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from fewest.kernels.linear.quasi_newton import repeat_steps
from tests.naive.logistic import loss_and_slope


def problem(seed, classes):
    rng = np.random.default_rng(seed)
    n, d = 24, int(rng.integers(1, 4))
    X = rng.normal(size=(n, d)) * 10.0 ** rng.uniform(-1, 1, d)
    y = np.argsort(np.argsort(X[:, 0] + rng.normal(size=n))) * classes // n
    return X, y


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_as_many_steps_to_the_same_point(seed, classes):
    X, y = problem(seed, classes)
    (n, d), outputs = X.shape, 1 if classes == 2 else classes
    weight, penalty = np.full(n, 1.0 / n), np.full(d, 0.3 / n)

    def loss(flat):
        point = flat.reshape((outputs, -1), order="F")
        value, slope = loss_and_slope(X, y, weight, penalty, point)
        return value, slope.ravel(order="F")

    options = {"maxiter": 30, "maxls": 50, "gtol": 1e-4, "ftol": 64 * np.finfo(float).eps}
    start = np.zeros(outputs * (d + 1))
    found = minimize(loss, start, method="L-BFGS-B", jac=True, options=options)
    point = np.empty((outputs, d + 1))
    x = np.ascontiguousarray(X.T)
    assert repeat_steps(x, y, weight, penalty, np.arange(len(x)), 30, 1e-4, point) == found.nit
    assert_allclose(point, found.x.reshape((outputs, -1), order="F"), atol=1e-7)


def test_nothing_to_do():
    x, y = np.zeros((1, 4)), np.array([0, 1, 0, 1])
    point = np.ones((1, 2))
    assert repeat_steps(x, y, np.full(4, 0.25), np.ones(1), np.arange(1), 5, 1e-4, point) == 0
    assert_allclose(point, 0.0)
