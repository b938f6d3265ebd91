"""EMNA and its versions that take one candidate at a time."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from fewest.measures._measure import Scores
from fewest.search import Better, Box, EMNAAdaptive, EMNAIncremental
from fewest.search._continuous import EMNA
from fewest.search._population import Population
from fewest.testing import TableMeasure, drive, toy_table
from tests.search.continuous.functions import D, best_of


@pytest.mark.parametrize(("function", "least"), [("sphere", -1e-5), ("rosenbrock", -2 * D)])
def test_standard_functions(function, least):
    assert best_of("emna", function, population=300) > least


def test_the_density_is_that_of_scipy():
    rows = np.random.default_rng(0).normal(size=(50, 3)) @ np.array(
        [[1.0, 0.5, 0.0], [0.0, 1.0, 0.3], [0.0, 0.0, 1.0]]
    )
    expected = multivariate_normal(rows.mean(axis=0), np.cov(rows.T, bias=True)).logpdf(rows)
    assert EMNA().learn(rows).log_density(rows) == pytest.approx(expected)


def test_a_population_and_then_single_candidates():
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=2))
    done = drive(EMNAIncremental(population=20, steps=7), Box(2), scorer)
    assert [len(batch) for batch in done.batches] == [20, *[1] * 7]
    assert done.verdict.reason == "7 candidates sampled"


def test_the_selected_of_the_first_population_set_the_region():
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=2))
    search = EMNAIncremental(population=400, selected=0.05, steps=100)
    done = drive(search, Box(2), scorer)
    # The best twentieth of a square by the sum lies in a corner.
    assert np.mean(done.values[1:]) > 1.5


def test_equal_members_end_the_search():
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=2))
    done = drive(EMNAAdaptive(population=5), Box(2, include=(0, 1), least=1.0), scorer)
    assert done.verdict.reason == "all individuals of the population are the same"
    assert len(done.batches) == 1


def test_the_sphere():
    # It is worth -600,000 on average.
    assert best_of("emna-adaptive", "sphere", batches=3000) > -50


def test_the_worst_is_replaced_by_a_better_one_only():
    better, search = Better(Box(1)), EMNAAdaptive()
    members = Population(np.array([[0.9], [0.5], [0.1]]), Scores(np.array([3.0, 2.0, 1.0])))
    after = search.take_in(members, Population(np.array([[0.7]]), Scores(np.array([2.5]))), better)
    assert after.value.tolist() == [3.0, 2.5, 2.0]
    assert after.candidates[:, 0].tolist() == [0.9, 0.7, 0.5]
    worse = Population(np.array([[0.0]]), Scores(np.array([0.5])))
    assert search.take_in(members, worse, better) is members


def test_every_candidate_is_added():
    members = Population(np.array([[0.9], [0.5]]), Scores(np.array([3.0, 2.0])))
    new = Population(np.array([[0.0]]), Scores(np.array([-1.0])))
    after = EMNAIncremental().take_in(members, new, Better(Box(1)))
    assert after.value.tolist() == [3.0, 2.0, -1.0]
