"""Tables, probabilities and samples of a network."""

import itertools

import numpy as np
import pytest

from fewest._models.graph import Graph, Network
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


def test_samples_follow_the_probabilities():
    model = Network.learn(Graph(PARENTS), some_rows(), CARDS)
    n = 20_000
    drawn = model.sample(n, np.random.default_rng(5))
    every = all_rows(CARDS)
    expected = n * np.exp(model.log_probability(every))
    observed = [(drawn == row).all(axis=1).sum() for row in every]
    # Chi-squared with 11 degrees of freedom: above 31.3 once in a thousand seeds.
    assert ((observed - expected) ** 2 / expected).sum() < 31.3
