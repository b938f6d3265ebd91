"""Mutual information from neighbours against all distances, and against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import digamma
from sklearn.feature_selection import mutual_info_regression

from fewest._kernels.neighbours.near_rows import mutual_information
from tests.naive.numeric_filters import mutual_information as naive


def steps(n):
    return np.concatenate([[0.0], digamma(np.arange(1, n + 1))])


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("ties", [False, True])
def test_against_all_distances(k, ties):
    rng = np.random.default_rng(0)
    for n in (5, 30):
        x = rng.normal(size=n)
        y = x + rng.normal(size=n)
        if ties:
            x, y = np.round(x), np.round(y, 1)
        found = mutual_information(x, y, k, steps(n))
        assert_allclose(found, naive(x.tolist(), y.tolist(), k, digamma), rtol=1e-12, atol=1e-12)


def test_against_scikit_learn():
    """On columns of standard deviation 1; it adds noise of 1e-10, which changes no order here."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 3))
    y = X[:, 0] ** 2 + X[:, 1] + 0.1 * rng.normal(size=60)
    X, y = X / X.std(axis=0), y / y.std()
    own = [mutual_information(np.ascontiguousarray(x), y, 3, steps(60)) for x in X.T]
    assert_allclose(own, mutual_info_regression(X, y, random_state=0), atol=1e-9)
