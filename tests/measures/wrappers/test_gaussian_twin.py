"""The twin of GaussianNB gives the fold scores of cross_val_score."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import (
    KFold,
    LeaveOneOut,
    ShuffleSplit,
)
from sklearn.naive_bayes import GaussianNB

from fewest.classifiers.bayes.naive_bayes import NaiveBayes
from tests.measures.wrappers.cases import check_twin, numbers, some_masks


@pytest.mark.parametrize("classes", [2, 3, 6])
@pytest.mark.parametrize(
    "estimator",
    [
        GaussianNB(),
        GaussianNB(var_smoothing=1e-2),
        GaussianNB(var_smoothing=0.0),
    ],
)
def test_gaussian(estimator, classes):
    X, y = numbers(classes, classes=classes)
    check_twin(estimator, X, y, some_masks(6, seed=classes), cv=3)


def test_gaussian_layouts_and_types():
    pandas = pytest.importorskip("pandas")
    X, y = numbers(1)
    whole = np.round(X).astype(np.int64)
    masks = some_masks(6, m=6)
    check_twin(GaussianNB(), np.asfortranarray(X), y, masks)
    check_twin(GaussianNB(), whole, np.array(["c", "a", "b"])[y], masks)
    check_twin(GaussianNB(), pandas.DataFrame(X, columns=list("abcdef")), y, masks)
    mixed = pandas.DataFrame({"a": whole[:, 0], "b": X[:, 1] > 0, "c": X[:, 2], "d": X[:, 5]})
    check_twin(GaussianNB(), mixed, y, some_masks(4, m=6))
    check_twin(GaussianNB(), X.astype(np.float32), y, masks, fast=False)


def test_gaussian_priors_and_splitters():
    X, y = numbers(2, classes=2)
    masks = some_masks(6, m=6)
    check_twin(GaussianNB(priors=[0.3, 0.7]), X, y, masks)
    for cv in (KFold(4), ShuffleSplit(3, random_state=0)):
        check_twin(GaussianNB(), X, y, masks[:4], cv=cv)
    check_twin(GaussianNB(), X[:40], y[:40], masks[:1], cv=LeaveOneOut())
    # A training part with one class only: GaussianNB is asked itself.
    order = np.argsort(y)
    check_twin(GaussianNB(), X[order], y[order], masks[:4], cv=KFold(2), fast=False)


def test_gaussian_ties_are_decided_as_scikit_learn_does():
    """Symmetric classes: every margin at zero is exactly zero, up to rounding."""
    rng = np.random.default_rng(0)
    half = rng.normal(size=(40, 4)).round(1)
    X = np.vstack([half, -half])
    X = np.vstack([X, np.zeros((20, 4))])
    y = np.array([0] * 40 + [1] * 40 + [0, 1] * 10)
    check_twin(GaussianNB(), X, y, some_masks(4, m=8))
    check_twin(NaiveBayes(), X, y, some_masks(4, m=8))


def test_gaussian_constant_columns():
    X, y = numbers(3)
    X[:, 0] = 0.1
    X[:, 1] = 7.0
    masks = np.array([[1, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0]], bool)
    check_twin(GaussianNB(), X, y, masks)
