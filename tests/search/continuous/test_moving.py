"""One density that moves: steps by hand, and the sphere."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._models.gaussian import IndependentNormals
from fewest.search import SHCLVND, Box, PBILc, Servet
from fewest.search._continuous import LevelIntervals
from fewest.testing import TableMeasure, drive, toy_table
from tests.search.continuous.functions import best_of


def test_the_search_ends_with_the_width_of_its_density():
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=2))
    # Deviations of 12^-1/2, halved each time, are below 1e-12 after 39 generations.
    done = drive(SHCLVND(population=10, beta=0.5), Box(2), scorer)
    assert done.verdict.reason == "the density has no width left"
    assert len(done.batches) == 39
    assert {len(batch) for batch in done.batches} == {10}


def test_what_lies_outside_is_moved_to_the_border():
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=2))
    done = drive(SHCLVND(population=50), Box(2), scorer, max_batches=30)
    assert done.candidates.min() >= 0
    assert done.candidates.max() == 1
    assert done.best_value == 2.0


@pytest.mark.parametrize(("name", "least"), [("pbil-c", -50), ("shclvnd", -1), ("servet", -1000)])
def test_the_sphere(name, least):
    # It is worth -600,000 on average.
    assert best_of(name, "sphere", batches=200) > least


@pytest.mark.parametrize(
    ("variance", "least"), [("best", -2000), ("evolved", -5000), ("constant", -50_000)]
)
def test_the_sphere_by_other_rules_for_the_deviations(variance, least):
    parameters = {"first_width": 0.02} if variance == "constant" else {}
    assert best_of("pbil-c", "sphere", batches=200, variance=variance, **parameters) > least


def test_deviations_by_each_rule():
    state = IndependentNormals(np.array([0.5]), np.array([0.2]))
    ranked = np.array([[0.8], [0.6], [0.9], [0.2]])

    def moved(variance, first=0):
        search = PBILc(alpha=0.5, best=2, variance=variance)
        return search.move(state, ranked, first).deviation[0]

    assert moved("best") == pytest.approx(0.1)
    assert moved("constant") == 0.2
    # The last of four candidates has the largest deviation, the quantile at 7/8.
    assert moved("evolved", 3) == pytest.approx(0.2 * np.exp(1.1503494 / np.sqrt(2)))
    assert moved("evolved", 0) == pytest.approx(0.2 * np.exp(-1.1503494 / np.sqrt(2)))
    drawn = PBILc(variance="evolved").draw(state, 4000, np.random.default_rng(0))[:, 0]
    assert drawn[3000:].std() > 1.5 * drawn[:1000].std()


def test_a_step_moves_to_the_two_best_and_away_from_the_worst():
    state = IndependentNormals(np.array([0.5]), np.array([0.2]))
    moved = PBILc(alpha=0.5, best=2).move(state, np.array([[0.8], [0.6], [0.9], [0.2]]))
    assert moved.mean == pytest.approx([0.5 * 0.5 + 0.5 * (0.8 + 0.6 - 0.2)])
    assert moved.deviation == pytest.approx([0.5 * 0.2 + 0.5 * 0.1])


def test_a_step_moves_to_the_centre_of_the_best_and_narrows():
    state = IndependentNormals(np.array([0.5]), np.array([0.2]))
    search = SHCLVND(alpha=0.5, beta=0.9, best=2)
    moved = search.move(state, np.array([[0.8], [0.6], [0.0]]))
    assert moved.mean == pytest.approx([0.6])
    assert moved.deviation == pytest.approx([0.18])
    assert search.width(moved) == pytest.approx(0.18)


def test_an_interval_is_halved_once_one_half_is_certain():
    search = Servet(alpha=0.5, best=2, certain=0.7)
    state = search.begin(3)
    ranked = np.array([[0.9, 0.1, 0.9], [0.8, 0.2, 0.1], [0.0, 0.0, 0.0]])
    moved = search.move(state, ranked)
    # The shares of the upper half are 1, 0 and 1/2: probabilities of 0.75, 0.25 and 0.5.
    assert moved.low.tolist() == [0.5, 0.0, 0.0]
    assert moved.high.tolist() == [1.0, 0.5, 1.0]
    assert moved.upper.tolist() == [0.5, 0.5, 0.5]
    assert search.width(moved) == 1.0


def test_weights_are_drawn_in_the_upper_half_with_its_probability():
    state = LevelIntervals(np.array([0.2]), np.array([0.6]), np.array([0.8]))
    drawn = Servet().draw(state, 5000, np.random.default_rng(0))
    assert 0.2 <= drawn.min() <= drawn.max() <= 0.6
    assert (drawn > 0.4).mean() == pytest.approx(0.8, abs=0.03)
