"""Why an estimator refused a slice, in one sentence."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from fewest.data._as_table import as_table
from fewest.measures._wrappers.cross_validated import CrossValidated
from tests.measures.wrappers.estimator_cases import IRIS, TREE, refusal


def test_missing_values_are_refused_only_by_the_estimator():
    X, y = IRIS[0].copy(), IRIS[1]
    X[5, 1] = X[7, 3] = np.nan
    for estimator in (LogisticRegression(), GaussianNB()):
        said = refusal(estimator, X, y)
        assert said == (
            f"{type(estimator).__name__} must be given known values, but 'x1', 'x3' have missing "
            "ones (NaN); fill them in a Pipeline (SimpleImputer), exclude them, or use an "
            'estimator that takes NaN, such as measure="naive-bayes".'
        )
        scorer = CrossValidated(estimator, cv=3).bind(as_table(X, y))
        assert scorer.score(np.array([[1, 0, 1, 0]], bool)).value[0] > 0.9
    taken = CrossValidated(TREE, cv=3).bind(as_table(X, y))
    assert taken.score(np.ones((1, 4), bool)).value[0] > 0.8


def test_missing_values_in_test_rows_only():
    X, y = IRIS[0].copy(), IRIS[1]
    X[5, 1] = np.nan
    folds = [(np.arange(10, 150), np.arange(10))]
    assert "'x1' has missing ones" in refusal(LogisticRegression(), X, y, cv=folds)


@pytest.mark.parametrize("estimator", [LogisticRegression(), GaussianNB(), TREE, CategoricalNB()])
def test_labels_in_an_estimator_of_numbers(estimator):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": range(12), "colour": ["r", "g", "b"] * 4})
    said = refusal(estimator, frame, [0, 1] * 6)
    assert said.startswith(
        f"{type(estimator).__name__} must be given numbers, but 'colour' holds labels; encode"
    )


def test_boosters_are_told_how_to_take_labels():
    pandas, lightgbm = pytest.importorskip("pandas"), pytest.importorskip("lightgbm")
    frame = pandas.DataFrame({"a": range(12), "colour": ["r", "g", "b"] * 4})
    model, y = lightgbm.LGBMClassifier(n_estimators=2, n_jobs=1), [0, 1] * 6
    assert "make them categories (X.astype({'colour': 'category'}))" in refusal(model, frame, y)
    scorer = CrossValidated(model, cv=3).bind(as_table(frame.astype({"colour": "category"}), y))
    assert np.isfinite(scorer.score(np.ones((1, 2), bool)).value[0])


def test_any_other_failure_is_told_with_the_estimators_own_words():
    said = refusal(LogisticRegression(C=-1), *IRIS)
    assert said.startswith("LogisticRegression could not be trained on 'x0', 'x1', 'x2', 'x3'; it")
    assert "'C' parameter of LogisticRegression must be" in said
