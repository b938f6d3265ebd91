"""Steps of linear models: the same fold scores as whole subsets, and as scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, Ridge, RidgeClassifier
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fewest.data._as_table import as_table
from fewest.measures._steps import Steps
from fewest.measures._wrappers.cross_validated import CrossValidated


def table(d, classes, n=90):
    """Columns of unlike sizes, one constant, one a copy, one the sum of two others."""
    rng = np.random.default_rng(d)
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-2, 3, d) + rng.normal(size=d)
    X[:, 5], X[:, 6], X[:, 7] = 3.25, X[:, 0], X[:, 0] + X[:, 1]
    signal = X[:, 0] / X[:, 0].std() - X[:, 1] / X[:, 1].std() + rng.normal(size=n)
    if not classes:
        return X, signal
    return X, np.searchsorted(np.quantile(signal, np.arange(1, classes) / classes), signal)


def steps_from(d, have):
    base = np.zeros(d, dtype=bool)
    base[have] = True
    units = np.flatnonzero(~base)
    # scikit-learn refuses to train on a constant column alone.
    units = units[(units != 5) | bool(len(have))]
    return Steps(base, units, np.ones(len(units), dtype=np.int64))


def scorers(estimator, X, y, scoring=None):
    scorer = CrossValidated(estimator, cv=3, scoring=scoring).bind(as_table(X, y))
    return scorer, scorer.scorers[0]


def taken(scorer, steps):
    """Whether steps are judged from the solution of their base."""
    return scorer.rule.judge_steps(0, steps, scorer.metric, scorer.truths[0]) is not None


@pytest.mark.parametrize("d", [70, 1250])
@pytest.mark.parametrize("have", [[], [0], [0, 1, 40], [0, 6, 12]])
@pytest.mark.parametrize(
    ("estimator", "classes"),
    [
        (LinearDiscriminantAnalysis(), 2),
        (LinearDiscriminantAnalysis(), 3),
        (LinearDiscriminantAnalysis(solver="lsqr"), 2),
        (make_pipeline(StandardScaler(), LinearDiscriminantAnalysis()), 2),
        (RidgeClassifier(), 3),
    ],
)
def test_accuracies_are_equal(estimator, classes, d, have):
    _, scorer = scorers(estimator, *table(d, classes))
    steps = steps_from(d, have)
    # Of a wide table only some subsets: one by one they take long.
    steps = steps[np.r_[:20, 50:60]]
    assert taken(scorer, steps)
    assert_array_equal(scorer.score_steps(steps).folds, scorer.score(np.asarray(steps)).folds)


@pytest.mark.parametrize("d", [70, 1250])
@pytest.mark.parametrize(
    "estimator",
    [LinearRegression(), Ridge(alpha=2.0), make_pipeline(StandardScaler(), Ridge(alpha=0.1))],
)
@pytest.mark.parametrize("scoring", [None, "neg_mean_absolute_error"])
def test_errors_are_equal_up_to_rounding(estimator, d, scoring):
    _, scorer = scorers(estimator, *table(d, 0), scoring)
    steps = steps_from(d, [0, 1, 40])[np.r_[:20, 50:60]]
    assert taken(scorer, steps)
    told = scorer.score_steps(steps).folds
    assert_allclose(told, scorer.score(np.asarray(steps)).folds, rtol=1e-9)


@pytest.mark.parametrize(
    ("estimator", "classes"), [(LinearDiscriminantAnalysis(), 3), (Ridge(), 0)]
)
def test_steps_are_scored_as_cross_val_score_does(estimator, classes):
    X, y = table(1250, classes)
    whole, scorer = scorers(estimator, X, y)
    steps = steps_from(1250, [0, 1])[[10, 20, 700]]
    told = scorer.score_steps(steps).folds
    for row, folds in zip(np.asarray(steps), told, strict=True):
        expected = cross_val_score(estimator, X[:, row], y, cv=list(whole.parts[0]))
        assert_allclose(folds, expected, rtol=1e-9)


def test_what_steps_cannot_tell_is_asked_as_subsets():
    X, y = table(70, 2)
    _, scorer = scorers(LinearDiscriminantAnalysis(), X, y)
    away = Steps(np.arange(70) < 4, np.arange(3), np.zeros(3, dtype=np.int64))
    assert not taken(scorer, away)
    assert_array_equal(scorer.score_steps(away).folds, scorer.score(np.asarray(away)).folds)
    _, ranked = scorers(LinearDiscriminantAnalysis(), X, y, "roc_auc")
    assert not taken(ranked, steps_from(70, [0]))
    few, _ = table(20, 2)
    assert not taken(scorers(LinearDiscriminantAnalysis(), few, y)[1], steps_from(20, [0]))


def test_weights_of_rows_and_steps_that_hold_unusable_features():
    X, y = table(70, 0)
    weight = np.random.default_rng(0).random(len(y))
    X[3, 9] = np.nan
    whole = as_table(X, y, metadata={"sample_weight": weight})
    scorer = CrossValidated(Ridge(), cv=3).bind(whole).scorers[0]
    steps = steps_from(70, [0, 1, 40])[np.r_[:5, 8:20]]
    steps = steps[steps.units != 9]
    told = scorer.score_steps(steps).folds
    assert_allclose(told, scorer.score(np.asarray(steps)).folds, rtol=1e-9)
    unusable = scorer.rule.judge_steps(0, steps_from(70, [0]), scorer.metric, scorer.truths[0])[1]
    assert unusable[steps_from(70, [0]).units == 9].all()
