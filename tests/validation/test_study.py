"""The study of selection for final models: families, effects, and what may be said of them."""

import numpy as np
import pytest
from scipy.stats import t

study = pytest.importorskip("benchmarks.study")


def rows(gains, method="default", all_=0.7):
    return [
        {"table": table, "model": model, "method": method, "kept": 2, "features": 4,
         "score": all_ + gain / 100, "all": all_}
        for (table, model), gain in gains.items()
    ]  # fmt: skip


def test_tables_of_a_family_that_chose_do_not_judge_and_those_of_one_family_count_once(monkeypatch):
    given = rows({("heart-hungarian", "svc"): 5.0, ("wine", "svc"): 1.0, ("zoo", "svc"): 2.0})
    assert [r["table"] for r in study.judging(given)] == ["wine", "zoo"]
    monkeypatch.setitem(study.FAMILIES, "zoo", "wine")
    assert study.gains(study.judging(given), "default") == {("wine", "svc"): pytest.approx(1.5)}


def test_gains_over_another_method_are_those_on_the_tables_of_both():
    given = rows({("wine", "svc"): 1.0, ("zoo", "svc"): 2.0}) + rows({("zoo", "svc"): 0.5}, "L1")
    assert study.gains(given, "default", "L1") == {("zoo", "svc"): pytest.approx(1.5)}


def test_the_posterior_of_normal_effects_is_near_the_t_interval_over_tables():
    rng = np.random.default_rng(0)
    by_table = rng.normal(2.0, 1.5, 30)
    cells = {(f"t{i}", m): by_table[i] + rng.normal(0, 0.5) for i in range(30) for m in "abcd"}
    found = study.effect(cells)
    means = np.array([np.mean([cells[f"t{i}", m] for m in "abcd"]) for i in range(30)])
    half = t.ppf(0.975, 29) * means.std(ddof=1) / np.sqrt(30)
    assert found.mean == pytest.approx(means.mean(), abs=0.15)
    # The models have an effect of their own in the model, so the interval is somewhat wider.
    assert half < (found.high - found.low) / 2 < 2.0 * half
    assert found.worse + found.alike + found.better == pytest.approx(1.0)
    assert found == study.effect(cells)


def test_one_number_far_off_does_not_decide():
    rng = np.random.default_rng(1)
    cells = {(f"t{i}", m): 0.3 + rng.normal(0, 0.5) for i in range(20) for m in "abc"}
    cells["t0", "a"] = -60.0
    assert study.effect(cells).mean == pytest.approx(0.3, abs=0.25)
    assert np.mean(list(cells.values())) < -0.6


@pytest.mark.parametrize(
    ("worse", "alike", "better", "word"),
    [
        (0.0, 0.96, 0.04, "equivalent"),
        (0.0, 0.03, 0.97, "better"),
        (0.97, 0.03, 0.0, "worse"),
        (0.02, 0.80, 0.18, "not worse"),
        (0.20, 0.80, 0.0, "undecided"),
    ],
)
def test_verdicts_say_what_the_posterior_says(worse, alike, better, word):
    found = study.Effect(0.1, -1.0, 1.0, worse, alike, better, {})
    assert study.verdict(found) == word
    assert study.grouped({"x": found, "y": found}) == f"{word}: x (+0.1), y (+0.1)."


def test_p_values_are_corrected_for_the_number_of_methods():
    first = {(f"t{i}", "m"): 1.0 + i for i in range(6)}
    second = {(f"t{i}", "m"): (-1.0) ** i * (1.0 + i) for i in range(6)}
    found = study.p_values({"a": first, "b": second, "c": dict.fromkeys(first, 0.0)})
    assert found["a"] == pytest.approx(3 * 0.03125)
    assert found["b"] == 1.0
    assert found["c"] == 1.0
