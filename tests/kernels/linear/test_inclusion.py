"""Inclusion probabilities: all models, and the sampler, against least squares model by model."""

import numpy as np
import pytest

from fewest.kernels.linear.inclusion import enumerated_inclusion, sampled_inclusion
from tests.naive.inclusion import naive_gibbs, naive_inclusion


def cross_products(X, Y):
    X, Y = X - X.mean(axis=0), Y - Y.mean(axis=0)
    base = np.linalg.svd(Y, full_matrices=False)[0]
    both = np.column_stack([X / np.linalg.norm(X, axis=0), base])
    return both.T @ both


def problem(targets):
    rng = np.random.default_rng(targets)
    X = rng.standard_normal((24, 6))
    X[:, 4] = X[:, 0] + 0.2 * rng.standard_normal(24)
    Y = X[:, :targets] + 0.9 * rng.standard_normal((24, targets))
    blocks = [[0], [1, 2], [3], [4], [5]]
    starts = np.cumsum([0, *map(len, blocks)]).astype(np.int64)
    sizes = np.arange(6)
    prior = np.array([-np.log(float(c)) for c in (1, 5, 10, 10, 5, 1)])[sizes]
    return X, Y, blocks, (cross_products(X, Y), starts, 24.0, 24.0, prior)


@pytest.mark.parametrize(("targets", "most"), [(1, 11), (2, 11), (3, 11), (1, 2)])
def test_all_models_are_weighed_as_by_hand(targets, most):
    X, Y, blocks, given = problem(targets)
    found = enumerated_inclusion(*given, most)
    np.testing.assert_allclose(found, naive_inclusion(X, Y, blocks, 24.0, most), rtol=1e-9)


@pytest.mark.parametrize(("targets", "most"), [(1, 11), (2, 3)])
def test_the_sampler_visits_the_models_of_the_slow_one(targets, most):
    X, Y, blocks, given = problem(targets)
    uniform = np.random.default_rng(5).random((12, 3, 5))
    found = sampled_inclusion(*given, most, uniform, 3)
    slow = naive_gibbs(X, Y, blocks, 24.0, most, uniform, 3)
    np.testing.assert_allclose(found, slow, rtol=1e-8)


def test_columns_that_depend_on_each_other_share_the_probability():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 3))
    X[:, 2] = X[:, 0]
    Y = X[:, :1] + 0.5 * rng.standard_normal((40, 1))
    given = (cross_products(X, Y), np.arange(4), 40.0, 40.0, np.zeros(4))
    exact = enumerated_inclusion(*given, 19)
    assert exact[0] == pytest.approx(exact[2])
    assert exact[0] + exact[2] == pytest.approx(1.0, abs=1e-6)
    sampled = sampled_inclusion(*given, 19, rng.random((400, 3, 3)), 40)
    np.testing.assert_allclose(sampled, exact, atol=0.1)
