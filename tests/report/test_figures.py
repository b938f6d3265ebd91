"""Figures by matplotlib and plotly, from the same charts."""

from __future__ import annotations

import sys

import pytest

from fewest._errors import InputError
from fewest._report import draw_matplotlib, draw_plotly
from fewest._report.figures import draw
from fewest._report.network_report import network_chart
from fewest.testing._results import toy_comparison, toy_result

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
