"""Importances: those of the models themselves, and scikit-learn's permutation importance."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fewest
from fewest.classifiers import TableEncoder
from fewest.data._as_table import as_table
from fewest.measures import CrossValidated
from fewest.measures._abilities import Question
from fewest.measures._wrappers.importances import contributions

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


@pytest.mark.parametrize("name", ["lightgbm:LGBMClassifier", "xgboost:XGBClassifier"])
def test_contributions_of_a_stump_are_by_hand_what_its_leaves_differ_from_their_mean(name):
    package, cls = name.split(":")
    made = getattr(pytest.importorskip(package), cls)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = (X[:, 1] + 0.3 * rng.normal(size=200) > 0.5).astype(int)
    leaves = {"num_leaves": 2, "verbose": -1} if package == "lightgbm" else {"max_depth": 1}
    model = made(n_estimators=1, **leaves).fit(X, y)
    found = contributions(model, X)
    raw = {"raw_score": True} if package == "lightgbm" else {"output_margin": True}
    told = model.predict(X, **raw)
    # XGBoost weighs its leaves by the second derivatives, which are all equal in the first round.
    assert found[1] == pytest.approx(np.abs(told - told.mean()).mean(), rel=1e-4)
    assert found[0] == found[2] == 0


def test_contributions_of_a_pipeline_are_of_features_not_of_dummies():
    lightgbm = pytest.importorskip("lightgbm")
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"noise": rng.normal(size=300), "word": rng.choice(list("abc"), 300)})
    y = (X["word"] == "b").astype(int)
    model = make_pipeline(TableEncoder(), lightgbm.LGBMClassifier(n_estimators=5, verbose=-1))
    found = contributions(model.fit(X, y), X)
    assert len(found) == 2
    assert found[1] > 100 * found[0]


def test_elimination_by_contributions_and_the_sentence_for_other_models():
    lightgbm = pytest.importorskip("lightgbm")
    data = fewest.load("wine")
    search = fewest.search.RFE(size=3, importance="contributions")
    model = lightgbm.LGBMClassifier(n_estimators=10, verbose=-1, random_state=0)
    selector = fewest.SubsetSelector(model, search=search, cv=3, random_state=0)
    assert selector.fit(data.X, data.y).n_features_ == 3
    with pytest.raises(fewest.InputError, match="for LinearDiscriminantAnalysis, but is"):
        selector.set_params(measure="lda").fit(data.X, data.y)
