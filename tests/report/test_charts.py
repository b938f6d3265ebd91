"""From a summary to charts."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._report.charts import result_charts
from fewest._report.facts import facts
from fewest._report.summary import summarize
from fewest.search._curve import Curve
from fewest.testing._results import toy_result


def test_charts_in_reading_order():
    names = [chart.name for chart in result_charts(summarize(toy_result()))]
    assert names == [
        "worth", "by-generation", "sizes", "generations", "frequency", "stability", "time",
    ]  # fmt: skip


def test_weights_are_shown_from_the_largest_down():
    result = toy_result()
    assert summarize(result)["weights"] is None
    result.extra["weights"] = [0.5, 1.0, 0.0, 0.0, 0.25, 0.0]
    chart = next(c for c in result_charts(summarize(result)) if c.name == "weights")
    assert chart.y.categories == ["f1", "f0", "f4", "f2", "f3", "f5"]
    assert chart.marks[0].x == [1.0, 0.5, 0.25, 0.0, 0.0, 0.0]


def with_curve():
    result = toy_result()
    folds = np.array([[0.5, 0.6, 0.55], [0.8, 0.9, 0.85], [0.81, 0.9, 0.85]])
    curve = Curve(np.array([0, 2, 6]), folds, 0.02, folds[2], True, [[0, 1]] * 3)
    result.extra["curve"] = curve.to_dict()
    return result


def test_the_curve_comes_first_with_intervals_and_the_choice():
    chart = result_charts(summarize(with_curve()))[0]
    assert chart.name == "curve"
    band, line, _, rule, star = chart.marks
    assert line.x == [0, 2, 6]
    assert line.y == pytest.approx([0.55, 0.85, 0.8533], abs=1e-4)
    assert all(low < y < high for low, y, high in zip(band.y, line.y, band.high, strict=True))
    assert rule.y == pytest.approx([0.8533], abs=1e-4)
    assert star.x == [2]


def test_the_curve_has_the_numbers_of_the_honest_score():
    result = with_curve()
    result.honest.update(guessing=0.5, settings={"choice": 0.02})
    band, line, _, rule, _ = result_charts(summarize(result))[0].marks
    assert line.y == pytest.approx([0.5, 0.83, 0.8333], abs=1e-4)
    assert rule.y == pytest.approx([0.8333], abs=1e-4)
    (text,) = [fact.text for fact in facts(result) if fact.kind == "curve"]
    assert "0: 50.0 %, 2: 83.0 % (chosen), 6: 83.3 %." in text


def test_the_curve_is_the_main_figure_and_a_sentence():
    result = with_curve()
    assert result.plot().axes[0].get_title(loc="left") == "How many features are enough"
    texts = [fact.text for fact in facts(result) if fact.kind == "curve"]
    assert "0: 55.0 %, 2: 85.0 % (chosen), 6: 85.3 %." in texts[0]
    assert facts(result)[0].kind == "honest"
