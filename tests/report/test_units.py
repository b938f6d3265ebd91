"""Scores as people read them."""

from __future__ import annotations

import pytest

from fewest.report.units import unit
from fewest.validation.metrics import within_range


def test_shares_of_cases_are_in_per_cent():
    words = unit("accuracy")
    assert words.score(0.9412) == "94.1 %"
    assert words.span(0.913, 1.02) == "91.3 to 100.0 %"
    assert words.gap(-0.013) == "−1.3 points"
    assert words.gaps(-0.013, 0.02) == "−1.3 to +2.0"
    assert (words.amount(0.01), words.amount(0.025)) == ("1 point", "2.5 points")


def test_errors_lose_their_minus_sign_and_keep_their_direction():
    words = unit("neg_root_mean_squared_error")
    assert words.name == "root mean squared error"
    assert words.score(-61.25) == "61.25"
    assert words.span(-70.0, -50.0) == "50 to 70"
    # A better score is a smaller error.
    assert words.gap(2.0) == "−2"
    assert words.gaps(-1.0, 2.0) == "−2 to +1"


@pytest.mark.parametrize("value", [None, float("nan"), float("inf")])
def test_what_is_not_known_is_a_dash(value):
    assert unit("R²").score(value) == "–"


def test_other_scores_are_numbers():
    assert unit("roc_auc").name == "roc auc"
    assert unit(None).score(0.123456) == "0.1235"


@pytest.mark.parametrize(
    ("metric", "low", "high", "cut"),
    [
        ("accuracy", -0.1, 1.1, (0.0, 1.0)),
        ("roc_auc_ovr", 0.9, 1.01, (0.9, 1.0)),
        ("f1_macro", 0.2, 0.4, (0.2, 0.4)),
        ("matthews_corrcoef", -0.2, 1.1, (-0.2, 1.0)),
        ("neg_log_loss", -0.3, 0.1, (-0.3, 0.0)),
        ("own metric", -7.0, 7.0, (-7.0, 7.0)),
    ],
)
def test_intervals_end_where_the_metric_does(metric, low, high, cut):
    assert within_range(metric, low, high) == cut
