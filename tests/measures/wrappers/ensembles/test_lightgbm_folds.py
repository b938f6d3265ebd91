"""LightGBM on joined columns gives what cross_val_score gives."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from tests.measures.wrappers.ensembles.cases import flowers, is_twin, patients, same_folds, tumours

lightgbm = pytest.importorskip("lightgbm")
SMALL = {"n_estimators": 4, "verbose": -1, "n_jobs": 1}


@pytest.mark.parametrize("scoring", [None, "roc_auc", "neg_log_loss"])
@pytest.mark.parametrize("more", [{}, {"subsample": 0.7, "subsample_freq": 1}])
def test_two_classes(more, scoring):
    same_folds(lightgbm.LGBMClassifier(**SMALL, **more), *tumours(), scoring)


def test_three_classes():
    same_folds(lightgbm.LGBMClassifier(**SMALL), *flowers(), "roc_auc_ovr")


def test_columns_with_a_fraction_drawn():
    same_folds(lightgbm.LGBMClassifier(**SMALL, colsample_bytree=0.5), *tumours())


def test_numbers():
    same_folds(lightgbm.LGBMRegressor(**SMALL), *patients(), "neg_mean_absolute_error")


def test_weights_and_pickles():
    X, y = tumours()
    weight = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    scorer = same_folds(lightgbm.LGBMClassifier(**SMALL), X, y, weight=weight)
    masks = np.eye(X.shape[1], dtype=bool)[:2]
    assert_array_equal(
        pickle.loads(pickle.dumps(scorer)).score(masks).folds, scorer.score(masks).folds
    )


def test_class_weights_are_left_to_the_estimator():
    assert not is_twin(lightgbm.LGBMClassifier(**SMALL, class_weight="balanced"), *tumours())
