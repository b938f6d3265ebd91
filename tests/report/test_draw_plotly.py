"""Every chart drawn by plotly."""

from __future__ import annotations

import json

import pytest

from fewest._report.charts import result_charts
from fewest._report.draw_plotly import draw
from fewest._report.network_report import network_chart
from fewest._report.summary import summarize
from fewest.testing._results import toy_result

pytest.importorskip("plotly")
NAMES = ["a$b$", "<b>bold</b>", "c_1", "d^2", "e\\f", "g"]
CHARTS = [*result_charts(summarize(toy_result(NAMES))), network_chart(NAMES, [(0, 1), (1, 2)])]


@pytest.mark.parametrize("chart", CHARTS, ids=lambda c: c.name)
def test_names_are_no_markup(chart):
    drawn = draw(chart).to_json()
    assert json.loads(drawn)["layout"]["title"]["text"]
    assert "<b>bold" not in drawn
