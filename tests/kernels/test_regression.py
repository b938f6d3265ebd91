"""Kernels of regression: residuals, leaps and bounds, inclusion."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fewest._kernels.linear.inclusion import enumerated_inclusion, sampled_inclusion
from fewest._kernels.linear.leaps import dive, enter
from fewest._kernels.linear.residuals import PERFECT, rank, residual_squares
from tests.measures.number_tables import rows
from tests.naive.inclusion import naive_gibbs, naive_inclusion
from tests.naive.least_squares import naive_best, naive_rss


# Residual sums of squares against fits of whole subsets.
def _products(X, y):
    X, y = X - X.mean(axis=0), y - y.mean()
    return X.T @ X, X.T @ y, float(y @ y)


def test_every_subset_with_dependent_columns():
    X, y = rows()
    masks = np.array([[i >> j & 1 for j in range(6)] for i in range(64)], dtype=bool)
    expected = [naive_rss(X, y, np.flatnonzero(mask)) for mask in masks]
    assert_allclose(residual_squares(*_products(X, y), masks), expected, rtol=1e-9)


def test_a_perfect_fit_leaves_rounding():
    X, _ = rows(trouble=False)
    gram, right, total = _products(X, X @ np.arange(6.0))
    rest = residual_squares(gram, right, total, np.ones((1, 6), dtype=bool))
    assert_allclose(rest, PERFECT * total)


def test_rank():
    X, y = rows()
    gram = _products(X, y)[0]
    assert rank(gram) == np.linalg.matrix_rank(X - X.mean(axis=0)) == 3


# Branch and bound against enumeration.
def _dive(X, y, units, slices, each=True):
    """The best of each size over units, given as numbers of columns, from the full set."""
    X, y = X - X.mean(axis=0), y - y.mean()
    y = y / np.sqrt(y @ y)
    d, m = X.shape[1], len(units)
    sizes = np.array(units, dtype=np.int64)
    inverse = np.linalg.inv(X.T @ X)
    beta = inverse @ X.T @ y
    stack = (
        np.empty((m + 1, d, d)), np.empty((m + 1, d)), np.empty((m + 1, m), dtype=np.int64),
        np.empty((m + 1, m + 1), dtype=np.int64), np.zeros((m + 1, 8)),
    )  # fmt: skip
    counts, inside, costs = np.zeros(2, dtype=np.int64), np.ones(m, dtype=bool), np.zeros(m)
    best, limits = np.full(d + 1, np.inf), np.full(d + 1, np.inf)
    best[d] = float(y @ y - beta @ X.T @ y)
    subsets = np.zeros((d + 1, m), dtype=bool)
    enter(
        inverse, beta, best[d], np.arange(m), sizes, sizes, costs, np.zeros(2), stack, counts
    )  # fmt: skip
    ended = False
    while not ended:
        ended = dive(
            stack, counts, inside, sizes, sizes, costs, np.array([0, d]), np.inf, np.ones(d + 1),
            np.zeros(d + 1), each, best, subsets, limits, slices,
        )  # fmt: skip
    assert inside.all()
    return best, subsets, counts


def test_the_best_of_each_size():
    X, y = rows(d=7, trouble=False)
    best, subsets, counts = _dive(X, y, [1] * 7, 1000)
    expected = naive_best(X, y) / naive_rss(X, y, [])
    assert_allclose(best, expected, rtol=1e-9)
    for size in range(7):
        assert subsets[size].sum() == size
        own = naive_rss(X, y, np.flatnonzero(subsets[size])) / naive_rss(X, y, [])
        assert_allclose(own, expected[size], rtol=1e-9)
    assert counts[1] < 2**7


def test_slices_give_the_same():
    X, y = rows(1, d=7, trouble=False)
    whole, parts = _dive(X, y, [1] * 7, 1000), _dive(X, y, [1] * 7, 3)
    assert_allclose(parts[0], whole[0], rtol=1e-12)
    assert parts[2][1] == whole[2][1]


def test_units_of_several_columns():
    X, y = rows(2, d=6, trouble=False)
    best, _, _ = _dive(X, y, [2, 1, 3], 1000)
    parts = [(0, 1), (2,), (3, 4, 5)]
    for size in range(6):
        own = [
            naive_rss(X, y, sum((p for i, p in enumerate(parts) if code >> i & 1), ()))
            for code in range(8)
            if sum(len(p) for i, p in enumerate(parts) if code >> i & 1) == size
        ]
        assert_allclose(best[size] * naive_rss(X, y, []), min(own, default=np.inf), rtol=1e-9)


# Inclusion probabilities: all models, and the sampler, against least squares model by model.
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
