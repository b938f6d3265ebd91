"""Knockoffs: copies with the covariances of the features, and what a lead over them means."""

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.data import as_table
from fewest.measures import _probes as knockoffs
from fewest.measures._probes import knockoff_statistics


def test_copies_have_the_covariances_of_the_columns():
    """Exchanging a column with one of its copies changes no covariance, but for the diagonal."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40_000, 3)) @ np.array([[1.0, 0.5, 0.0], [0, 1, 0.3], [0, 0, 1]])
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    copies = knockoffs._copies(X, rng)
    shape = np.corrcoef(X.T)
    away = ~np.eye(3, dtype=bool)
    s = 1 - np.mean(X[:, 0] * copies[0][:, 0])
    assert 0.1 < s < 1.0
    for copy in copies:
        np.testing.assert_allclose(np.cov(copy.T), shape, atol=0.03)
        np.testing.assert_allclose((X.T @ copy / len(X))[away], shape[away], atol=0.03)
    between = copies[0].T @ copies[1] / len(X)
    np.testing.assert_allclose(between, shape - s * np.eye(3), atol=0.03)


def test_real_features_lead_their_copies_and_others_do_not():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((200, 12))
    y = np.digitize(X[:, :3].sum(axis=1) + rng.standard_normal(200), [-1.0, 1.0])
    everything = np.ones(12, dtype=bool)
    lead = knockoff_statistics(as_table(X, y), everything, 0)
    assert lead[:3].min() > np.abs(lead[3:]).max()
    np.testing.assert_array_equal(lead, knockoff_statistics(as_table(X, y), everything, 0))


def test_features_outside_the_subset_have_no_lead_and_constant_ones_none():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((80, 4))
    X[:, 2] = 1.0
    lead = knockoff_statistics(as_table(X, X[:, 0]), np.array([True, False, True, True]), 0)
    assert np.isnan(lead).tolist() == [False, True, False, False]
    assert lead[2] == 0.0
    only = knockoff_statistics(as_table(X, X[:, 0]), np.arange(4) == 2, 0)
    assert only[2] == 0.0


def test_a_nominal_feature_is_judged_by_its_dummies_together():
    rng = np.random.default_rng(3)
    colour = rng.choice(list("rgb"), 200)
    X = np.column_stack([colour.astype(object), rng.standard_normal((200, 3)).astype(object)])
    lead = knockoff_statistics(as_table(X, colour == "g"), np.ones(4, dtype=bool), 0)
    assert lead[0] > np.abs(lead[1:]).max()


def test_too_many_columns_get_a_sentence(monkeypatch):
    monkeypatch.setattr(knockoffs, "MOST_COLUMNS", 3)
    table = as_table(np.random.default_rng(0).standard_normal((20, 4)), np.arange(20) % 2)
    with pytest.raises(InputError, match=r"at most 3 columns, but there are 4; .* `screen`"):
        knockoff_statistics(table, np.ones(4, dtype=bool), 0)
