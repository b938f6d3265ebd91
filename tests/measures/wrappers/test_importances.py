"""Importances: those of the models themselves, and scikit-learn's permutation importance."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fewest
from fewest.data._as_table import as_table
from fewest.measures import CrossValidated
from fewest.measures._abilities import Question

WINE = fewest.load("wine")
X, Y = WINE.X.to_numpy(), np.asarray(WINE.y)
SUBSET = np.isin(np.arange(13), [0, 3, 6, 9])


def scorer_of(estimator):
    return CrossValidated(estimator, cv=3).bind(as_table(X, Y))


@pytest.mark.parametrize("fold", [-1, 1])
def test_coefficients_of_a_pipeline(fold):
    estimator = make_pipeline(StandardScaler(), LogisticRegression())
    scorer = scorer_of(estimator)
    answer = scorer.importances(Question(SUBSET, fold))
    train, test = (np.arange(178),) * 2 if fold < 0 else scorer.parts[0][fold]
    model = estimator.fit(X[train][:, SUBSET], Y[train])
    np.testing.assert_allclose(answer.values[SUBSET], (model[-1].coef_ ** 2).sum(axis=0))
    assert np.isnan(answer.values[~SUBSET]).all()
    score = model.score(X[test][:, SUBSET], Y[test])
    assert np.isnan(answer.score) if fold < 0 else answer.score == score


def test_a_forest_without_a_seed_gets_that_of_the_question():
    scorer = scorer_of(RandomForestClassifier(5))
    answer = scorer.importances(Question(SUBSET, seed=7))
    model = RandomForestClassifier(5, random_state=7).fit(X[:, SUBSET], Y)
    np.testing.assert_allclose(answer.values[SUBSET], model.feature_importances_)


def test_permutation_importance_on_the_test_rows():
    scorer = scorer_of(GaussianNB())
    of_folds = []
    for train, test in scorer.parts[0]:
        model = GaussianNB().fit(X[train][:, SUBSET], Y[train])
        of_folds.append(
            permutation_importance(
                model, X[test][:, SUBSET], Y[test], n_repeats=5, random_state=3
            ).importances_mean
        )
    one = scorer.importances(Question(SUBSET, 2, "permutation", 3)).values[SUBSET]
    np.testing.assert_allclose(one, of_folds[2])
    every = scorer.importances(Question(SUBSET, kind="permutation", seed=3)).values[SUBSET]
    np.testing.assert_allclose(every, np.mean(of_folds, axis=0))


def test_shadows_are_columns_in_another_order():
    scorer = scorer_of(RandomForestClassifier(20, random_state=0))
    answer = scorer.importances(Question(SUBSET, seed=1, shadows=True))
    assert answer.shadows.shape == (8,)  # four features, twice, so that there are at least five
    assert answer.values[SUBSET].sum() + answer.shadows.sum() == pytest.approx(1.0)
    assert answer.values[6] > answer.shadows.max()
    other = scorer.importances(Question(SUBSET, seed=2, shadows=True))
    assert not np.array_equal(answer.shadows, other.shadows)
