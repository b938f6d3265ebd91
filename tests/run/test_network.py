"""The network of the best subsets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fewest._report.charts import result_charts
from fewest._report.summary import summarize
from fewest._run.archive import Archive
from fewest._run.conclude import learned_network
from fewest.measures._measure import Scores
from fewest.search._network_models import EBNA
from fewest.search._search_names import resolve_search
from fewest.search._spaces.subsets import Subsets
from fewest.testing._results import toy_result


def archive_of(space, wanted):
    """Every subset over the free units, worth one where ``wanted`` says so."""
    bits = np.array([[i >> j & 1 for j in range(space.n_units)] for i in range(2**space.n_units)])
    archive = Archive(space)
    archive.add(bits.astype(bool), Scores(np.array([float(wanted(row)) for row in bits])), 0)
    return archive


def test_units_that_come_together_are_joined():
    archive = archive_of(Subsets(5, min_features=0), lambda row: row[1] == row[3])
    found = learned_network(EBNA(population=32), archive, tuple("abcde"))["network"]
    assert sorted(map(sorted, found["arcs"])) == [[1, 3]]
    assert (found["names"], found["rows"]) == (list("abcde"), 16)


def test_nodes_are_the_free_units():
    space = Subsets(5, include=(0,), groups=((1, 2),), min_features=0)
    archive = archive_of(space, lambda row: row[0] == row[2])
    found = learned_network(EBNA(population=8), archive, tuple("abcde"))["network"]
    assert found["names"] == ["b + c", "d", "e"]
    assert sorted(map(sorted, found["arcs"])) == [[0, 2]]


def test_other_searches_have_none():
    archive = archive_of(Subsets(3, min_features=0), lambda row: True)
    assert learned_network(resolve_search("sfs"), archive, tuple("abc")) == {}


def test_page_shows_it():
    result = toy_result()
    result = replace(
        result, extra={"network": {"names": result.names, "arcs": [[0, 1]], "rows": 500}}
    )
    chart = result_charts(summarize(result))[-1]
    assert chart.name == "network"
    assert chart.note.startswith("What ebna learns from the best 500 subsets. Arrows")
    result.extra["network"]["arcs"] = []
    assert result_charts(summarize(result))[-1].name != "network"
