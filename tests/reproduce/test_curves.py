"""Curves of cells as a chart and as lines of a table."""

from papers.curves import by_generation, charts, curves


def test_a_chart_for_each_setting(curved):
    (chart,) = charts(curved)
    assert [(m.role, m.dashed, m.y) for m in chart.marks] == [
        ("selection", True, [80.0, 90.0]),
        ("honest", False, [74.0, 75.0]),
    ]
    # A twentieth of 90 - 74 is left free on either side.
    assert (chart.y.low, chart.y.high) == (73.2, 90.8)


def test_lines_by_generation(curved):
    assert curves(curved, "text") == {}
    figure, text = curved["tables"]
    assert by_generation(curved, text) == []
    assert by_generation(curved, figure) == [
        ["", "", "generation 0", "1"],
        ["100 rows", "internal", "80.0", "90.0"],
        ["100 rows", "external", "74.0", "75.0"],
    ]


def test_the_arcs_of_a_network_are_drawn():
    cells = [{"table": "fig. 5.2", "method": arc} for arc in ("a → b", "a → c", "b → c")]
    tables = [{"number": "fig. 5.2", "kind": "network"}]
    (chart,) = charts({"cells": cells, "tables": tables})
    assert chart.name == "fig-5.2-network"
    arrows, nodes = chart.marks
    assert (nodes.words, nodes.y) == (["a", "b", "c"], [0, 1, 2])
    assert len(arrows.to_x) == 3


def test_other_curves_have_their_own_axis(curved):
    figure = {**curved["tables"][0], "kind": "budget"}
    assert by_generation(curved, figure)[0] == ["", "", "subsets drawn or scored 1000", "2000"]
    (chart,) = charts({**curved, "tables": [figure]})
    assert [mark.x for mark in chart.marks] == [[1000, 2000]] * 2
    assert (chart.x.title, chart.y.title) == ("subsets drawn or scored", "features")
