"""The first screen of the page."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._report.first_screen import answer
from fewest.testing._results import toy_result


def with_gaps(mean, spread=0.01):
    """A result whose kept features score this much above all features, give or take."""
    result = toy_result()
    gaps = mean + spread * np.tile([1.0, -1.0], 5)
    result.honest["scores"] = (0.8 + gaps).tolist()
    result.honest["baseline_scores"] = [0.8] * 10
    result.honest["score"], result.honest["baseline"] = 0.8 + mean, 0.8
    result.honest["overlap"] = {"share": 1 / 9, "halves": False}
    return result


@pytest.mark.parametrize(
    ("mean", "ending"),
    [
        (0.03, "and the model gets better"),
        (0.002, "and the model loses less than 1 point"),
        (-0.006, "but whether the model gets better or worse is undecided"),
    ],
)
def test_the_headline_says_no_more_than_the_tests(mean, ending):
    assert answer(with_gaps(mean))["headline"] == f"2 of 6 features are kept, {ending}"


def test_guessing_is_told_from_fields_not_from_words():
    result = toy_result(illusion=True)
    assert "guessing" not in answer(result)["headline"]
    result.honest["guessing"] = 0.5
    told = answer(result)
    assert told["headline"].endswith("and they are no better than guessing")
    assert "no better than guessing" in told["warnings"][0]["text"]


def test_without_validation_the_page_says_so():
    told = answer(toy_result(honest=False))
    assert told["warnings"][0]["title"] == "Not validated"
    assert [f["label"] for f in told["figures"]] == [
        "features kept", "selection score (optimistic)",
    ]  # fmt: skip


def test_the_large_selection_score_is_that_of_the_result():
    result = toy_result()
    figures = {f["role"]: f["value"] for f in answer(result)["figures"]}
    assert figures["selection"] == f"{100 * result.score:.1f} %"


def test_a_filter_is_named_by_its_measure():
    told = answer(toy_result(honest=False, folds=False))
    assert told["figures"][-1]["label"] == "inconsistency"
    assert told["warnings"] == []


def test_a_loss_is_the_headline():
    assert answer(with_gaps(-0.03))["headline"] == (
        "Keep all 6 features: with 2 of them the model gets worse"
    )
