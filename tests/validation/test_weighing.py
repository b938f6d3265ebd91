"""Weights are judged as the classifier with these weights would be."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose

from fewest.classifiers import NearestNeighbor
from fewest.testing import toy_table
from fewest.validation.weighing import judge_weights


def test_accuracies_are_those_of_the_classifier():
    table = toy_table(60, 4)
    train, test = np.arange(0, 60, 2), np.arange(1, 60, 2)
    weights = np.array([1.0, 0.7, 0.0, 0.1])
    expected = []
    for w in (weights, np.ones(4), np.zeros(4)):
        model = NearestNeighbor(k=3, weights=w).fit(table.values[train], table.target[train])
        expected.append(model.score(table.values[test], table.target[test]))
    assert_allclose(judge_weights(weights, 3, table, (train, test)), expected)
