"""HistGradientBoosting on shared bins gives what cross_val_score gives."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from threadpoolctl import threadpool_limits

from fewest.measures.wrappers.ensembles.histograms import bins_of
from tests.measures.wrappers.ensembles.cases import flowers, is_twin, patients, same_folds, tumours

SMALL = {"max_iter": 4, "random_state": 0}


@pytest.mark.parametrize("scoring", [None, "roc_auc", "neg_log_loss"])
@pytest.mark.parametrize("more", [{}, {"early_stopping": True}, {"max_bins": 8}])
def test_two_classes(more, scoring):
    same_folds(HistGradientBoostingClassifier(**SMALL, **more), *tumours(), scoring, m=2)


def test_three_classes():
    same_folds(HistGradientBoostingClassifier(**SMALL), *flowers(), "neg_log_loss", m=2)


@pytest.mark.parametrize("more", [{}, {"early_stopping": True}])
def test_numbers(more):
    same_folds(HistGradientBoostingRegressor(**SMALL, **more), *patients(), m=2)


def test_weights():
    X, y = tumours()
    weight = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    same_folds(HistGradientBoostingClassifier(**SMALL), X, y, weight=weight, m=2)


def test_bins_are_those_of_single_columns():
    X, y = tumours()
    with threadpool_limits(1):
        whole = bins_of(HistGradientBoostingClassifier(**SMALL), X, y, None)
        for j in range(X.shape[1]):
            own = bins_of(HistGradientBoostingClassifier(**SMALL), X[:, [j]], y, None)
            assert_array_equal(own.train[0], whole.train[j])


@pytest.mark.parametrize(
    "more",
    [
        {"random_state": None, "early_stopping": True},
        {"monotonic_cst": [0] * 8},
        {"class_weight": "balanced"},
        {"scoring": "accuracy"},
    ],
)
def test_the_rest_is_left_to_the_estimator(more):
    assert not is_twin(HistGradientBoostingClassifier(**{**SMALL, **more}), *tumours())
