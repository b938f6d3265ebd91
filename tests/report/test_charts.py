"""From a summary to charts."""

from __future__ import annotations

from fewest._report.charts import result_charts
from fewest._report.summary import summarize
from fewest.testing._results import toy_result


def test_charts_in_reading_order():
    names = [chart.name for chart in result_charts(summarize(toy_result()))]
    assert names == [
        "worth", "by-generation", "sizes", "stability", "generations", "frequency", "time",
    ]  # fmt: skip


def test_weights_are_shown_from_the_largest_down():
    result = toy_result()
    assert summarize(result)["weights"] is None
    result.extra["weights"] = [0.5, 1.0, 0.0, 0.0, 0.25, 0.0]
    chart = next(c for c in result_charts(summarize(result)) if c.name == "weights")
    assert chart.y.categories == ["f1", "f0", "f4", "f2", "f3", "f5"]
    assert chart.marks[0].x == [1.0, 0.5, 0.25, 0.0, 0.0, 0.0]
