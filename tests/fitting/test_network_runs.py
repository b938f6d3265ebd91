"""Rules of runs that look for a network."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._models.family_scores import FamilyScores
from fewest._run.stop_rules import Generations, NoImprovement, Seconds
from fewest.networks._runs import NetworkRun, find_graph, stop_rules


def test_auto_waits_for_generations_without_progress():
    assert stop_rules("auto", 5) == (NoImprovement(20), Generations(500))
    assert stop_rules("auto", 37) == (NoImprovement(111), Generations(740))
    assert stop_rules("auto", None) == ()


def test_other_rules_stand_beside_auto():
    assert stop_rules([Seconds(5), "auto"], 5) == (
        Seconds(5),
        NoImprovement(20),
        Generations(500),
    )


def test_what_is_no_rule():
    with pytest.raises(InputError, match="`stop`"):
        stop_rules("soon", 5)


@pytest.fixture
def families():
    a, b = np.random.default_rng(0).integers(0, 2, (2, 100))
    return FamilyScores(np.stack([a, b, a], axis=1), np.full(3, 2))


@pytest.mark.parametrize("search", ["exact", "hill-climbing", "genetic", "climb-order", "random"])
def test_graphs_and_orderings_lead_to_the_same_network(families, search):
    stop = ["auto", Generations(20)]
    graph, score = find_graph(search, families, stop=stop, rng=np.random.default_rng(0))
    assert set(graph.arcs) in ({(0, 2)}, {(2, 0)})
    assert score == pytest.approx(families.of(graph))


def test_a_proof_keeps_its_own_time(families):
    run = NetworkRun.of("exact", families, None, ["auto", Seconds(3)])
    assert run.rules == ()
    assert run.search.seconds == 3
    assert NetworkRun.of("tabu", families, None, Seconds(3)).rules == (Seconds(3),)
