"""LinearRegression, Ridge and RidgeClassifier give what cross_val_score gives."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LinearRegression, Ridge, RidgeClassifier
from sklearn.model_selection import KFold, ShuffleSplit, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fewest.data.build import as_table
from fewest.measures.wrappers.cross_validated import CrossValidated
from tests.measures.wrappers.test_responses import check, masks_of

SCORINGS = [
    None, "r2", "neg_mean_squared_error", "neg_root_mean_squared_error", "neg_mean_absolute_error",
]  # fmt: skip
REGRESSORS = [
    LinearRegression(),
    Ridge(),
    Ridge(alpha=1e-3, solver="svd"),
    make_pipeline(StandardScaler(), LinearRegression()),
    make_pipeline(StandardScaler(), Ridge(alpha=3.0)),
]
CLASSIFIERS = [
    RidgeClassifier(),
    RidgeClassifier(alpha=0.01),
    make_pipeline(StandardScaler(), RidgeClassifier()),
]


def difficult(seed=0, n=90):
    """Columns of many scales, one constant, one twice, sums of others, exactly and nearly."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 10)) * 10.0 ** np.array([-3, 3, 0, 0, 1, 0, 0, 2, 0, 0])
    X[:, 2] = 0.1
    X[:, 4] = X[:, 3]
    X[:, 6] = X[:, 3] - 2.0 * X[:, 5]
    X[:, 8] = np.round(X[:, 9] + X[:, 5], 7)
    return X, X[:, 0] * 500.0 + X[:, 3] - X[:, 9] + rng.normal(size=n)


@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("estimator", REGRESSORS)
def test_diabetes(estimator, scoring):
    X, y = load_diabetes(return_X_y=True)
    scorer = check(estimator, X, y, masks_of(10, m=4), scoring, cv=4, rtol=1e-9)
    assert scorer.scorers[0].doubted(masks_of(10, m=50)) == 0.0


@pytest.mark.parametrize("scoring", ["r2", "neg_mean_absolute_error"])
@pytest.mark.parametrize("estimator", REGRESSORS)
def test_collinear_and_constant_columns(estimator, scoring):
    X, y = difficult()
    masks = np.vstack([masks_of(10, m=12, seed=3), np.eye(10, dtype=bool)])
    check(estimator, X, y, masks, scoring, cv=KFold(3, shuffle=True, random_state=0), rtol=1e-7)


@pytest.mark.parametrize("estimator", [LinearRegression(), Ridge()])
def test_columns_nearly_dependent_in_a_real_table(dataset, estimator):
    """In image-segmentation means of colours and their sums are rounded to six digits."""
    data = dataset("image-segmentation")
    table = as_table(data.X, data.y)
    X = np.ascontiguousarray(table.values)
    y = table.target + np.random.default_rng(0).normal(size=len(X))
    masks = np.vstack([masks_of(X.shape[1], m=5, seed=2), np.ones((1, X.shape[1]), dtype=bool)])
    scorer = check(estimator, X, y, masks, None, cv=3, rtol=1e-7)
    assert scorer.scorers[0].doubted(masks) < 0.2


def test_more_columns_than_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(24, 30)), rng.normal(size=24)
    masks = np.vstack([np.ones((1, 30), dtype=bool), masks_of(30, m=4)])
    for estimator in (LinearRegression(), Ridge(), make_pipeline(StandardScaler(), Ridge())):
        check(estimator, X, y, masks, None, cv=3, rtol=1e-7)


def test_columns_constant_in_training_only():
    X, y = difficult(1, n=30)
    X[:, 2] = np.arange(30) < 10
    for estimator in REGRESSORS:
        check(estimator, X, y, masks_of(10, m=6, seed=1), None, cv=KFold(3), rtol=1e-7)


def test_folds_that_take_a_part_of_the_rows():
    X, y = load_diabetes(return_X_y=True)
    cv = ShuffleSplit(3, train_size=0.3, test_size=0.2, random_state=0)
    check(LinearRegression(), X, y, masks_of(10, m=3), None, cv=cv, rtol=1e-9)


@pytest.mark.parametrize("estimator", [LinearRegression(), Ridge(), RidgeClassifier()])
def test_weights(estimator):
    X, y = load_diabetes(return_X_y=True)
    y = (y > 140).astype(int) if isinstance(estimator, RidgeClassifier) else y
    weight = np.random.default_rng(0).random(len(y))
    folds = list(KFold(4).split(X))
    table = as_table(X, y, metadata={"sample_weight": weight})
    scorer = CrossValidated(estimator, cv=folds).bind(table)
    assert scorer.fast
    masks = masks_of(10, m=4)
    for mask, got in zip(masks, scorer.score(masks).folds, strict=True):
        expected = cross_val_score(
            estimator, X[:, mask], y, cv=folds, params={"sample_weight": weight}
        )
        assert_allclose(got, expected, rtol=1e-9)


@pytest.mark.parametrize("scoring", [None, "roc_auc", "f1_macro", "average_precision"])
@pytest.mark.parametrize("estimator", CLASSIFIERS)
def test_two_classes(dataset, estimator, scoring):
    table = as_table(dataset("ionosphere").X, dataset("ionosphere").y)
    X = np.ascontiguousarray(table.values)
    check(estimator, X, table.target, masks_of(X.shape[1], m=4), scoring, cv=3)


@pytest.mark.parametrize("estimator", CLASSIFIERS)
def test_several_classes(dataset, estimator):
    data = dataset("image-segmentation")
    X = np.ascontiguousarray(as_table(data.X, data.y).values)
    check(estimator, X, np.asarray(data.y), masks_of(X.shape[1], m=3), None, cv=3)
    X, y = load_iris(return_X_y=True)
    for scoring in (None, "matthews_corrcoef", "f1_weighted"):
        check(estimator, X, y, masks_of(4), scoring, cv=5)


def test_what_it_cannot_promise_goes_to_the_estimator():
    X, y = load_diabetes(return_X_y=True)
    masks = masks_of(10, m=1)
    for estimator in (
        LinearRegression(positive=True),
        LinearRegression(fit_intercept=False),
        Ridge(solver="saga", max_iter=5, random_state=0),
        make_pipeline(StandardScaler(with_mean=False), Ridge()),
    ):
        check(estimator, X, y, masks, None, fast=False)
    check(RidgeClassifier(class_weight="balanced"), X, y > 100, masks, None, fast=False)


def test_scores_do_not_depend_on_the_batch_and_scorers_pickle():
    X, y = difficult()
    scorer = CrossValidated(LinearRegression(), cv=3).bind(as_table(X, y))
    masks = masks_of(10, m=20)
    whole = scorer.score(masks).folds
    assert_array_equal(np.concatenate([scorer.score(m[None]).folds for m in masks]), whole)
    assert_array_equal(pickle.loads(pickle.dumps(scorer)).score(masks).folds, whole)
