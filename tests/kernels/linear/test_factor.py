"""Cholesky factors of sub-blocks against numpy."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.linear import linear_rules as kernels
from tests.kernels.opened import opened


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
