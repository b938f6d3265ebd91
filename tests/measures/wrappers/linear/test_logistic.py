"""LogisticRegression: the steps of the estimator, repeated; other solvers within tolerance."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fewest.data.build import as_table
from fewest.measures.wrappers.cross_validated import CrossValidated
from tests.measures.wrappers.test_responses import check, masks_of

SCALED = make_pipeline(StandardScaler(), LogisticRegression())


@pytest.mark.parametrize("estimator", [LogisticRegression(), LogisticRegression(C=0.1), SCALED])
@pytest.mark.parametrize("scoring", [None, "f1_macro"])
def test_predicted_classes_are_equal(dataset, estimator, scoring):
    table = as_table(dataset("ionosphere").X, dataset("ionosphere").y)
    X = np.ascontiguousarray(table.values)
    masks = masks_of(X.shape[1], m=6)
    scorer = check(estimator, X, table.target, masks, scoring, cv=5)
    assert scorer.scorers[0].doubted(masks) < 0.1


def test_predicted_classes_after_a_scaler():
    X, y = load_breast_cancer(return_X_y=True)
    check(SCALED, X, y, masks_of(30, m=6), None, cv=5)
    check(LogisticRegression(), X, y, masks_of(30, m=2), None, cv=3)


@pytest.mark.parametrize("scoring", ["neg_log_loss", "roc_auc"])
def test_probabilities_and_ranks(scoring):
    X, y = load_breast_cancer(return_X_y=True)
    check(SCALED, X, y, masks_of(30, m=3), scoring, cv=3, rtol=1e-8)


@pytest.mark.parametrize("scoring", [None, "neg_log_loss", "roc_auc_ovr"])
@pytest.mark.parametrize("data", [load_iris, load_wine])
def test_several_classes(data, scoring):
    X, y = data(return_X_y=True)
    scorer = check(SCALED, X, y, masks_of(X.shape[1], m=4), scoring, cv=3, rtol=1e-8)
    assert scorer.scorers[0].doubted(masks_of(X.shape[1], m=4)) == 0.0


@pytest.mark.parametrize("scoring", [None, "neg_log_loss"])
def test_equal_rows_are_counted_once(dataset, scoring):
    """In chess every column has two or three values."""
    table = as_table(dataset("chess-kr-vs-kp").X, dataset("chess-kr-vs-kp").y)
    X, y = np.ascontiguousarray(table.values[::3]), table.target[::3]
    scorer = check(SCALED, X, y, masks_of(X.shape[1], m=3), scoring, cv=3, rtol=1e-8)
    groups = scorer.scorers[0].folds[0].groups
    group, first = groups.find(masks_of(X.shape[1], m=3)[0])
    assert len(first) < len(group) / 2


@pytest.mark.parametrize("solver", ["newton-cholesky", "newton-cg"])
def test_the_minimum_for_other_solvers(solver):
    X, y = load_breast_cancer(return_X_y=True)
    model = make_pipeline(StandardScaler(), LogisticRegression(solver=solver, tol=1e-8))
    masks = masks_of(30, m=3)
    check(model, X, y, masks, "neg_log_loss", cv=3, rtol=1e-5)
    check(model, X, y, masks[:1], None, cv=3, fast=False)


def test_weights_and_pickles():
    X, y = load_breast_cancer(return_X_y=True)
    X = StandardScaler().fit_transform(X)[:, :8]
    weight = np.random.default_rng(0).random(len(y)) + 0.1
    folds = list(StratifiedKFold(3).split(X, y))
    table = as_table(X, y, metadata={"sample_weight": weight})
    scorer = CrossValidated(LogisticRegression(), cv=folds).bind(table)
    assert scorer.fast
    masks = masks_of(8, m=4)
    found = scorer.score(masks).folds
    for mask, got in zip(masks, found, strict=True):
        expected = cross_val_score(
            LogisticRegression(), X[:, mask], y, cv=folds, params={"sample_weight": weight}
        )
        assert_allclose(got, expected, rtol=1e-12)
    assert_array_equal(pickle.loads(pickle.dumps(scorer)).score(masks).folds, found)


def test_what_it_cannot_promise_goes_to_the_estimator():
    X, y = load_breast_cancer(return_X_y=True)
    masks = masks_of(30, m=1)
    for model in (
        LogisticRegression(class_weight="balanced"),
        LogisticRegression(solver="liblinear"),
        LogisticRegression(fit_intercept=False),
    ):
        check(make_pipeline(StandardScaler(), model), X, y, masks, None, cv=2, fast=False)
