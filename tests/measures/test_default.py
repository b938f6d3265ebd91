"""The measure that is taken by default, probes, knockoffs and the path by L1."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import f_oneway
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import lasso_path
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.preprocessing import StandardScaler
from sklearn.svm import l1_min_c

from fewest._errors import InputError
from fewest.data import as_table
from fewest.measures import _probes as knockoffs
from fewest.measures._abilities import Question
from fewest.measures._default import Compared, compare_models, default_estimator
from fewest.measures._models_by_name import name_of, named_estimator
from fewest.measures._probes import (
    _logistic_model,
    few_levels,
    knockoff_statistics,
    l1_subsets,
    probe_importances,
    relations,
    standardised,
)
from fewest.testing import number_table, toy_table


# Which model is picked where none is named.
def compared(X, y, **given):
    table = as_table(X, y)
    return compare_models(table, np.ones(table.n_features, dtype=bool), **given)


def linear(rows=200):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 6))
    X[:, 1] = X[:, 0] + 0.3 * X[:, 1]
    return X, (X[:, 0] - X[:, 1] + 0.05 * rng.normal(size=rows) > 0).astype(int)


def test_the_scores_are_those_of_cross_validation():
    X, y = linear()
    folds = list(StratifiedKFold(4, shuffle=True, random_state=1).split(X, y))
    found = compared(X, y, cv=folds)
    for name in ("logistic-regression", "k-nn", "hist-gradient-boosting"):
        expected = cross_val_score(named_estimator(name), X, y, cv=folds)
        np.testing.assert_allclose(found.scores[name], expected, atol=1e-12)
    # The difference of two features is a line for a linear model alone.
    assert found.name == "logistic-regression"


def test_of_equals_the_cheapest_is_picked():
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    X = rng.normal(size=(120, 3)) + 8.0 * y[:, None]
    found = compared(X, y)
    assert set(found.scores.values().__iter__().__next__()) == {1.0}
    assert found.name == "naive-bayes"


def test_only_allowed_features_count():
    X, y = linear()
    table = as_table(X, y)
    found = compare_models(table, np.arange(6) > 1)
    assert all(folds.mean() < 0.65 for folds in found.scores.values())


def test_labels_and_unknown_values_are_taken_by_all():
    rng = np.random.default_rng(1)
    colour = rng.choice(["red", "green", "blue"], size=90)
    number = np.where(rng.random(90) < 0.2, np.nan, rng.normal(size=90))
    X = np.array([colour, number.astype(object)], dtype=object).T
    found = compared(X, np.where(colour == "red", "yes", "no"))
    assert len(found.scores) == 4
    assert all(folds.mean() > 0.95 for folds in found.scores.values())


def test_of_many_classes_boosting_is_left_out_and_numbers_have_their_own_models():
    X = np.random.default_rng(0).normal(size=(120, 3))
    assert "hist-gradient-boosting" not in compared(X, np.arange(120) % 12).scores
    numbers = compared(X, X[:, 0] * 2.0 + 0.1 * X[:, 1])
    assert numbers.name == "ridge"
    assert len(numbers.scores) == 2


def test_the_sentence_names_all_models():
    scores = {"naive-bayes": np.array([0.9, 0.94]), "logistic-regression": np.array([1.0, 0.95])}
    found = Compared("logistic-regression", None, scores, 100)
    assert found.why(percent=True) == (
        "The model selected for, with all features: logistic regression 97.5 % "
        "(naive Bayes 92.0 %)."
    )
    assert "logistic regression 0.975 (" in found.why(percent=False)


def test_scores_below_zero_keep_their_sign_and_losses_lose_it():
    rng = np.random.default_rng(0)
    table = as_table(rng.normal(size=(60, 3)), rng.normal(size=60))
    found = compare_models(table, np.ones(3, dtype=bool))
    assert found.scores["ridge"].mean() < 0
    assert f"ridge regression {found.scores['ridge'].mean():.4g}" in found.why(percent=False)
    assert f"ridge regression {-found.scores['ridge'].mean():.4g}" in found.why(False, loss=True)


@pytest.mark.parametrize(
    ("table", "expected"), [(toy_table(), "naive-bayes"), (number_table(), "linear-regression")]
)
def test_what_judges_a_selection_without_a_model(table, expected):
    assert name_of(default_estimator(table)) == expected


# Features against shuffled copies of themselves.
def probed(X, y, seed=0, subset=None):
    table = as_table(X, y)
    inside = np.ones(table.n_features, dtype=bool) if subset is None else subset
    return probe_importances(table, Question(inside, kind="probes", seed=seed))


def test_noise_seldom_beats_its_copies_and_the_test_keeps_its_level():
    p_values, kept = [], []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        found = probed(rng.normal(size=(80, 10)), rng.integers(2, size=80), seed)
        p_values.append(found.score)
        kept.append((found.values > 0).mean())
    assert np.mean(kept) < 0.3
    assert np.mean(np.array(p_values) <= 0.1) <= 0.25
    assert np.mean(p_values) == pytest.approx(0.5, abs=0.2)


def test_the_test_keeps_its_level_for_few_rows_of_many_skewed_columns():
    rng = np.random.default_rng(0)
    found = []
    for seed in range(60):
        X, y = rng.exponential(size=(60, 200)) ** 2, rng.random(60) < 0.2
        found.append(probed(X, y.astype(int), seed).score)
    assert np.mean(np.array(found) <= 0.05) <= 0.12


def test_a_signal_that_no_feature_shows_by_itself_is_found():
    rng = np.random.default_rng(0)
    common, own = rng.normal(size=(200, 1)), rng.normal(size=(200, 6))
    difference = (own @ [2.0, -2.0, 1.0, -1.0, 0.0, 0.0] + rng.logistic(size=200) > 0).astype(int)
    ring = rng.normal(size=(200, 3))
    around = ((ring**2).sum(axis=1) > 2.5).astype(int)
    for X, y in ((3.0 * common + 0.5 * own, difference), (ring, around)):
        assert min(f_oneway(X[y == 0, j], X[y == 1, j]).pvalue for j in range(3)) > 0.04
        assert probed(X, y).score <= 0.02


def test_a_related_feature_beats_its_copies_as_the_f_test_says():
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=150)
    X = rng.normal(size=(150, 5))
    X[:, 2] += 0.8 * y
    found = probed(X, y)
    assert f_oneway(*(X[y == k, 2] for k in range(3))).pvalue < 0.001
    assert found.values[2] > 0
    assert found.score <= 0.01


def test_a_numeric_target_is_related_by_squared_correlations():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 2)), rng.exponential(size=50)
    above = relations(as_table(X, y), np.random.default_rng(1))[0]
    again = np.random.default_rng(1)
    orders = [np.arange(50), *(again.permutation(50) for _ in range(len(above) - 1))]
    squares = np.array([[np.corrcoef(x, y[order])[0, 1] ** 2 for x in X.T] for order in orders])
    np.testing.assert_allclose(above, (squares - squares.mean(axis=0)) / squares.std(axis=0))


def test_an_interaction_is_seen_by_the_trees():
    rng = np.random.default_rng(0)
    X = rng.integers(2, size=(300, 4)).astype(float)
    found = probed(X, (X[:, 0] != X[:, 1]).astype(int))
    assert found.values[0] > 0
    assert found.values[1] > 0


def test_a_feature_that_matters_only_beside_another_is_seen_by_the_lines():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5))
    # Alone, the first is not related to the difference that it is part of.
    target = X[:, 1].copy()
    X[:, 1] += X[:, 0]
    assert abs(np.corrcoef(X[:, 0], target)[0, 1]) < 0.1
    assert probed(X, target).values[0] > 0


def test_labels_numbers_and_unknown_values():
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green"], size=100)
    number = np.where(rng.random(100) < 0.3, np.nan, rng.normal(size=100))
    X = np.array([colour, number.astype(object)], dtype=object).T
    target = (colour == "red") + 0.1 * rng.normal(size=100)
    found = probed(X, target)
    assert found.values[0] > 0
    assert found.score <= 0.01


def test_features_outside_the_subset_are_not_looked_at():
    rng = np.random.default_rng(0)
    y = np.arange(100) % 2
    X = rng.normal(size=(100, 4))
    X[:, 0] += 3.0 * y
    found = probed(X, y, subset=np.array([False, True, True, True]))
    assert np.isnan(found.values[0])
    assert found.score > 0.02


# Knockoffs: copies with the covariances of the features, and what a lead over them means.
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


# Supports on L1 paths: those of scikit-learn's lasso_path and of logistic regression.
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
