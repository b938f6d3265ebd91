"""Metrics in batches equal those of scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics

from fewest.measures._wrappers.metrics.metric import Truth, from_squares


def test_a_fold_is_complete_where_training_and_test_rows_show_all_classes():
    ones = np.ones(4)
    assert Truth(np.array([0, 1, 2, 0]), ones, np.arange(3), 3).complete
    assert not Truth(np.array([0, 1, 1, 0]), ones, np.arange(3), 3).complete
    assert not Truth(np.array([0, 1, 2, 0]), ones, np.arange(2), 3).complete


@pytest.mark.parametrize(
    ("kind", "function"),
    [
        ("r2", metrics.r2_score),
        ("squared", metrics.mean_squared_error),
        ("root", metrics.root_mean_squared_error),
    ],
)
def test_metrics_of_squared_errors(kind, function):
    rng = np.random.default_rng(0)
    target, weight = rng.normal(size=30), rng.random(30)
    said = target + rng.normal(size=(4, 30))
    squared = np.average((said - target) ** 2, axis=1, weights=weight)
    truth = Truth(target, weight, np.empty(0, dtype=np.int64), 0)
    expected = [function(target, row, sample_weight=weight) for row in said]
    np.testing.assert_allclose(from_squares(kind, squared, truth), expected, rtol=1e-12)
