"""Discriminant analysis gives what cross_val_score gives."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fewest.data.build import as_table
from tests.measures.wrappers.rules.test_linear import difficult
from tests.measures.wrappers.test_responses import check, masks_of

LINEAR = [
    LinearDiscriminantAnalysis(),
    LinearDiscriminantAnalysis(solver="lsqr"),
    make_pipeline(StandardScaler(), LinearDiscriminantAnalysis()),
]
QUADRATIC = [
    QuadraticDiscriminantAnalysis(reg_param=0.1),
    make_pipeline(StandardScaler(), QuadraticDiscriminantAnalysis(reg_param=0.01)),
]


@pytest.mark.parametrize("scoring", [None, "roc_auc", "neg_log_loss", "neg_brier_score"])
@pytest.mark.parametrize("estimator", LINEAR + QUADRATIC)
def test_two_classes(estimator, scoring):
    X, y = load_breast_cancer(return_X_y=True)
    check(estimator, X, y, masks_of(30, m=3), scoring, cv=3, rtol=1e-7)


@pytest.mark.parametrize("estimator", LINEAR)
def test_constant_columns_of_a_real_table(dataset, estimator):
    table = as_table(dataset("ionosphere").X, dataset("ionosphere").y)
    X = np.ascontiguousarray(table.values)
    masks = masks_of(X.shape[1], m=4)
    masks[:, 1] = True
    check(estimator, X, table.target, masks, None, cv=3)


@pytest.mark.parametrize("estimator", LINEAR)
def test_columns_nearly_dependent_in_a_real_table(dataset, estimator):
    data = dataset("image-segmentation")
    X = np.ascontiguousarray(as_table(data.X, data.y).values)
    masks = np.vstack([masks_of(X.shape[1], m=3, seed=2), np.ones((1, X.shape[1]), dtype=bool)])
    check(estimator, X, np.asarray(data.y), masks, None, cv=3)


@pytest.mark.parametrize("estimator", LINEAR)
@pytest.mark.parametrize("classes", [2, 4])
def test_collinear_and_constant_columns(estimator, classes):
    X, score = difficult()
    y = np.digitize(score, np.quantile(score, np.linspace(0, 1, classes + 1)[1:-1]))
    X[:, 7] = y == 1  # constant within every class
    masks = np.vstack([masks_of(10, m=10, seed=4), np.eye(10, dtype=bool)[[0, 3, 5]]])
    check(estimator, X, y, masks, None, cv=3)
    check(estimator, X, y, masks[:4], "neg_log_loss", cv=3, rtol=1e-5)


@pytest.mark.parametrize("estimator", LINEAR + QUADRATIC)
@pytest.mark.parametrize("scoring", [None, "f1_macro", "roc_auc_ovr", "neg_log_loss"])
def test_several_classes(estimator, scoring):
    X, y = load_iris(return_X_y=True)
    check(estimator, X, y, masks_of(4), scoring, cv=5, rtol=1e-8)


def test_a_class_that_training_lacks():
    X, y = load_iris(return_X_y=True)
    order = np.argsort(y, kind="stable")
    for estimator in (LINEAR[0], QUADRATIC[0]):
        check(estimator, X[order], y[order], masks_of(4, m=3), "f1_macro", cv=KFold(4))


def test_what_it_cannot_promise_goes_to_the_estimator():
    X, y = load_iris(return_X_y=True)
    for estimator in (
        LinearDiscriminantAnalysis(solver="eigen"),
        LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1),
        LinearDiscriminantAnalysis(priors=[0.2, 0.3, 0.5]),
        QuadraticDiscriminantAnalysis(priors=[0.2, 0.3, 0.5]),
    ):
        check(estimator, X, y, masks_of(4, m=2), None, fast=False)
