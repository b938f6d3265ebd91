"""The numbers behind the figures."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from fewest.report.answer import answer
from fewest.report.chart import thin
from fewest.report.charts import result_charts
from fewest.report.honest import interval
from fewest.report.settings import command_line, settings_rows
from fewest.report.summary import summarize
from fewest.testing.results import toy_result


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


def test_interval_of_5x2cv_by_hand():
    scores = [0.8, 0.9] * 5
    half = stats.t.ppf(0.975, 9) * np.sqrt((1 / 10 + 1) * np.var(scores, ddof=1))
    assert interval(scores, "5x2cv") == pytest.approx((0.85 - half, 0.85 + half))


def test_interval_of_ten_folds_by_hand():
    scores = [0.8, 0.9] * 5
    half = stats.t.ppf(0.975, 9) * np.sqrt((1 / 10 + 1 / 9) * np.var(scores, ddof=1))
    assert interval(scores, "1x10cv") == pytest.approx((0.85 - half, 0.85 + half))


def test_by_generation_carries_the_last_value_of_short_folds():
    result = toy_result()
    fold = {"generation": 0, "internal": 0.6, "external": 0.5, "size": 2}
    longer = [fold, {**fold, "internal": 0.8, "external": 0.7}]
    result.honest["by_generation"] = [[fold], longer]
    part = summarize(result)["by_generation"]
    assert part["internal"] == pytest.approx([0.6, 0.7])
    assert part["external"] == pytest.approx([0.5, 0.6])
    assert part["going_on"] == [2, 1]


def test_sizes_keep_the_best_of_every_size_when_thinned():
    result = toy_result([f"x{j}" for j in range(30)], generations=20, candidates=200)
    result.archive = [
        {"features": [0], "value": v / 5000, "size": v % 40, "cost": 1.0, "generation": 0}
        for v in range(5000)
    ]
    points = summarize(result)["sizes"]["points"]
    assert len(points["size"]) <= 1200
    for size in range(40):
        best = max(e["value"] for e in result.archive if e["size"] == size)
        assert best in [
            v for s, v in zip(points["size"], points["value"], strict=True) if s == size
        ]


def test_stability_counts_folds():
    result = toy_result()
    part = summarize(result)["stability"]
    supports = np.array(result.honest["supports"])
    for name, share in zip(part["features"], part["share"], strict=True):
        assert share == supports[:, result.names.index(name)].mean()


def test_time_adds_up():
    part = summarize(toy_result())["time"]
    assert part["search"] + part["scoring"] + part["other"] == pytest.approx(part["total"])


def test_thin_keeps_ends():
    assert thin(1000, 10)[0] == 0
    assert thin(1000, 10)[-1] == 999
    assert len(thin(1000, 10)) == 10


def test_parts_that_lack_are_none():
    summary = summarize(toy_result(honest=False, folds=False))
    assert summary["worth"] is None
    assert summary["stability"] is None
    assert summary["by_generation"] is None
    names = [chart.name for chart in result_charts(summary)]
    assert names == ["sizes", "generations", "frequency", "time"]


def test_charts_in_reading_order():
    names = [chart.name for chart in result_charts(summarize(toy_result()))]
    assert names == [
        "worth", "by-generation", "sizes", "stability", "generations", "frequency", "time",
    ]  # fmt: skip


def test_answer_warns_of_an_illusion():
    told = answer(toy_result(illusion=True))
    assert told["warnings"][0]["title"] == "Do not believe the selection score"
    assert "The search promised 90.0 %" in told["warnings"][0]["text"]


def test_answer_without_validation_says_so():
    told = answer(toy_result(honest=False))
    assert told["warnings"][0]["title"] == "No honest accuracy yet"
    assert told["figures"][1]["label"] == "selection score (optimistic)"


def test_answer_of_a_proven_optimum():
    told = answer(toy_result(honest=False, folds=False))
    assert told["warnings"] == []
    assert "It is proven that no subset is better." in told["sentences"]


def test_answer_of_a_bound_and_a_cut_run():
    result = toy_result(honest=False, folds=False)
    result.optimal, result.bound, result.gap, result.partial = False, 1.0, 1.0, True
    told = answer(result)
    assert "no answer is below 1; the answer is at most 1 above the best" in told["sentences"][0]
    assert told["warnings"][0]["title"] == "Partial result"


@pytest.mark.parametrize(
    ("p", "words"), [(0.01, "more than chance"), (0.4, "no more than chance can do")]
)
def test_answer_says_whether_it_is_chance(p, words):
    result = toy_result()
    result.honest["p_value"] = p
    assert f"{words} (" in answer(result)["sentences"][1]


def test_answer_of_a_regression_has_no_per_cent():
    result = toy_result()
    result.honest["metric"] = "R²"
    assert answer(result)["sentences"][0].startswith("On new data, expect R² = 0.8")


def test_command_line_names_only_what_matters():
    command = {"data": "d.csv", "seed": 3, "validate": True, "quiet": True, "json": "x.json"}
    assert command_line(command) == "fewest select d.csv --seed 3"
    assert command_line(None) == ""


def test_settings_tell_seed_and_validation():
    rows = dict(settings_rows(toy_result(seed=7)))
    assert rows["seed"] == "7"
    assert rows["validation"] == "5x2cv, accuracy, seed 7"


def test_table_of_subsets_is_cut_where_the_page_would_grow_too_heavy(monkeypatch):
    result = toy_result()
    monkeypatch.setattr("fewest.report.summary.MOST_MENTIONS", 38)
    part = summarize(result)["subsets"]
    assert part["features"] == [e["features"] for e in result.archive[:3]]
    assert part["scored"] == result.evaluations
