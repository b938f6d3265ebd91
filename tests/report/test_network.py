"""A network as a chart in layers."""

from __future__ import annotations

from fewest._report.network_report import layered, network_chart


def test_network_has_parents_above_children():
    arcs = [(0, 1), (0, 2), (1, 3), (2, 3), (0, 3), (4, 3)]
    place = layered(range(5), arcs)
    assert all(place[a][1] < place[b][1] for a, b in arcs)
    assert len(set(place.values())) == 5


def test_network_untangles_crossed_pairs():
    place = layered(range(4), [(0, 3), (1, 2)])
    assert (place[0][0] < place[1][0]) == (place[3][0] < place[2][0])


def test_network_counts_nodes_without_arcs():
    chart = network_chart(["class", "a", "b"], [(0, 1)])
    assert chart.note.endswith("1 more have none.")
