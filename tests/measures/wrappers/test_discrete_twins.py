"""The twins of CategoricalNB and BernoulliNB give the fold scores of cross_val_score."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import (
    StratifiedKFold,
)
from sklearn.naive_bayes import BernoulliNB, CategoricalNB

from tests.measures.wrappers.cases import check_twin, levels, some_masks


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize(
    "estimator",
    [
        CategoricalNB(),
        CategoricalNB(alpha=0.3),
        CategoricalNB(min_categories=9, alpha=0.1),
        CategoricalNB(fit_prior=False),
        BernoulliNB(),
        BernoulliNB(alpha=0.2, binarize=1.5),
        BernoulliNB(fit_prior=False),
    ],
)
def test_discrete(estimator, classes):
    X, y = levels(classes, classes=classes)
    check_twin(estimator, X, y, some_masks(6, seed=classes), cv=3)


def test_discrete_types_and_parameters():
    X, y = levels(0, classes=2)
    masks = some_masks(6, m=4)
    check_twin(CategoricalNB(class_prior=[0.2, 0.8]), X + 0.5, y, masks)
    check_twin(BernoulliNB(class_prior=[0.2, 0.8]), X > 1, y, masks)
    check_twin(BernoulliNB(binarize=None), (X > 1).astype(float), y, masks)
    check_twin(BernoulliNB(binarize=None), X, y, masks, fast=False)
    check_twin(CategoricalNB(alpha=1e-9), X, y, masks, fast=False)


def test_small_tables_are_full_of_ties():
    for seed in range(6):
        X, y = levels(seed, n=16, d=4, classes=2)
        folds = list(StratifiedKFold(2).split(X, y))
        for estimator in (CategoricalNB(min_categories=5), BernoulliNB()):
            check_twin(estimator, X, y, some_masks(4, m=8), cv=folds)


def test_a_category_new_to_a_fold_has_no_score():
    X, y = levels(0)
    X[7, 3] = 11
    scores = check_twin(CategoricalNB(), X, y, some_masks(6))
    assert np.isnan(scores.value).any()
    assert not np.isnan(scores.value).all()
    scores = check_twin(CategoricalNB(min_categories=12), X, y, some_masks(6))
    assert not np.isnan(scores.value).any()
