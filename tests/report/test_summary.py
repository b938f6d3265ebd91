"""The numbers behind the figures."""

from __future__ import annotations

from dataclasses import replace

import pytest

import fewest
from fewest._report.charts import result_charts
from fewest._report.summary import summarize
from fewest.testing._results import toy_result


def test_generations_are_the_history():
    result = toy_result()
    part = summarize(result)["generations"]
    assert part["best_so_far"] == [e["best_so_far"] for e in result.history]
    assert part["high"][0] - part["low"][0] == pytest.approx(2 * result.history[0]["std"])


def test_frequency_puts_chosen_features_first():
    result = toy_result([f"x{j}" for j in range(60)])
    part = summarize(result)["frequency"]
    assert set(part["features"][: result.n_features]) == set(result.features)
    assert (len(part["features"]), part["left_out"]) == (40, 20)
    j = result.names.index(part["features"][5])
    assert part["frequency"][5] == [round(e["frequency"][j], 3) for e in result.history]


def test_sizes_keep_the_best_of_every_size_when_thinned():
    result = toy_result([f"x{j}" for j in range(30)], generations=20, candidates=200)
    result = replace(
        result,
        archive=[
            {"features": [0], "value": v / 5000, "size": v % 40, "cost": 1.0, "generation": 0}
            for v in range(5000)
        ],
    )
    points = summarize(result)["sizes"]["points"]
    assert len(points["size"]) <= 1200
    for size in range(40):
        best = max(e["value"] for e in result.archive if e["size"] == size)
        assert best in [
            v for s, v in zip(points["size"], points["value"], strict=True) if s == size
        ]


def test_time_adds_up():
    result = toy_result()
    part = summarize(result)["time"]
    assert sum(part["phases"].values()) == pytest.approx(part["total"]) == result.seconds


def test_phases_of_a_run_add_up_and_small_ones_are_shown_together():
    data = fewest.load("iris")
    selector = fewest.SubsetSelector("naive-bayes", random_state=0).fit(data.X, data.y)
    result = selector.result_
    known = result.extra["phase_seconds"]
    assert set(known) - {"compiling"} == {
        "reading", "models", "folds", "search", "honest", "audit", "checking", "evidence",
        "training",
    }  # fmt: skip
    assert sum(known.values()) >= result.seconds
    part = summarize(result)["time"]
    assert part["total"] == pytest.approx(sum(known.values()))
    assert sum(part["phases"].values()) == pytest.approx(part["total"])
    known |= {"reading": 0.001, "folds": 0.001, "search": 90.0, "honest": 9.0}
    part = summarize(result)["time"]
    assert not {"reading", "folds"} & set(part["phases"])
    assert {"search", "honest", "other"} <= set(part["phases"])


def test_parts_that_lack_are_none():
    summary = summarize(toy_result(honest=False, folds=False))
    assert summary["worth"] is None
    assert summary["stability"] is None
    assert summary["by_generation"] is None
    names = [chart.name for chart in result_charts(summary)]
    assert names == ["sizes", "generations", "frequency", "time"]


def test_table_of_subsets_is_cut_where_the_page_would_grow_too_heavy(monkeypatch):
    result = toy_result()
    monkeypatch.setattr("fewest._report.summary.MOST_MENTIONS", 38)
    part = summarize(result)["subsets"]
    assert part["features"] == [e["features"] for e in result.archive[:3]]
    assert part["scored"] == result.evaluations
