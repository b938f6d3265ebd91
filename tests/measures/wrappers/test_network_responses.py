"""TAN and selective naive Bayes by any scoring: what cross_val_score gives."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from fewest.classifiers.bayes.tan import TAN, SelectiveNaiveBayes
from tests.measures.wrappers.test_responses import check, masks_of


@pytest.mark.parametrize("estimator", [TAN(), SelectiveNaiveBayes()])
@pytest.mark.parametrize("scoring", ["roc_auc", "neg_log_loss", "f1", "average_precision"])
def test_two_classes(estimator, scoring):
    X, y = load_breast_cancer(return_X_y=True)
    check(estimator, X[:, :8], y, masks_of(8, m=3), scoring, cv=3)


@pytest.mark.parametrize("estimator", [TAN(), SelectiveNaiveBayes()])
@pytest.mark.parametrize("scoring", ["roc_auc_ovr", "neg_log_loss", "f1_macro"])
def test_several_classes(estimator, scoring):
    X, y = load_iris(return_X_y=True)
    check(estimator, X, y, masks_of(4, m=4), scoring, cv=3)


def test_unknown_values_go_to_the_estimator():
    X, y = load_iris(return_X_y=True)
    X[3, 1] = np.nan
    check(TAN(), X, y, masks_of(4, m=2), "f1_macro", cv=3, fast=False)
