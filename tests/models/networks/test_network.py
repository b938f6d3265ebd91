"""Tables, probabilities and samples of the models."""

import itertools

import numpy as np
import pytest

from fewest.errors import InputError
from fewest.models.marginals import Marginals
from fewest.models.networks.graph import Graph
from fewest.models.networks.network import Network
from tests.naive import discrete_models as naive

CARDS = np.array([2, 3, 2])
PARENTS = ((1,), (), (1, 0))


def some_rows(n=50):
    rng = np.random.default_rng(2)
    return np.stack([rng.integers(0, r, n) for r in CARDS], axis=1)


def all_rows(cards):
    return np.array(list(itertools.product(*(range(r) for r in cards))))


@pytest.mark.parametrize("prior", [1.0, 0.5])
def test_tables_are_smoothed_weighted_frequencies(prior):
    rows = some_rows()
    weights = np.random.default_rng(0).random(50)
    net = Network.learn(Graph(PARENTS), rows, CARDS, weights, prior)
    expected = naive.tables(rows.tolist(), weights.tolist(), CARDS.tolist(), PARENTS, prior)
    for i, parents in enumerate(PARENTS):
        for case, cells in expected[i].items():
            at = 0
            for p, level in zip(parents, case, strict=True):
                at = at * CARDS[p] + level
            assert net.tables[i][at] == pytest.approx(cells)


def test_network_probabilities_are_products_and_sum_to_one():
    rows = some_rows()
    net = Network.learn(Graph(PARENTS), rows, CARDS)
    learned = naive.tables(rows.tolist(), [1.0] * 50, CARDS.tolist(), PARENTS, 1.0)
    every = all_rows(CARDS)
    found = np.exp(net.log_probability(every))
    assert found.sum() == pytest.approx(1.0)
    for row, p in zip(every.tolist(), found, strict=True):
        assert p == pytest.approx(naive.probability(row, PARENTS, learned))


@pytest.mark.parametrize("kind", ["network", "marginals"])
def test_samples_follow_the_probabilities(kind):
    rows = some_rows()
    model = (
        Network.learn(Graph(PARENTS), rows, CARDS)
        if kind == "network"
        else Marginals.learn(rows, CARDS)
    )
    n = 20_000
    drawn = model.sample(n, np.random.default_rng(5))
    every = all_rows(CARDS)
    expected = n * np.exp(model.log_probability(every))
    observed = [(drawn == row).all(axis=1).sum() for row in every]
    # Chi-squared with 11 degrees of freedom: above 31.3 once in a thousand seeds.
    assert ((observed - expected) ** 2 / expected).sum() < 31.3


def test_marginals_by_hand():
    rows = np.array([[0, 2], [1, 2], [1, 0]])
    model = Marginals.learn(rows, np.array([2, 3]))
    assert model.probabilities == pytest.approx(
        np.array([[2 / 5, 3 / 5, 0], [2 / 6, 1 / 6, 3 / 6]])
    )
    weighted = Marginals.learn(rows, np.array([2, 3]), np.array([1.0, 2.0, 5.0]), prior=0.0)
    assert weighted.probabilities == pytest.approx(np.array([[1 / 8, 7 / 8, 0], [5 / 8, 0, 3 / 8]]))
    moved = Marginals.uniform(np.array([2, 3])).moved(weighted, 0.5)
    assert moved.probabilities[0] == pytest.approx([5 / 16, 11 / 16, 0])
    expected = [(1 / 3 + 5 / 8) / 2, 1 / 6, (1 / 3 + 3 / 8) / 2]
    assert moved.probabilities[1] == pytest.approx(expected)


def test_wrong_rows_are_refused():
    graph = Graph.empty(2)
    with pytest.raises(InputError, match=r"`rows` must have two dimensions and 2 columns"):
        Network.learn(graph, np.zeros((3, 3)), np.array([2, 2]))
    with pytest.raises(InputError, match="`rows` must hold at least one row"):
        Marginals.learn(np.zeros((0, 2)), np.array([2, 2]))
    with pytest.raises(InputError, match="but some are outside"):
        Marginals.learn(np.array([[0, 2]]), np.array([2, 2]))
    with pytest.raises(InputError, match="`weights` must be 1 finite numbers"):
        Marginals.learn(np.array([[0, 1]]), np.array([2, 2]), np.array([-1.0]))
