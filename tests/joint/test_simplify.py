import numpy as np
import pytest

from fewest.joint.simplify import arc_influences, simplified
from fewest.models.networks.family_scores import FamilyScores
from fewest.models.networks.graph import Graph
from fewest.models.networks.scores import Score


def test_the_influence_is_the_difference_of_two_whole_scores():
    rows = np.random.default_rng(0).integers(0, 2, (60, 3))
    graph = Graph(((), (0,), (0, 1)))
    cards = np.full(3, 2)
    found = arc_influences(graph, FamilyScores(rows, cards, score="k2"))
    score = Score("k2")
    whole = score.of(graph, rows, cards)
    without = score.of(Graph(((), (0,), (1,))), rows, cards)
    assert found[0, 2] == pytest.approx(whole - without)


def test_half_is_kept_and_the_next_recovered_while_they_matter():
    graph = Graph(((), (0,), (0, 1), (0, 1, 2)))
    values = dict(zip(graph.arcs, [12.0, 10, 8, 5, 4, 1], strict=True))
    # Kept: 12, 10, 8. Then 5 >= (10 + 8) / 4, 4 >= (8 + 5) / 4, but 1 < (5 + 4) / 4.
    assert len(simplified(graph, values).arcs) == 5
    values = dict(zip(graph.arcs, [12.0, 10, 8, 4, 4, 4], strict=True))
    assert len(simplified(graph, values).arcs) == 3


def test_no_arcs_stay_none():
    assert simplified(Graph.empty(3), {}).arcs == []
