"""QuadraticDiscriminantAnalysis and NearestCentroid give what cross_val_score gives."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.model_selection import KFold
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fewest._errors import InputError
from fewest.data._as_table import as_table
from fewest.measures._wrappers.cross_validated import CrossValidated
from tests.measures.wrappers.test_responses import check, masks_of

CENTROIDS = [NearestCentroid(), make_pipeline(StandardScaler(), NearestCentroid())]
QUADRATIC = [
    QuadraticDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis(reg_param=0.1),
    make_pipeline(StandardScaler(), QuadraticDiscriminantAnalysis(reg_param=0.01)),
]


@pytest.mark.parametrize("scoring", [None, "roc_auc", "neg_log_loss", "neg_brier_score"])
@pytest.mark.parametrize("estimator", QUADRATIC[1:] + CENTROIDS)
def test_two_classes(estimator, scoring):
    X, y = load_breast_cancer(return_X_y=True)
    check(estimator, X, y, masks_of(30, m=3), scoring, cv=3, rtol=1e-7)


@pytest.mark.parametrize("scoring", [None, "f1_macro", "roc_auc_ovr", "neg_log_loss"])
@pytest.mark.parametrize("estimator", QUADRATIC + CENTROIDS)
def test_several_classes(estimator, scoring):
    X, y = load_iris(return_X_y=True)
    check(estimator, X, y, masks_of(4), scoring, cv=5, rtol=1e-8)


@pytest.mark.parametrize("name", ["ionosphere", "image-segmentation", "chess-kr-vs-kp"])
@pytest.mark.parametrize("estimator", CENTROIDS)
def test_centroids_of_real_tables(dataset, estimator, name):
    table = as_table(dataset(name).X, dataset(name).y)
    X = np.ascontiguousarray(table.values)
    check(estimator, X, table.target, masks_of(X.shape[1], m=3), None, cv=3)
    check(estimator, X, table.target, masks_of(X.shape[1], m=2), "balanced_accuracy", cv=3)


@pytest.mark.parametrize("estimator", [QUADRATIC[1], CENTROIDS[0]])
def test_a_class_that_training_lacks(estimator):
    X, y = load_iris(return_X_y=True)
    check(estimator, X, y, masks_of(4, m=3), "f1_macro", cv=KFold(4))


def test_classes_with_fewer_rows_than_columns_are_refused_as_scikit_learn_does():
    """It has no singular value for a column beyond the rows, however much is added to them."""
    X, y = load_breast_cancer(return_X_y=True)
    X, y = X[:40] / X.std(axis=0), np.r_[np.zeros(30), np.ones(10)].astype(int)
    scorer = CrossValidated(QUADRATIC[1], cv=2).bind(as_table(X, y)).scorers[0]
    masks = np.arange(30) < np.array([[3], [4], [12], [30]])
    assert_array_equal([scorer.doubted(mask[None]) for mask in masks], [0.0, 0.0, 1.0, 1.0])
    check(QUADRATIC[1], X, y, masks[:2], None, cv=2)
    with pytest.raises(InputError, match="class 1 has 5 samples and 12 features"):
        scorer.folds_of(masks[2], [0])


@pytest.mark.parametrize("ratio", [1e-9, 1e-12, 1e-14])
@pytest.mark.parametrize("estimator", [*QUADRATIC[1:], *CENTROIDS])
def test_spreads_that_are_little_next_to_the_mean(estimator, ratio):
    X, y = load_iris(return_X_y=True)
    X = np.column_stack([X, 1.0 + ratio * X])
    check(estimator, X, y, masks_of(8), None, cv=5)


def test_single_precision():
    X, y = load_iris(return_X_y=True)
    for estimator in QUADRATIC + CENTROIDS:
        check(estimator, X.astype(np.float32), y, masks_of(4), None, cv=5)


def test_what_it_cannot_promise_goes_to_the_estimator():
    X, y = load_iris(return_X_y=True)
    masks = masks_of(4, m=2)
    check(NearestCentroid(metric="manhattan"), X, y, masks, None, fast=False)
    check(NearestCentroid(shrink_threshold=0.2), X, y, masks, None, fast=False)
    check(QuadraticDiscriminantAnalysis(priors=[0.2, 0.3, 0.5]), X, y, masks, None, fast=False)


@pytest.mark.parametrize("estimator", [QUADRATIC[1], CENTROIDS[0]])
def test_scorers_pickle(estimator):
    X, y = load_iris(return_X_y=True)
    scorer = CrossValidated(estimator, cv=3).bind(as_table(X, y))
    masks = masks_of(4)
    found = scorer.score(masks).folds
    assert_array_equal(pickle.loads(pickle.dumps(scorer)).score(masks).folds, found)
