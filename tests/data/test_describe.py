"""The summary of a data set."""

from __future__ import annotations

import numpy as np

from fewest.data import load
from fewest.data._columns import Column, Columns
from fewest.data._dataset import describe, make_dataset


def test_counts_kinds_and_ranges():
    columns = (
        Column(numbers=np.array([1.0, np.nan, -3.0])),
        Column(labels=["b", "a", None]),
        Column(labels=["no", "yes", "no"]),
    )
    summary = describe(make_dataset(Columns(("n", "l", "y"), columns, 3, True), "y", "few"))
    assert (summary["rows"], summary["features"], summary["unknown"]) == (3, 2, 2)
    assert (summary["continuous"], summary["nominal"]) == (1, 1)
    assert summary["classes"] == {"no": 2, "yes": 1}
    number, label = summary["columns"]
    assert number == {
        "name": "n", "unknown": 1, "kind": "continuous", "low_mean_high": [-3.0, -1.0, 1.0],
    }  # fmt: skip
    assert label["levels"] == ["a", "b"]


def test_a_numeric_target_has_no_classes():
    assert describe(load("diabetes"))["classes"] is None


def test_generated_sets_tell_what_is_relevant():
    assert describe(load("corral"))["relevant"] == ["A0", "A1", "B0", "B1"]
