"""Independent variables: tables by hand, samples, logarithms."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from fewest._models.discrete import Marginals


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


def test_samples_follow_the_probabilities():
    rng = np.random.default_rng(2)
    cards = np.array([2, 3, 2])
    model = Marginals.learn(np.stack([rng.integers(0, r, 50) for r in cards], axis=1), cards)
    every = np.array(list(itertools.product(*(range(r) for r in cards))))
    expected = 20_000 * np.exp(model.log_probability(every))
    assert expected.sum() == pytest.approx(20_000)
    drawn = model.sample(20_000, np.random.default_rng(5))
    observed = [(drawn == row).all(axis=1).sum() for row in every]
    # Chi-squared with 11 degrees of freedom: above 31.3 once in a thousand seeds.
    assert ((observed - expected) ** 2 / expected).sum() < 31.3


def test_even_and_random_starts():
    cards = np.array([2, 3, 1])
    even = Marginals.uniform(cards, above=0.2).probabilities
    assert even == pytest.approx(np.array([[0.8, 0.2, 0.0], [0.8, 0.1, 0.1], [1.0, 0.0, 0.0]]))
    drawn = [Marginals.random(cards, np.random.default_rng(i)).probabilities for i in range(400)]
    assert np.sum(drawn, axis=2) == pytest.approx(1.0)
    # Every distribution equally likely: P(first level) is uniform, with mean 1/2 and variance 1/12.
    first = np.array(drawn)[:, 0, 0]
    assert (first.mean(), first.var()) == pytest.approx((0.5, 1 / 12), abs=0.03)


def test_what_never_occurred_is_impossible_without_a_prior():
    model = Marginals.learn(np.array([[0], [0]]), np.array([2]), prior=0.0)
    assert model.log_probability(np.array([[0], [1]])).tolist() == [0.0, -np.inf]
