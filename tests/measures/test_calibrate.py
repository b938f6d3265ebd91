"""Weights of several goals are those that hold on other folds."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from fewest.measures._measure import Scores
from fewest.measures._weighted import GRID, SUBSETS, calibrated_weights


def scorer_of(accuracy, small, thrift):
    """A scorer whose goals are given functions of the subsets."""

    def parts(subsets):
        value = accuracy(subsets)
        return Scores(value.mean(axis=1), value), small(subsets), thrift(subsets)

    return SimpleNamespace(table=SimpleNamespace(n_features=8), parts=parts)


def sizes(subsets):
    return subsets.mean(axis=1)


def test_accuracy_alone_where_the_other_goals_mislead():
    def accuracy(subsets):
        return np.repeat(sizes(subsets)[:, None], 10, axis=1)

    # The best by accuracy is the full set; every other goal pulls towards the empty one.
    worse = lambda subsets: 50.0 * (1.0 - sizes(subsets))  # noqa: E731
    chosen = calibrated_weights(scorer_of(accuracy, worse, worse), np.random.default_rng(0))
    assert chosen == (1.0, 0.0, 0.0)


def test_the_first_of_equals_is_the_published_one():
    def accuracy(subsets):
        return np.full((len(subsets), 10), 0.5)

    chosen = calibrated_weights(scorer_of(accuracy, sizes, sizes), np.random.default_rng(0))
    assert chosen == GRID[0] == (0.75, 0.125, 0.125)


def test_weights_sum_to_one_and_subsets_are_never_empty():
    assert all(abs(sum(weights) - 1.0) < 1e-12 for weights in GRID)
    seen = []

    def accuracy(subsets):
        seen.append(subsets)
        return np.full((len(subsets), 4), 0.5)

    calibrated_weights(scorer_of(accuracy, sizes, sizes), np.random.default_rng(1))
    assert len(seen[0]) == SUBSETS
    assert seen[0].any(axis=1).all()
