"""The numbers of a validation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fewest._report.honest import worth
from fewest._report.summary import summarize
from fewest._validation.significance import Overlap, interval
from fewest._validation.validation import Validation
from fewest.testing._results import toy_result


def test_intervals_use_the_overlap_that_the_result_keeps():
    result = toy_result()
    result.honest["overlap"] = {"share": 0.25, "halves": False}
    rows = {row["what"]: row for row in worth(result)["rows"]}
    expected = Validation.from_dict(result.honest)
    assert expected.overlap == Overlap(0.25)
    assert (rows["honest"]["low"], rows["honest"]["high"]) == expected.interval


def test_the_selection_score_is_that_of_the_result():
    result = toy_result()
    assert worth(result)["rows"][0] == {"what": "selection score", "mean": result.score}
    result.honest["selection_metric"] = "roc_auc"
    assert [row["what"] for row in worth(result)["rows"]] == ["honest", "all features"]


def test_the_corrected_score_has_its_own_row():
    result = toy_result()
    result = replace(result, corrected={
        "replayed": "search", "score": 0.7, "scores": [0.6, 0.8] * 5, "optimism": 0.2,
        "share": 1 / 9,
    })  # fmt: skip
    row = worth(result)["rows"][1]
    assert (row["what"], row["mean"]) == ("replayed score", 0.7)
    assert (row["low"], row["high"]) == interval([0.6, 0.8] * 5, Overlap(1 / 9))


def test_by_generation_carries_the_last_value_of_short_folds():
    result = toy_result()
    fold = {"generation": 0, "internal": 0.6, "external": 0.5, "size": 2}
    longer = [fold, {**fold, "internal": 0.8, "external": 0.7}]
    result.honest["by_generation"] = [[fold], longer]
    part = summarize(result)["by_generation"]
    assert part["internal"] == pytest.approx([0.6, 0.7])
    assert part["external"] == pytest.approx([0.5, 0.6])
    assert part["going_on"] == [2, 1]


def test_stability_counts_folds():
    result = toy_result()
    part = summarize(result)["stability"]
    supports = np.array(result.honest["supports"])
    for name, share in zip(part["features"], part["share"], strict=True):
        assert share == supports[:, result.names.index(name)].mean()


def test_bars_do_not_leave_the_range_of_the_metric():
    result = toy_result()
    result.honest["scores"] = [1.0, 0.9] * (len(result.honest["scores"]) // 2)
    rows = {row["what"]: row for row in worth(result)["rows"]}
    assert rows["honest"]["high"] == 1.0
    assert rows["honest"]["low"] < 0.95
