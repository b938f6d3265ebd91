"""Which scorers are computed in batches, and which are left to scikit-learn."""

from __future__ import annotations

import pytest
from sklearn.linear_model import LinearRegression
from sklearn.metrics import f1_score, fbeta_score, make_scorer
from sklearn.naive_bayes import GaussianNB

from fewest.measures._wrappers.metrics.find import find_metric
from fewest.testing import number_table, toy_table


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
