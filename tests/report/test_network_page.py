"""The page of a network."""

import pytest

from fewest import NetworkLearner
from fewest._report.network_report import network_charts, network_page
from fewest.networks._bif import sample_dataset


@pytest.fixture(scope="module")
def fitted():
    table = sample_dataset("asia", n_rows=2000).frame()
    learner = NetworkLearner().fit(table)
    return learner, learner.facts(table, bootstraps=5, random_state=0)


def test_the_page_shows_the_graph_the_arcs_and_every_table(fitted):
    pytest.importorskip("jinja2")
    learner, facts = fitted
    page = network_page(learner.network_, learner.result_, facts, "asia")
    assert "proven best" in page
    for name in learner.network_.names:
        assert name in page
    assert page.count("either given") + page.count("dysp given") >= 1
    charts = network_charts(learner.network_, facts)
    assert [chart.name for chart in charts] == ["network", "influence", "likelihood"]
    assert len(charts[1].marks[0].x) == len(learner.network_.arcs)
