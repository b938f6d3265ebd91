"""Residual sums of squares against fits of whole subsets."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose

from fewest._kernels.linear.residuals import PERFECT, rank, residual_squares
from tests.measures.number_tables import rows
from tests.naive.least_squares import naive_rss


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
