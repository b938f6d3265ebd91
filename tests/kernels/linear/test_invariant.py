"""The space of small eigenvalues against whole decompositions."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fewest.kernels.linear import invariant as kernels
from tests.kernels.opened import opened

KEPT, REST = 4, 2


def _case(near=1e-4):
    """B, C and what the kernels are given: columns, units, their factor."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, KEPT + REST))
    X[:, KEPT:] = X[:, :KEPT] @ rng.normal(size=(KEPT, REST)) + near * rng.normal(size=(30, REST))
    unit = np.array([1.0, 10.0, 0.1, 2.0, 1.0, 5.0])
    raw = X / unit
    factor = np.linalg.cholesky(raw[:, :KEPT].T @ raw[:, :KEPT])
    lower = np.zeros((6, 6))
    lower[:KEPT, :KEPT] = factor
    np.fill_diagonal(lower[:KEPT, :KEPT], 1.0 / np.diag(factor))
    return X, raw.T @ raw, unit, lower


def _room(count):
    return [np.zeros((6, 6)) for _ in range(count)]


def _found(near=1e-4):
    X, gram, unit, lower = _case(near)
    (across, turned, first, second, room), away = _room(5), np.zeros((6, 30))
    columns, free, bound = np.ascontiguousarray(X.T), np.arange(KEPT), np.arange(KEPT, 6)
    opened(kernels.combinations)(
        gram, unit, columns, free, KEPT, bound, REST, lower, across, away, np.zeros(6)
    )
    plain = across[:REST, :KEPT].copy(), away[:REST].copy()
    opened(kernels.turn)(
        columns, unit, free, KEPT, REST, lower, across, away, turned, first, second, room
    )
    return X, plain, turned, away


def test_combinations():
    X, (across, away), _, _ = _found()
    expected = np.linalg.lstsq(X[:, :KEPT], X[:, KEPT:], rcond=None)[0]
    assert_allclose(across, expected.T, rtol=1e-12)
    assert_allclose(away, (X[:, KEPT:] - X[:, :KEPT] @ expected).T, atol=1e-14)


def test_small_eigenvalues_and_their_space():
    X, _, turned, away = _found()
    space = np.vstack([-turned[:REST, :KEPT].T, np.eye(REST)])
    assert_allclose(away[:REST], (X @ space).T, atol=1e-14)
    values, vectors = np.linalg.svd(X)[1:]
    small, (own, first, second) = np.zeros(6), _room(3)
    opened(kernels.small_directions)(
        turned, KEPT, REST, away, np.zeros(6), np.arange(6), small, own, first, second
    )
    order = np.argsort(-small[:REST])
    assert_allclose(small[order], values[KEPT:] ** 2, rtol=1e-9)
    found = own[order][:, :REST] @ space.T
    assert_allclose(np.abs(np.sum(found * vectors[KEPT:], axis=1)), 1.0, rtol=1e-12)
    assert_allclose(np.linalg.norm(found, axis=1), 1.0, rtol=1e-12)


def test_inverse_of_one_plus_a_product():
    rng = np.random.default_rng(1)
    (first, second, inverse, room), size = _room(4), 3
    first[:], second[:] = rng.normal(size=(2, 6, 6))
    second = first + 1e-3 * second
    opened(kernels.one_plus)(first, second, KEPT, size, inverse, room)
    whole = np.eye(size) + first[:size, :KEPT] @ second[:size, :KEPT].T
    assert_allclose(inverse[:size, :size], np.linalg.inv(whole), rtol=1e-12)


@pytest.mark.parametrize("ratio", [0.5, 0.9, 1.0])
def test_the_largest_eigenvalue_as_far_as_a_cut_needs_it(ratio):
    turn = np.linalg.qr(np.random.default_rng(2).normal(size=(5, 5)))[0]
    matrix = turn * np.array([7.0, 7.0 * ratio, 2.0, 1.0, 0.5]) @ turn.T
    for share, sure in ((0.1, True), (1.9, True), (0.98, True), (1.02, True), (1.0, False)):
        room = np.zeros((5, 5))
        values = np.array([share * 7e-6])
        top = opened(kernels.parted)(values, 1, 1e-6, 1e-3, matrix.copy(), 5, room)
        assert (top > 0.0) == sure
        if sure:
            assert (values[0] > 1e-6 * top) == (share > 1.0)
