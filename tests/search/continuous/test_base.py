"""What the continuous EDAs share: the search ends where all are the same."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.search import Better, Box, resolve_search
from fewest.search._continuous import next_factor, same_weights
from fewest.testing import TableMeasure, toy_table
from tests.search.continuous.functions import best_of


def test_equal_individuals_end_the_search():
    space = Box(2, include=(0, 1), least=1.0)
    steps = (
        resolve_search("egna")
        .set_params(population=10)
        .propose(space, Better(space), np.random.default_rng(0))
    )
    batch = next(steps)
    with pytest.raises(StopIteration) as end:
        steps.send(TableMeasure(np.sum).bind(toy_table(n_features=2)).score(batch))
    assert "the same" in end.value.value.reason
    assert same_weights(batch)


def test_weights_that_differ_are_not_the_same():
    rows = np.full((3, 2), 0.5)
    assert same_weights(rows)
    rows[1, 1] += 1e-9
    assert not same_weights(rows)
    assert same_weights(np.zeros((4, 0)))


def test_each_generation_has_one_less_than_the_population():
    space = Box(3)
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=3))
    search = resolve_search("umda-c").set_params(population=12)
    steps = search.propose(space, Better(space), np.random.default_rng(0))
    first = next(steps)
    second = steps.send(scorer.score(first))
    assert (len(first), len(second)) == (12, 11)


@pytest.mark.parametrize("name", ["umda-c", "mimic-c", "emna", "egna"])
def test_adaptive_variances_reach_the_end_of_a_slope(name):
    assert best_of(name, "slope", batches=15, population=200) == 5.0


def test_without_scaling_a_joint_normal_density_stops_on_the_slope():
    assert best_of("emna", "slope", population=200, scaling="none") < 4.9


def test_the_factor_grows_while_the_best_are_far_away_and_falls_when_there_are_none():
    selected = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.1], [1.0, 0.1]])
    assert next_factor(1.0, selected, np.array([[0.5, 0.11]])) == pytest.approx(1 / 0.9)
    assert next_factor(1.5, selected, np.array([[0.9, 0.06]])) == 1.5
    assert next_factor(1.5, selected, selected[:0]) == pytest.approx(1.35)
    assert next_factor(1.0, selected, selected[:0]) == 1.0
