"""Logistic regression over subsets, against plain Newton steps with whole matrices."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fewest._kernels.linear.newton import curvature, slopes, solve_logistic
from tests.naive.logistic import naive_curvature, naive_optimum, naive_slope

NONE = np.empty((0, 0))


def case(classes, n=60, d=5, seed=0):
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
    x, code, weight, penalty = case(classes, n)
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
    x, code, weight, penalty = case(classes)
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
    x, code, weight, penalty = case(8, n=260, d=29)
    mask = np.ones((1, 29), dtype=bool)
    weights, _, done = solved(x, code, weight, penalty, mask)
    assert done.all()
    assert_allclose(weights[0], naive_optimum(x.T, code, weight, penalty, 8), atol=1e-7)


@pytest.mark.parametrize("classes", [2, 3])
def test_the_start_does_not_matter(classes):
    x, code, weight, penalty = case(classes)
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
    x, code, weight, penalty = case(classes, n=9000)
    weights, _, done = solved(x, code, weight, penalty, np.ones((1, 5), dtype=bool))
    assert done.all()
    slope, whole = derivatives(x, code, weight, penalty, weights[0])
    assert_allclose(np.linalg.solve(whole, slope.ravel()), 0.0, atol=1e-11)


def test_no_optimum_is_not_called_one():
    x, code, weight, penalty = case(2)
    everyone = np.ones((1, 5), dtype=bool)
    x[1] = x[0]
    assert not solved(x, code, weight, 0.0 * penalty, everyone)[2][0]
    # Separable without a penalty: steps do not shrink in what they move.
    x[0] = code - 0.5
    mask = np.array([[True, False, False, False, True]])
    _, moves, done = solved(x, code, weight, 0.0 * penalty, mask)
    assert not done[0] or np.abs(moves).max() > 1e-3
