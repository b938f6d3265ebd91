"""Which model is picked where none is named."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_score

from fewest.data import as_table
from fewest.measures._default import Compared, compare_models, default_estimator
from fewest.measures._models_by_name import name_of, named_estimator
from fewest.testing import number_table, toy_table


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
