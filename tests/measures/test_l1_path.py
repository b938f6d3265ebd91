"""Supports on L1 paths: those of scikit-learn's lasso_path and of logistic regression."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import lasso_path
from sklearn.preprocessing import StandardScaler
from sklearn.svm import l1_min_c

from fewest.data._as_table import as_table
from fewest.measures._l1_path import _logistic_model, few_levels, l1_subsets, standardised


def test_the_supports_of_the_lasso_are_those_of_lasso_path():
    X, y = load_diabetes(return_X_y=True)
    found = {tuple(np.flatnonzero(m)) for m in l1_subsets(as_table(X, y), "auto", 10)}
    scaled, centred = StandardScaler().fit_transform(X), y - y.mean()
    strongest = np.abs(scaled.T @ centred).max() / len(y)
    _, coefficients, _ = lasso_path(
        scaled, centred, alphas=np.geomspace(1e-3, 1, 200) * strongest, tol=1e-8, max_iter=100_000
    )
    theirs = {tuple(np.flatnonzero(c)) for c in coefficients.T}
    assert len(theirs) > 8
    assert theirs <= found


def test_the_supports_of_two_classes_are_those_of_logistic_regression():
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, :8]
    found = [tuple(np.flatnonzero(m)) for m in l1_subsets(as_table(X, y), "auto", 8)]
    scaled = StandardScaler().fit_transform(X)
    strengths = l1_min_c(scaled, y, loss="log") * np.geomspace(1, 1000, 61)[[10, 30, 60]]
    for strength in strengths:
        model = _logistic_model().set_params(C=strength, tol=1e-7, warm_start=False)
        assert tuple(np.flatnonzero(model.fit(scaled, y).coef_[0])) in found
    assert found[0] == ()


def test_the_path_ends_where_enough_features_are_in():
    X, y = load_breast_cancer(return_X_y=True)
    sizes = l1_subsets(as_table(X, y), "auto", 5).sum(axis=1)
    assert (sizes[:-1] <= 5).all()


def test_nominal_features_have_a_column_per_value_and_constant_ones_none():
    X = pd.DataFrame({"word": [*"abca"], "number": [1.0, 2.0, None, 3.0], "constant": 5.0})
    columns, owner = standardised(as_table(X, [0, 1, 0, 1]))
    assert owner.tolist() == [0, 0, 0, 1]
    np.testing.assert_allclose(columns.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(columns.std(axis=0), 1)
    assert columns[2, 3] == 0


def test_rare_values_of_a_label_are_one():
    rng = np.random.default_rng(0)
    codes = np.concatenate([np.repeat(np.arange(49), 4), np.arange(49, 400)])
    labels = np.array([f"v{code:03d}" for code in codes], dtype=object)
    X = np.column_stack([labels, rng.normal(size=len(codes)).astype(object)])
    X[0, 0] = None
    table = as_table(X, np.arange(len(codes)) % 2)
    few = few_levels(table)
    assert [None if own is None else len(own) for own in few.levels] == [50, None]
    own = few.column(0)
    assert np.isnan(own[0])
    assert len(np.unique(own[1:196])) == 49
    assert len(np.unique(own[196:])) == 1
    assert own[196] not in own[:196]
    assert few_levels(few) is few
    columns, owner = standardised(table)
    assert (owner == 0).sum() == 50
    assert few.column(1).tolist() == table.column(1).tolist()
