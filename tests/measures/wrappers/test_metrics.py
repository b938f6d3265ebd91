"""Metrics in batches equal those of scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import metrics
from sklearn.linear_model import LinearRegression
from sklearn.metrics import f1_score, fbeta_score, make_scorer
from sklearn.naive_bayes import GaussianNB

from fewest.measures._wrappers.metrics.find import (
    accuracy,
    averaged,
    balanced_accuracy,
    find_metric,
    matthews,
)
from fewest.measures._wrappers.metrics.metric import Truth, from_squares
from fewest.testing import number_table, toy_table


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


@pytest.mark.parametrize(
    ("scoring", "asks"),
    [
        (None, "labels"),
        ("balanced_accuracy", "labels"),
        ("f1_weighted", "labels"),
        ("neg_log_loss", "probabilities"),
        ("roc_auc_ovr", "chances"),
        (make_scorer(f1_score, average="micro"), "labels"),
    ],
)
def test_classes(scoring, asks):
    assert find_metric(scoring, GaussianNB(), toy_table()).asks == asks


@pytest.mark.parametrize("scoring", [None, "r2", "neg_root_mean_squared_error"])
def test_numbers(scoring):
    assert find_metric(scoring, LinearRegression(), number_table()).asks == "numbers"


@pytest.mark.parametrize(
    "scoring",
    [
        lambda model, X, y: 1.0,
        make_scorer(fbeta_score, beta=2, average="macro"),
        make_scorer(f1_score, average="macro", zero_division=1),
        make_scorer(lambda truth, said: 0.0),
    ],
)
def test_what_only_scikit_learn_computes(scoring):
    assert find_metric(scoring, GaussianNB(), toy_table()) is None


def _case(seed, classes):
    rng = np.random.default_rng(seed)
    true, said, weight = rng.integers(0, classes, 30), rng.integers(0, 2, 30), rng.random(30)
    return true, said, weight, metrics.confusion_matrix(
        true, said, sample_weight=weight, labels=np.arange(classes + 1)
    )[None]  # fmt: skip


@pytest.mark.parametrize("classes", [2, 4])
def test_plain(classes):
    true, said, weight, counts = _case(classes, classes)
    pairs = (
        (accuracy, metrics.accuracy_score),
        (balanced_accuracy, metrics.balanced_accuracy_score),
        (matthews, metrics.matthews_corrcoef),
    )
    for ours, theirs in pairs:
        assert_allclose(ours(counts)[0], theirs(true, said, sample_weight=weight))


@pytest.mark.parametrize("kind", ["f1", "precision", "recall", "jaccard"])
@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "binary"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_averages(kind, average):
    true, said, weight, counts = _case(7, 2 if average == "binary" else 4)
    theirs = getattr(metrics, f"{kind}_score")
    expected = theirs(true, said, average=average, sample_weight=weight)
    assert_allclose(averaged(kind, average, 1, counts)[0], expected)


def test_nothing_divided_by_nothing_is_zero():
    nothing = np.array([[[4.0, 0.0], [0.0, 0.0]]])
    assert matthews(nothing)[0] == 0.0
    assert averaged("f1", "binary", 1, nothing)[0] == 0.0
    assert averaged("f1", "macro", 0, nothing)[0] == 1.0
