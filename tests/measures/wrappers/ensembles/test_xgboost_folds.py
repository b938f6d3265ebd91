"""XGBoost on sliced columns gives what cross_val_score gives."""

from __future__ import annotations

import numpy as np
import pytest

from tests.measures.wrappers.ensembles.cases import flowers, is_twin, patients, same_folds, tumours

xgboost = pytest.importorskip("xgboost")
SMALL = {"n_estimators": 4, "n_jobs": 1}


@pytest.mark.parametrize("scoring", [None, "roc_auc", "f1_macro"])
def test_two_classes(scoring):
    same_folds(xgboost.XGBClassifier(**SMALL), *tumours(), scoring)


def test_three_classes():
    same_folds(xgboost.XGBClassifier(**SMALL, subsample=0.8), *flowers())


def test_numbers():
    same_folds(xgboost.XGBRegressor(**SMALL), *patients(), "neg_mean_squared_error")


def test_weights():
    X, y = tumours()
    weight = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    same_folds(xgboost.XGBClassifier(**SMALL), X, y, weight=weight)


def test_probabilities_of_single_precision_are_left_to_the_estimator():
    assert not is_twin(xgboost.XGBClassifier(**SMALL), *tumours(), "neg_log_loss")
