"""Plackett-Luce: probabilities by hand, the likelihood by scipy, and draws."""

from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import minimize

from fewest._errors import InputError
from fewest.networks._ordering_searches import PlackettLuce


def test_probabilities_of_all_orderings():
    worth = np.array([3.0, 2.0, 1.0])
    model = PlackettLuce(worth)
    every = np.array(list(permutations(range(3))))
    found = np.exp(model.log_probability(every))
    by_hand = [
        worth[a] / worth.sum() * worth[b] / (worth[b] + worth[c]) for a, b, c in every.tolist()
    ]
    assert found == pytest.approx(by_hand)
    assert found.sum() == pytest.approx(1.0)
    drawn = model.sample(60_000, np.random.default_rng(0))
    shares = [(drawn == order).all(axis=1).mean() for order in every]
    assert shares == pytest.approx(by_hand, abs=0.01)


def test_worths_are_the_most_likely_ones():
    orders = PlackettLuce(np.array([4.0, 2.0, 1.0, 1.0])).sample(80, np.random.default_rng(1))

    def loss(logs):
        # One imaginary win and one loss of each item against an item of worth 1.
        worth = np.exp(logs)
        prior = np.sum(np.log(worth) - 2 * np.log(worth + 1))
        return -PlackettLuce(worth).log_probability(orders).sum() - prior

    best = np.exp(minimize(loss, np.zeros(4), tol=1e-12).x)
    found = PlackettLuce.learn(orders, steps=2000).worth
    assert found / found.sum() == pytest.approx(best / best.sum(), rel=0.02)


def test_an_item_that_is_always_first_has_a_finite_worth():
    model = PlackettLuce.learn(np.array([[2, 0, 1], [2, 1, 0]]))
    assert np.isfinite(model.worth).all()
    assert model.worth.argmax() == 2
    assert PlackettLuce.learn(np.array([[0]])).sample(2, np.random.default_rng(0)).tolist() == [
        [0],
        [0],
    ]


def test_rows_that_are_no_orderings_are_refused():
    with pytest.raises(InputError, match="`orders` must hold one ordering per row"):
        PlackettLuce.learn(np.array([[0, 0, 1]]))
