"""Fitting networks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fewest import NetworkLearner
from fewest._errors import InputError
from fewest._models.family_scores import FamilyScores
from fewest._models.graph import Graph
from fewest._run.stop_rules import Generations, NoImprovement, Seconds
from fewest.data._discretise import Discretiser
from fewest.networks._bif import load_network, sample_dataset
from fewest.networks._discrete_rows import UNKNOWN, DiscreteFrame
from fewest.networks._network_facts import network_facts
from fewest.networks._runs import (
    NetworkRun,
    choose_search,
    find_graph,
    search_of,
    short_name,
    stop_rules,
)
from fewest.search import ExactGraph, GAOrder, TabuGraph

# Frames as rows of small whole numbers.
WIDTH = Discretiser(method="width", bins=2)
FRAME = pd.DataFrame({"size": [0.0, 1.0, 9.0, 10.0], "kind": ["b", None, "a", "b"]})


def test_numbers_are_cut_and_unknown_is_a_level():
    discrete, table = DiscreteFrame.learn(FRAME, WIDTH)
    assert table.values.tolist() == [[0, 1], [0, 2], [1, 0], [1, 1]]
    assert discrete.levels[1] == ("a", "b", UNKNOWN)
    assert len(discrete.levels[0]) == 2


def test_other_rows_use_the_same_cuts_and_levels():
    discrete, _ = DiscreteFrame.learn(FRAME, WIDTH)
    other = pd.DataFrame({"size": [7.0, None], "kind": ["new", "a"]})
    # An unknown size has no level of its own, because no row of the learned frame lacked it.
    assert discrete.codes(other).tolist() == [[1, 2], [-1, 0]]


def test_too_many_levels():
    frame = pd.DataFrame({"name": [f"n{i}" for i in range(300)]})
    with pytest.raises(InputError, match="at most 255 values .* 'name' has 300"):
        DiscreteFrame.learn(frame, WIDTH)


COUNTS = pd.DataFrame({"stars": [1, 2, 3, 4, 5] * 4, "age": np.linspace(20.5, 60.5, 20)})


def test_whole_numbers_with_few_values_are_categories():
    discrete, table = DiscreteFrame.learn(COUNTS, Discretiser(method="width", bins=2))
    assert discrete.levels[0] == (1, 2, 3, 4, 5)
    assert table.values[:5, 0].tolist() == [0, 1, 2, 3, 4]
    assert discrete.few == ("stars",)
    assert discrete.cut_points == {"age": [40.5]}
    assert discrete.notes == [
        "Continuous columns were cut: age at 40.5.",
        "Whole numbers with at most 10 values are categories: stars.",
    ]
    many = pd.DataFrame({"count": list(range(11)) * 3, "part": [0.5, 1.0, 2.0] * 11})
    assert DiscreteFrame.learn(many, WIDTH)[0].few == ()


def test_numbers_and_intervals_have_the_level_that_they_lie_in():
    discrete, _ = DiscreteFrame.learn(COUNTS, Discretiser(method="width", bins=2))
    low, high = discrete.levels[1]
    assert discrete.level_at(1, 40.5) == low
    assert discrete.level_at(1, np.float32(41)) == high
    assert discrete.level_at(1, (40.5, 50)) == high
    assert discrete.level_at(1, pd.Interval(20, 40)) == low
    assert discrete.level_at(1, low) == low
    assert discrete.level_at(0, 5) == 5
    with pytest.raises(InputError, match=r"age the interval \(30, 50\), but it must lie in one of"):
        discrete.level_at(1, (30, 50))


# Facts of a network: losses of score, held-out rows, bootstrap samples.
@pytest.fixture(scope="module")
def fitted():
    table = sample_dataset("asia", n_rows=2000).frame()
    learner = NetworkLearner().fit(table)
    return learner, learner.facts(table, bootstraps=5, random_state=0)


def test_influences_are_losses_of_score(fitted):
    learner, facts = fitted
    families = FamilyScores(
        learner.frame_.codes(sample_dataset("asia", n_rows=2000).frame()),
        learner.network_.cardinalities,
    )
    graph = learner.network_.graph
    for (p, i), loss in facts.influence.items():
        without = [list(q) for q in graph.parents]
        without[i].remove(p)
        rest = families.of(Graph(tuple(tuple(q) for q in without)))
        assert loss == pytest.approx(families.of(graph) - rest)
        assert loss > 0


def test_the_learned_network_is_more_likely_than_none(fitted):
    _, facts = fitted
    assert facts.held_out["learned"] > facts.held_out["naive"] > facts.held_out["empty"]
    assert sum(facts.rows) == 2000
    for same, either in facts.stability.values():
        assert 0 <= same <= either <= 1 + 1e-9


def test_stability_counts_bootstrap_networks():
    asia = load_network("asia")
    rows = asia.sample(200, np.random.default_rng(0))
    turns = iter([Graph(((), (0,), *[()] * 6)), Graph(((), (0,), *[()] * 6)),
                  Graph(((1,), *[()] * 7))])  # fmt: skip
    facts = network_facts(
        Graph(((), (0,), *[()] * 6)), FamilyScores(rows, asia.cardinalities),
        lambda r, c: next(turns), rng=np.random.default_rng(0), bootstraps=2,
    )  # fmt: skip
    assert facts.stability[0, 1] == (0.5, 1.0)


# Rules of runs that look for a network.
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


# What "auto" chooses for networks.
def test_auto_proves_where_that_is_quick():
    assert choose_search("auto", 8, None)[0] == "exact"
    assert choose_search("auto", 20, 4)[0] == "exact"
    assert choose_search("auto", 20, None)[0] == "iterated-tabu"
    name, why = choose_search("auto", 37, 4)
    assert name == "iterated-tabu"
    assert "37 variables" in why[0]


def test_names_and_searches_pass():
    search = GAOrder()
    assert choose_search(search, 5, 4) == (search, [])
    assert choose_search("plackett-luce", 5, 4) == ("plackett-luce", [])
    with pytest.raises(InputError, match=r"but is 'tabuu'. Did you mean tabu\?"):
        choose_search("tabuu", 5, 4)


def test_short_names_are_those_of_searches_over_graphs():
    assert search_of("tabu", None) == TabuGraph()
    assert short_name(search_of("annealing", None)) == "annealing"
    assert short_name(search_of("ga-order", None)) == "ga-order"


def test_a_proof_is_told_its_time_limit():
    assert search_of("exact", 5.0) == ExactGraph(seconds=5.0)
    assert search_of(ExactGraph(seconds=2.0), 5.0) == ExactGraph(seconds=2.0)
