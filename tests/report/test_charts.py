"""From a summary to charts."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._report import draw_matplotlib, draw_plotly
from fewest._report.chart import thin
from fewest._report.charts import result_charts
from fewest._report.facts import facts
from fewest._report.figures import draw
from fewest._report.network_report import network_chart
from fewest._report.summary import summarize
from fewest.search._curve import Curve
from fewest.testing._results import toy_comparison, toy_result


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


def test_thin_keeps_ends():
    assert thin(1000, 10)[0] == 0
    assert thin(1000, 10)[-1] == 999
    assert len(thin(1000, 10)) == 10


pytest.importorskip("matplotlib")
pytest.importorskip("plotly")


def test_static_and_interactive_show_the_same_numbers():
    result = toy_result()
    static = draw(result, "score-by-generation").axes[0].lines[1].get_ydata().tolist()
    interactive = list(draw(result, "score-by-generation", interactive=True).data[2].y)
    assert static == interactive == [e["best_so_far"] for e in result.history]


def test_comparison_marks_what_is_significant():
    compared = toy_comparison(["ebna"])
    labels = [t.get_text() for t in draw(compared, "comparison").axes[0].get_yticklabels()]
    assert labels == ["ebna +", "all features"]


def test_validation_alone_is_enough():
    validation = toy_comparison(["ebna"]).validations["ebna"]
    assert draw(validation, "stability").axes
    assert draw(validation, "selection-against-honest").axes


def test_figure_without_numbers_says_why():
    with pytest.raises(
        InputError, match="the result has no validation; see result.with_validation"
    ):
        draw(toy_result(honest=False), "stability")


@pytest.mark.parametrize(
    ("interactive", "module", "extra"),
    [(False, "matplotlib.figure", "plot"), (True, "plotly.graph_objects", "report")],
)
def test_missing_extra_is_named(monkeypatch, interactive, module, extra):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(InputError, match=rf"pip install 'fewest\[{extra}\]'"):
        draw(toy_result(), "time-spent", interactive=interactive)


def test_network_draws_both_ways():
    chart = network_chart(["class", "a", "b", "c"], [(0, 1), (0, 2), (0, 3), (1, 2)])
    assert len(draw_matplotlib.draw(chart).axes[0].texts) == 8
    assert len(draw_plotly.draw(chart).layout.annotations) == 8


def test_the_main_figure():
    result, bare = toy_result(), toy_result(honest=False)
    expect = "What to expect on new data"
    assert draw(result, "main").axes[0].get_title(loc="left") == expect
    assert draw(bare, "main").axes[0].get_xlabel() == "number of features"
    validation = toy_comparison(["ebna"]).validations["ebna"]
    axes = draw(validation, "main").axes[0]
    assert axes.get_title(loc="left") == expect
    means = [float(c.get_offsets()[0][0]) for c in axes.collections if len(c.get_offsets()) == 1]
    for mean in (validation.selection_score, validation.score, validation.baseline):
        assert any(mean == pytest.approx(shown) for shown in means)
