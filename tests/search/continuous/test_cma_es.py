"""CMA-ES of the package cmaes, driven by ranks."""

from __future__ import annotations

import numpy as np

from fewest.search import CMAES, Box
from fewest.testing import TableMeasure, drive, toy_table
from tests.search.continuous.functions import best_of


def test_the_sphere():
    assert best_of("cma-es", "sphere", batches=120) > -1e-3


def test_only_the_order_of_the_values_counts():
    def near(weights):
        return -float(((weights - 0.3) ** 2).sum())

    found = [
        drive(
            CMAES(generations=5), Box(3), TableMeasure(f).bind(toy_table(n_features=3))
        ).candidates
        for f in (near, lambda weights: float(np.exp(near(weights))))
    ]
    np.testing.assert_array_equal(found[0], found[1])


def test_one_weight_is_sampled():
    scorer = TableMeasure(lambda w: -abs(float(w[0]) - 0.3)).bind(toy_table(n_features=1))
    done = drive(CMAES(), Box(1), scorer)
    assert done.ended
    assert done.evaluations == 100
    assert "two weights" in done.verdict.reason
