"""The figures of a validation as plain data."""

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from fewest._validation.significance import Overlap, difference, interval
from fewest._validation.validation import Validation
from fewest.testing._results import toy_validation

NAMES, SUPPORT = [f"f{j}" for j in range(6)], np.arange(6) < 2


def test_plain_data_and_back():
    validation = toy_validation(NAMES, SUPPORT)
    again = Validation.from_dict(validation.to_dict())
    assert again.to_dict() == validation.to_dict()
    assert again.overlap == Overlap(1.0, halves=True)


def test_results_saved_before_the_overlap_was_kept_still_load():
    plain = toy_validation(NAMES, SUPPORT).to_dict()
    for key in ("overlap", "margin", "difference", "interval", "worthless", "selection_metric"):
        plain.pop(key)
    old = Validation.from_dict(plain)
    assert old.splits_overlap == Overlap(1.0, halves=True)
    assert old.margin == 0.01


def test_interval_and_difference_use_the_overlap_of_the_splits():
    v = toy_validation(NAMES, SUPPORT)
    v = replace(v, overlap=Overlap(0.25), margin=0.03)
    # One repetition of five folds, a quarter of which overlaps: 1/5 + 1/4 of the variance.
    least = np.sqrt((1 / 5 + 1 / 4) * v.scores.var(ddof=1))
    assert v.interval == pytest.approx(interval(v.scores, Overlap(0.25), least=least))
    assert v.difference == difference(v.scores, v.baseline_scores, Overlap(0.25), 0.03)


def test_scores_of_another_metric_have_no_optimism():
    v = toy_validation(NAMES, SUPPORT, illusion=True)
    assert v.misleading
    assert v.optimism == pytest.approx(0.9 - v.score)
    v = replace(v, selection_metric="roc_auc")
    assert v.optimism is None
    assert not v.misleading
    assert v.warning() is None


def test_no_better_than_guessing_is_a_field():
    v = toy_validation(NAMES, SUPPORT, illusion=True)
    v = replace(v, guessing=0.5)
    assert v.worthless
    assert v.to_dict()["worthless"] is True
    assert "no better than guessing" in v.warning()
    v = replace(v, guessing=0.2)
    assert not v.worthless


def test_the_older_name_of_the_score_warns():
    v = toy_validation(["a", "b"], np.array([True, False]))
    with pytest.warns(FutureWarning, match="`accuracy` is called `score` since version 0.3"):
        assert v.accuracy == v.score
    old = {name: value for name, value in v.to_dict().items() if name != "score"}
    assert Validation.from_dict(old).score == v.score


def test_validations_do_not_change():
    with pytest.raises(FrozenInstanceError):
        toy_validation(["a", "b"], np.array([True, False])).score = 1.0
