"""Weights without a search: scikit-learn's numbers, values by hand, and a numerical gradient."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sklearn.metrics import mutual_info_score

from fewest._errors import InputError
from fewest.data import as_table
from fewest.measures._filters import relief as w

RNG = np.random.default_rng(0)
NOMINAL = RNG.integers(0, 3, (60, 3)).astype(str).astype(object)
CLASS = np.where(RNG.random(60) < 0.8, NOMINAL[:, 1] == "0", RNG.random(60) < 0.5).astype(int)


def test_mutual_information_is_that_of_scikit_learn():
    found = w.mutual_information(as_table(NOMINAL, CLASS), RNG)
    theirs = [mutual_info_score(NOMINAL[:, j], CLASS) / np.log(2) for j in range(3)]
    assert found == pytest.approx(theirs)


def test_class_conditional_by_hand():
    table = as_table(np.array([["a"], ["a"], ["b"], ["b"]], dtype=object), [0, 0, 0, 1])
    # Σ P(class | value)² is 1 for a and 1/2 for b; 9/16 + 1/16 without the feature.
    assert w.class_conditional(table, RNG) == pytest.approx([0.75 - 0.625])


def naive_error(weights, X, y):
    total = 0.0
    for i in range(len(X)):
        votes = [np.exp(-(weights * (X[i] - X[j]) ** 2).sum()) * (j != i) for j in range(len(X))]
        right = sum(v for j, v in enumerate(votes) if y[j] == y[i]) / sum(votes)
        total += (1 - right) ** 2
    return total


def test_the_gradient_ends_where_a_naive_error_has_none():
    X, y = RNG.random((30, 3)), RNG.integers(0, 2, 30)
    y[:15] = X[:15, 0] > 0.5
    X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    found = w.gradient(as_table(X, y), RNG)
    slopes = approx_fprime(found, naive_error, 1e-6, X, y)
    assert naive_error(found, X, y) < naive_error(np.ones(3), X, y)
    free = found > 1e-6
    assert np.abs(slopes[free]).max() < 0.02
    assert (slopes[~free] > -0.02).all()


@pytest.mark.parametrize("name", w.FILTERS)
def test_weights_are_between_0_and_1_for_mixed_and_unknown_values(name):
    X = np.column_stack([NOMINAL[:, 1], RNG.normal(size=60), NOMINAL[:, 0]]).astype(object)
    X[::9, 1] = np.nan
    found = w.filter_weights(name, as_table(X, CLASS), RNG)
    assert found.shape == (3,)
    assert found.min() >= 0
    assert found.max() == 1
    assert found[0] > found[2]
    constant = as_table(np.ones((20, 2)), np.arange(20) % 2)
    assert w.filter_weights(name, constant, RNG) == pytest.approx([1, 1])


def test_refuses_numbers_as_target():
    with pytest.raises(InputError, match="the target must be a class"):
        w.filter_weights("relieff", as_table(np.eye(4), [0.1, 0.2, 0.4, 0.7]), RNG)
