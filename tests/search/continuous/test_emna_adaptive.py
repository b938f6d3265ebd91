"""EMNA_a: a new candidate takes the place of the worst, if it is better."""

from __future__ import annotations

import numpy as np

from fewest.measures.base import Scores
from fewest.search import Better, Box, EMNAAdaptive
from fewest.search.population import Population
from tests.search.continuous.functions import best_of, sphere


def test_the_sphere():
    # It is worth -600,000 on average.
    assert best_of("emna-adaptive", sphere, batches=3000) > -50


def test_the_worst_is_replaced_by_a_better_one_only():
    better, search = Better(Box(1)), EMNAAdaptive()
    members = Population(np.array([[0.9], [0.5], [0.1]]), Scores(np.array([3.0, 2.0, 1.0])))
    after = search.take_in(members, Population(np.array([[0.7]]), Scores(np.array([2.5]))), better)
    assert after.value.tolist() == [3.0, 2.5, 2.0]
    assert after.candidates[:, 0].tolist() == [0.9, 0.7, 0.5]
    worse = Population(np.array([[0.0]]), Scores(np.array([0.5])))
    assert search.take_in(members, worse, better) is members
