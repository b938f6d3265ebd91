"""Facts of a network: losses of score, held-out rows, bootstrap samples."""

import numpy as np
import pytest

from fewest import NetworkLearner
from fewest._models.family_scores import FamilyScores
from fewest._models.graph import Graph
from fewest.networks._bif import load_network, sample_dataset
from fewest.networks._network_facts import network_facts


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
