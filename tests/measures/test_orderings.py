"""Scores of orderings."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._models.family_scores import Score
from fewest._models.graph import Graph, Network
from fewest._models.structure_search import learn_k2
from fewest.data._table import Table
from fewest.measures._network_scores import OrderingScore
from fewest.networks._bif import load_network, sample_dataset
from fewest.networks._inference.junction_tree import ExactInference
from fewest.networks._inference.sampling import LikelihoodWeighting
from fewest.networks._inferential_loss import InferentialLoss, model_size
from fewest.networks._named import NamedNetwork
from fewest.search import Orderings
from fewest.testing import toy_table


# Scores of orderings are the scores of the networks that K2 learns from them.
@pytest.mark.parametrize("parents", ["earlier", "later"])
@pytest.mark.parametrize("name", ["bic", "k2", "bdeu"])
def test_scores_are_those_of_k2_networks(parents, name):
    table = sample_dataset("asia", n_rows=300).table()
    measure = OrderingScore(score=name, max_parents=2, parents=parents, alpha=3.0)
    orders = np.array([np.random.default_rng(i).permutation(7) for i in range(4)])
    found = measure.bind(table).score(orders).value
    rows, cards = table.values.astype(int), table.cardinalities
    rule = Score(name, 3.0)
    for order, value in zip(orders, found, strict=True):
        graph = learn_k2(rows, cards, order, 2, rule, parents)
        assert value == pytest.approx(rule.of(graph, rows, cards))


def test_continuous_features_are_refused():
    with pytest.raises(InputError, match="needs nominal features without unknown values"):
        OrderingScore().bind(toy_table())


# The inferential loss, worked out query by query.
@pytest.fixture(scope="module")
def cancer():
    network = load_network("cancer")
    rows = network.sample(240, np.random.default_rng(0))
    table = Table(network.names, rows.astype(float), network.levels, np.zeros(240), None)
    return network, table


@pytest.mark.parametrize("with_gold", [False, True])
def test_f_a_by_hand(cancer, with_gold):
    network, table = cancer
    gold = network if with_gold else None
    measure = InferentialLoss(evidence=["Smoker", "Xray"], gold=gold, validation=0.25)
    order = np.array([4, 2, 0, 3, 1])
    found = measure.bind(table, np.random.default_rng(5)).score(order[None])
    split = np.random.default_rng(5).permutation(240)
    rows = table.values.astype(int)
    train, test = rows[split[60:]], rows[split[:60]]
    graph = learn_k2(train, network.cardinalities, order, 4, "k2", "later")
    learned = Network.learn(graph, train, network.cardinalities)
    mine = NamedNetwork(learned, network.names, network.levels)
    asked = [network.position(n) for n in ("Pollution", "Cancer", "Dyspnoea")]
    seen = [network.position(n) for n in ("Smoker", "Xray")]
    engine, truth, fits = ExactInference(), ExactInference(), []
    for row in test:
        evidence = np.full(5, -1)
        evidence[seen] = row[seen]
        answer = engine.posteriors(mine, evidence).values
        if with_gold:
            reference = truth.posteriors(network, evidence).values
        else:
            reference = [np.eye(2)[v] for v in row]
        gaps = np.concatenate([answer[i] - reference[i] for i in asked])
        fits.append(1 - np.sqrt((gaps**2).mean()))
    assert found.value[0] == pytest.approx(np.mean(fits))
    assert found.goals["f_a"][0] == found.value[0]


def test_the_three_parts_add_up(cancer):
    network, table = cancer
    measure = InferentialLoss(gold=network, a=0.5, b=0.25, c=0.25)
    scorer = measure.bind(table, np.random.default_rng(0))
    orders = Orderings(5).sample(6, np.random.default_rng(1))
    scores = scorer.score(orders)
    f_a, f_b, f_c = (scores.goals[f"f_{k}"] for k in "abc")
    assert scores.value == pytest.approx(0.5 * f_a + 0.25 * f_b + 0.25 * f_c)
    # All parents of the gold network stand later in a reversed topological order.
    best = np.array([network.graph.order[::-1]])
    assert scorer.score(best).goals["f_c"][0] == 1
    assert scorer.score(best[:, ::-1]).goals["f_c"][0] == 0


def test_model_size_by_hand():
    cards = np.array([2, 3, 2])
    # 2 + 3 x 2 + 2 x 3 cells of 12 joint cases.
    assert model_size(Graph(((), (0,), (1,))), cards) == pytest.approx(1 - 14 / 12)
    assert model_size(Graph.empty(3), cards) == pytest.approx(1 - 7 / 12)


def test_sampled_answers_come_near_exact_ones_and_repeat(cancer):
    network, table = cancer
    order = np.array([[4, 3, 2, 1, 0], [0, 1, 2, 3, 4]])
    exact = InferentialLoss(gold=network).bind(table, np.random.default_rng(0)).score(order)
    sampled = InferentialLoss(gold=network, inference=LikelihoodWeighting(samples=20_000))
    found = sampled.bind(table, np.random.default_rng(0)).score(order)
    assert found.value == pytest.approx(exact.value, abs=0.01)
    one_by_one = sampled.bind(table, np.random.default_rng(0))
    again = [one_by_one.score(o[None]).value[0] for o in order[::-1]]
    assert again[::-1] == found.value.tolist()


def test_wrong_parameters_are_refused(cancer):
    _, table = cancer
    with pytest.raises(InputError, match="`a`, `b` and `c` must add up to 1"):
        InferentialLoss(a=0.5).bind(table)
    with pytest.raises(InputError, match="`evidence` must leave a variable to predict"):
        InferentialLoss(evidence=list(table.names)).bind(table)
    with pytest.raises(InputError, match="`gold` must be a NamedNetwork or None, but is 'asia'"):
        InferentialLoss(gold="asia").bind(table)


def test_the_learning_curve_ends_with_all_rows(cancer):
    network, table = cancer
    scorer = InferentialLoss(evidence=["Smoker"]).bind(table, np.random.default_rng(0))
    order = np.array([4, 2, 0, 3, 1])
    curve = scorer.curve(order)
    assert [point["rows"] for point in curve] == [16, 32, 64, 112, 160]
    assert curve[-1]["f_a"] == pytest.approx(scorer.score(order[None]).value[0])
