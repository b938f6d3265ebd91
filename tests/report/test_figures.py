"""Figures by matplotlib and plotly, from the same charts."""

from __future__ import annotations

import io
import json
import sys

import pytest

from fewest.errors import InputError
from fewest.report import figures
from fewest.report.network import layered, network
from fewest.testing.results import toy_comparison, toy_result

pytest.importorskip("matplotlib")
pytest.importorskip("plotly")

OF_RESULT = [
    figures.score_by_generation, figures.selection_against_honest, figures.worth,
    figures.feature_frequency, figures.score_against_size, figures.stability, figures.time_spent,
]  # fmt: skip
NAMES = ["a$b$", "<b>bold</b>", "c_1", "d^2", "e\\f", "g"]


@pytest.mark.parametrize("figure", OF_RESULT)
def test_static_figures_save(figure):
    out = io.BytesIO()
    figure(toy_result(NAMES)).savefig(out, format="png")
    assert out.getvalue().startswith(b"\x89PNG")


@pytest.mark.parametrize("figure", OF_RESULT)
def test_interactive_figures_hold_no_markup_of_names(figure):
    drawn = figure(toy_result(NAMES), interactive=True).to_json()
    assert json.loads(drawn)["layout"]["title"]["text"]
    assert "<b>bold" not in drawn


def test_static_and_interactive_show_the_same_numbers():
    result = toy_result()
    static = figures.score_by_generation(result).axes[0].lines[1].get_ydata().tolist()
    interactive = list(figures.score_by_generation(result, interactive=True).data[2].y)
    assert static == interactive == [e["best_so_far"] for e in result.history]


def test_comparison_marks_what_is_significant():
    compared = toy_comparison(["ebna", "sfs"])
    labels = [t.get_text() for t in figures.comparison(compared).axes[0].get_yticklabels()]
    assert labels == ["ebna +", "sfs", "all features"]


def test_validation_alone_is_enough():
    validation = toy_comparison(["ebna"]).validations["ebna"]
    assert figures.stability(validation).axes
    assert figures.selection_against_honest(validation).axes


def test_figure_without_numbers_says_why():
    with pytest.raises(InputError, match="the result has no validation; set result.honest"):
        figures.stability(toy_result(honest=False))


@pytest.mark.parametrize(
    ("interactive", "module", "extra"),
    [(False, "matplotlib.figure", "plot"), (True, "plotly.graph_objects", "report")],
)
def test_missing_extra_is_named(monkeypatch, interactive, module, extra):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(InputError, match=rf"pip install 'fewest\[{extra}\]'"):
        figures.time_spent(toy_result(), interactive=interactive)


def test_network_has_parents_above_children():
    arcs = [(0, 1), (0, 2), (1, 3), (2, 3), (0, 3), (4, 3)]
    place = layered(range(5), arcs)
    assert all(place[a][1] < place[b][1] for a, b in arcs)
    assert len(set(place.values())) == 5


def test_network_untangles_crossed_pairs():
    place = layered(range(4), [(0, 3), (1, 2)])
    assert (place[0][0] < place[1][0]) == (place[3][0] < place[2][0])


def test_network_counts_nodes_without_arcs():
    chart = network(["class", "a", "b"], [(0, 1)])
    assert chart.note.endswith("1 more have none.")


def test_network_draws_both_ways():
    names, arcs = ["class", "a", "b", "c"], [(0, 1), (0, 2), (0, 3), (1, 2)]
    assert len(figures.network(names, arcs).axes[0].texts) == len(names) + len(arcs)
    drawn = figures.network(names, arcs, interactive=True)
    assert len(drawn.layout.annotations) == len(names) + len(arcs)
