"""Every chart drawn by matplotlib."""

from __future__ import annotations

import io

import pytest

from fewest._report.charts import result_charts
from fewest._report.draw_matplotlib import draw
from fewest._report.network_report import network_chart
from fewest._report.summary import summarize
from fewest.testing._results import toy_result

pytest.importorskip("matplotlib")
NAMES = ["a$b$", "<b>bold</b>", "c_1", "d^2", "e\\f", "g"]
CHARTS = [*result_charts(summarize(toy_result(NAMES))), network_chart(NAMES, [(0, 1), (1, 2)])]


@pytest.mark.parametrize("chart", CHARTS, ids=lambda c: c.name)
def test_every_chart_saves_whatever_the_names(chart):
    out = io.BytesIO()
    draw(chart).savefig(out, format="png")
    assert out.getvalue().startswith(b"\x89PNG")


def test_a_notebook_without_pyplot_shows_a_picture():
    assert draw(CHARTS[0])._repr_png_().startswith(b"\x89PNG")


def test_names_are_no_formulas():
    (chart,) = [c for c in CHARTS if c.name == "frequency"]
    labels = [t.get_text() for t in draw(chart).axes[0].get_yticklabels()]
    assert any("a\\$b\\$" in label for label in labels)
