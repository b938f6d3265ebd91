"""From a summary to charts."""

from __future__ import annotations

from fewest.report.charts import result_charts
from fewest.report.summary import summarize
from fewest.testing.results import toy_result


def test_charts_in_reading_order():
    names = [chart.name for chart in result_charts(summarize(toy_result()))]
    assert names == [
        "worth", "by-generation", "sizes", "stability", "generations", "frequency", "time",
    ]  # fmt: skip
