"""Cholesky factors of sub-blocks against numpy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from fewest._kernels.linear import linear_rules as kernels
from fewest._kernels.linear.inclusion import enumerated_inclusion, sampled_inclusion
from fewest._kernels.linear.leaps import dive, enter
from fewest._kernels.linear.linear_rules import (
    ABSOLUTE,
    EPS,
    REGULARISED,
    RELATIVE,
    cut_directions,
    quadratic_values,
    refine_rules,
    solve_rules,
)
from fewest._kernels.linear.newton import curvature, slopes, solve_logistic
from fewest._kernels.linear.residuals import PERFECT, rank, residual_squares
from tests.kernels.opened import opened
from tests.measures.number_tables import rows
from tests.naive.inclusion import naive_gibbs, naive_inclusion
from tests.naive.least_squares import naive_best, naive_rss
from tests.naive.linear import naive_inverse_rules, naive_quadratic, naive_rules, naive_shortest
from tests.naive.logistic import naive_curvature, naive_optimum, naive_slope


def case(seed, members, ridge=0.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(20, 6))
    gram = X.T @ X
    columns = np.zeros(6, np.int64)
    columns[: len(members)] = members
    lower = np.zeros((6, 6))
    left = opened(kernels.factor)(gram, np.full(6, ridge), columns, len(members), lower)
    block = gram[np.ix_(members, members)] + ridge * np.eye(len(members))
    return columns, lower, left, block


@pytest.mark.parametrize("ridge", [0.0, 0.5])
@pytest.mark.parametrize("members", [[3], [4, 1], [5, 0, 2, 3]])
def test_factor_and_solutions(members, ridge):
    _, lower, left, block = case(0, members, ridge)
    k = len(members)
    expected = np.linalg.cholesky(block)
    found = np.tril(lower[:k, :k], -1) + np.diag(1 / np.diag(lower)[:k])
    assert found == pytest.approx(expected)
    assert left == pytest.approx((np.diag(expected) ** 2 / np.diag(block)).min())
    right = np.random.default_rng(1).normal(size=k)
    values = right.copy()
    opened(kernels.forward)(lower, k, values)
    assert values == pytest.approx(np.linalg.solve(expected, right))
    opened(kernels.backward)(lower, k, values)
    assert values == pytest.approx(np.linalg.solve(block, right))


def test_a_column_that_depends_on_others_is_told():
    X = np.random.default_rng(0).normal(size=(10, 3))
    X[:, 2] = X[:, 0] - 2 * X[:, 1]
    room = np.zeros((3, 3))
    assert opened(kernels.factor)(X.T @ X, np.zeros(3), np.arange(3), 3, room) == 0
    assert opened(kernels.factor)(X.T @ X, np.zeros(3), np.arange(3), 2, room) > 0


def test_the_bound_of_the_smallest_eigenvalue():
    members = [5, 0, 2, 3]
    columns, lower, _, block = case(2, members)
    unit = np.arange(1.0, 7.0)
    scaled, bound = opened(kernels.smallest_eigenvalues)(lower, 4, columns, unit, np.zeros(6))
    smallest = np.linalg.eigvalsh(block)[0]
    assert smallest / 4 <= bound <= smallest
    assert bound == pytest.approx(1 / np.trace(np.linalg.inv(block)))
    block *= np.outer(unit[members], unit[members])
    assert scaled == pytest.approx(1 / np.trace(np.linalg.inv(block)))


def _solved(X, right, masks, rank_rule=REGULARISED, cut=0.0, ridge=0.0, dead=None):
    d = X.shape[1]
    weights, error = np.empty((len(masks), len(right), d)), np.empty(len(masks))
    unsure = np.zeros(len(masks), dtype=bool)
    dead = np.zeros(d, dtype=bool) if dead is None else dead
    solve_rules(
        X.T @ X, np.full(d, ridge), right, np.ones(d), rank_rule, cut, dead, EPS, masks, weights,
        error, unsure,
    )  # fmt: skip
    return weights, error, unsure


def _case(seed=0, n=30, d=6):
    rng = np.random.default_rng(seed)
    X, right = rng.normal(size=(n, d)), rng.normal(size=(2, d))
    masks = rng.random((5, d)) < 0.6
    masks[:, 1] = True
    return X, right, masks


def test_rules():
    X, right, masks = _case()
    for ridge in (0.0, 0.7):
        weights, error, unsure = _solved(X, right, masks, ridge=ridge)
        assert not unsure.any()
        for mask, got, size in zip(masks, weights, error, strict=True):
            expected = naive_rules(X.T @ X, np.full(6, ridge), right, np.flatnonzero(mask))
            assert_allclose(got, expected, rtol=1e-12, atol=1e-14)
            assert 0.0 < size < 1e-11


def test_dead_columns_get_no_weight():
    X, right, masks = _case()
    dead = np.arange(6) == 1
    weights, _, _ = _solved(X, right, masks, dead=dead)
    assert_array_equal(weights, _solved(X, right, masks & ~dead)[0])


def test_nearly_dependent_columns_are_unsure():
    X, right, masks = _case()
    X[:, 2] = X[:, 0] + X[:, 3]
    X[:, 4] = X[:, 5] * (1.0 + 1e-9)
    for rank_rule, cut in ((REGULARISED, 0.0), (RELATIVE, 1e-12), (ABSOLUTE, 1e-8)):
        _, _, unsure = _solved(X, right, masks, rank_rule, cut)
        expected = masks[:, [0, 2, 3]].all(axis=1) | masks[:, [4, 5]].all(axis=1)
        assert_array_equal(unsure, expected)


def test_small_eigenvalues_are_unsure():
    X, right, _ = _case()
    X[:, 0] *= 1e-5
    masks = np.array([[1, 1, 0, 0, 0, 0], [0, 1, 1, 0, 0, 0]], dtype=bool)
    assert_array_equal(_solved(X, right, masks, RELATIVE, 1e-9)[2], [True, False])
    assert_array_equal(_solved(X, right, masks, RELATIVE, 1e-12)[2], [False, False])


def test_directions_between_class_means_that_would_be_cut():
    rng = np.random.default_rng(2)
    share = np.array([0.2, 0.3, 0.5])
    right = rng.normal(size=(3, 4))
    right -= share @ right
    flat = np.outer([-1.0, 1.0, -0.2], right[0])
    flat -= share @ flat
    for case, expected in (
        (right, False),
        (flat + 1e-5 * right, True),
        (flat + 1e-3 * right, False),
    ):
        unsure = np.zeros(1, dtype=bool)
        cut_directions(case[None].copy(), case, share, 1e-8, unsure)
        assert unsure[0] == expected


SOME = np.array(
    [[1, 1, 1, 0, 0, 0], [1, 1, 1, 1, 1, 1], [0, 1, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1]], dtype=bool
)


def _columns(near, n=25):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 6))
    X[:, 2] = X[:, 0] - 2.0 * X[:, 1] + near * rng.normal(size=n)
    X[:, 5] = X[:, 4]
    return X - X.mean(axis=0), rng.normal(size=(n, 2))


def _refined(X, right, least_squares, cut):
    weights, error = np.empty((len(SOME), 2, 6)), np.empty(len(SOME))
    nobody = np.zeros(6, dtype=bool)
    columns = np.ascontiguousarray(X.T)
    refine_rules(
        columns, right, least_squares, least_squares, cut, nobody, EPS, SOME, weights, error
    )
    return weights, error


@pytest.mark.parametrize("near", [0.0, 1e-8, 1e-3])
@pytest.mark.parametrize("n", [25, 4])
def test_least_squares(near, n):
    X, targets = _columns(near, n)
    both = np.linalg.qr(np.column_stack([X, targets]), mode="r")
    weights, error = _refined(
        np.ascontiguousarray(both[:, :6]), np.ascontiguousarray(both[:, 6:].T), True, 1e-12
    )
    for mask, got, size in zip(SOME, weights, error, strict=True):
        expected = naive_shortest(X, targets, np.flatnonzero(mask), 1e-6)
        assert_allclose(got, expected, rtol=1e-9, atol=1e-9)
        assert size < 1e-8


@pytest.mark.parametrize("near", [0.0, 1e-8, 1e-3])
def test_inverse(near):
    X, _ = _columns(near)
    right = np.random.default_rng(1).normal(size=(2, 6))
    weights, error = _refined(np.linalg.qr(X, mode="r"), right, False, 1e-8)
    for mask, got in zip(SOME, weights, strict=True):
        expected = naive_inverse_rules(X, right, np.flatnonzero(mask), 1e-8)
        assert_allclose(got, expected, rtol=1e-6, atol=1e-9)
    assert (error < 1e-6).all()


def test_a_singular_value_at_the_cut_is_in_doubt():
    X = np.diag([1.0, 1.0, 1.0, 1.0, 1.0, 1e-3])
    _, error = _refined(X, np.ones((2, 6)), True, 1e-6)
    assert (error[1:] == np.inf).all()
    assert error[0] < 1e-12


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
        covariance,
        np.zeros(4),
        mean,
        prior,
        x,
        *given,
        drift,
        EPS,
        masks,
        values,
        slack,
        unsure,
    )
    assert not unsure.any()
    for mask, got in zip(masks, values, strict=True):
        expected = naive_quadratic(covariance, mean, prior, x, np.flatnonzero(mask))
        assert_allclose(got, expected, rtol=1e-10)
    assert ((slack > 0.0) & (slack < 1e-10)).all()
    covariance[1, 3] = covariance[1, :, 3] = 0.0
    drift, given = np.full(4, 1e-14), (np.ones(4), 1e-4)
    quadratic_values(
        covariance,
        np.zeros(4),
        mean,
        prior,
        x,
        *given,
        drift,
        EPS,
        masks,
        values,
        slack,
        unsure,
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


NONE = np.empty((0, 0))


def case_newton(classes, n=60, d=5, seed=0):
    """Columns first, the last one of ones and without a penalty."""
    rng = np.random.default_rng(seed + classes)
    code = np.append(np.arange(classes), rng.integers(0, classes, n - classes))
    x = rng.normal(size=(d, n)) + 0.7 * code * rng.random((d, 1))
    x[-1] = 1.0
    return x, code, rng.random(n) + 0.5, np.append(rng.random(d - 1) + 0.1, 0.0)


def solved(x, code, weight, penalty, masks, start=None, whole=NONE):
    outputs, d = code.max(), len(x)
    shared = 0.0 if outputs == 1 else 1.0 / (outputs + 1)
    start = np.zeros((outputs, d)) if start is None else start
    shape = (len(masks), outputs, d)
    weights, moves, done = np.empty(shape), np.empty(shape), np.empty(len(masks), dtype=bool)
    solve_logistic(
        x, code, weight, penalty, shared, masks, start, whole, weights, moves, done
    )  # fmt: skip
    return weights, moves, done


def derivatives(x, code, weight, penalty, point):
    outputs, d = point.shape
    shared = 0.0 if outputs == 1 else 1.0 / (outputs + 1)
    share, slope = np.empty((outputs, x.shape[1])), np.empty(point.shape)
    slopes(x, code, weight, penalty, shared, point, share, slope)
    lower = np.empty((outputs * d, outputs * d))
    curvature(x, weight, penalty, shared, share, lower)
    return slope, lower


@pytest.mark.parametrize("n", [60, 300])
@pytest.mark.parametrize("classes", [2, 3, 4])
def test_derivatives(classes, n):
    """With one coefficient per class whose sum is zero, the first class follows from the others."""
    x, code, weight, penalty = case_newton(classes, n)
    point = np.random.default_rng(1).normal(size=(classes - 1, len(x)))
    slope, whole = derivatives(x, code, weight, penalty, point)
    if classes == 2:
        every, spread = point, np.eye(1)
    else:
        every = np.vstack([np.zeros(len(x)), point])
        every = every - every.mean(axis=0)
        spread = np.vstack([np.zeros(classes - 1), np.eye(classes - 1)]) - 1.0 / classes
    assert_allclose(slope, spread.T @ naive_slope(x.T, code, weight, penalty, every), rtol=1e-9)
    wide = np.kron(spread, np.eye(len(x)))
    expected = wide.T @ naive_curvature(x.T, weight, penalty, every) @ wide
    assert_allclose(whole, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_optima_of_subsets(classes):
    x, code, weight, penalty = case_newton(classes)
    masks = np.array(
        [[1, 1, 1, 1, 1], [1, 0, 1, 0, 1], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]], dtype=bool
    )
    weights, moves, done = solved(x, code, weight, penalty, masks)
    assert done.all()
    for mask, found in zip(masks, weights, strict=True):
        assert (found[:, ~mask] == 0.0).all()
        expected = naive_optimum(x[mask].T, code, weight, penalty[mask], classes)
        assert_allclose(found[:, mask], expected, atol=1e-8)
    assert np.abs(moves).max() < 1e-6


def test_many_classes_and_columns():
    """Beyond a size, second derivatives within each class stand for all of them."""
    x, code, weight, penalty = case_newton(8, n=260, d=29)
    mask = np.ones((1, 29), dtype=bool)
    weights, _, done = solved(x, code, weight, penalty, mask)
    assert done.all()
    assert_allclose(weights[0], naive_optimum(x.T, code, weight, penalty, 8), atol=1e-7)


@pytest.mark.parametrize("classes", [2, 3])
def test_the_start_does_not_matter(classes):
    x, code, weight, penalty = case_newton(classes)
    masks = np.random.default_rng(0).random((20, 5)) < 0.6
    masks[:, -1] = True
    cold = solved(x, code, weight, penalty, masks)[0]
    best = solved(x, code, weight, penalty, np.ones((1, 5), dtype=bool))[0][0]
    whole = derivatives(x, code, weight, penalty, best)[1]
    assert_allclose(solved(x, code, weight, penalty, masks, best, whole)[0], cold, atol=1e-9)
    far = 5.0 * np.random.default_rng(1).normal(size=best.shape)
    assert_allclose(solved(x, code, weight, penalty, masks, far)[0], cold, atol=1e-9)


@pytest.mark.parametrize("classes", [2, 3])
def test_many_rows(classes):
    """Steps begin at the optimum of some rows; their slope vanishes at that of all rows."""
    x, code, weight, penalty = case_newton(classes, n=9000)
    weights, _, done = solved(x, code, weight, penalty, np.ones((1, 5), dtype=bool))
    assert done.all()
    slope, whole = derivatives(x, code, weight, penalty, weights[0])
    assert_allclose(np.linalg.solve(whole, slope.ravel()), 0.0, atol=1e-11)


def test_no_optimum_is_not_called_one():
    x, code, weight, penalty = case_newton(2)
    everyone = np.ones((1, 5), dtype=bool)
    x[1] = x[0]
    assert not solved(x, code, weight, 0.0 * penalty, everyone)[2][0]
    # Separable without a penalty: steps do not shrink in what they move.
    x[0] = code - 0.5
    mask = np.array([[True, False, False, False, True]])
    _, moves, done = solved(x, code, weight, 0.0 * penalty, mask)
    assert not done[0] or np.abs(moves).max() > 1e-3


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
