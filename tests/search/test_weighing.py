"""The search for weights when none is named."""

from __future__ import annotations

import pytest
from numpy.testing import assert_array_equal

from fewest import FeatureWeighter
from fewest._errors import InputError
from fewest.search import BestFirst, Box, Levels
from fewest.search._weight_searches import COMBINATIONS, combination, diet, recommend_weighing
from fewest.testing import TableMeasure, drive, toy_table


@pytest.mark.parametrize(
    ("space", "name"),
    [(Levels(10), "ebna"), (Box(10), "egna"), (Levels(200), "umda"), (Box(200), "umda-c")],
)
def test_recommends_a_search_for_the_space(space, name):
    search, why = recommend_weighing(space)
    assert search.name == name
    assert space.kind in search.spaces
    assert name in why


def test_diet_starts_in_the_middle_and_compares_with_the_parent():
    # The start is worth 0.5; raising x0 helps, and then nothing does.
    def value(weights):
        return 0.5 + 0.2 * (weights[0] == 1.0) - 0.1 * (weights[1] != 0.5)

    scorer = TableMeasure(value).bind(toy_table(n_features=2))
    done = drive(diet(patience=2), Levels(2), scorer)
    assert_array_equal(done.batches[0], [[1, 1]])
    assert done.best_value == pytest.approx(0.7)
    assert done.verdict.reason == "no improvement in 2 expansions"


def test_an_expansion_that_beats_its_parent_only_keeps_diet_going():
    # After the peak at the start, every step down is better than the one before.
    ladder = {(1, 1): 0.9, (2, 1): 0.5, (2, 2): 0.6, (1, 2): 0.1, (0, 1): 0.1, (1, 0): 0.1}

    def value(weights):
        return ladder.get(tuple((2 * weights).astype(int).tolist()), 0.0)

    scorer = TableMeasure(value).bind(toy_table(n_features=2))
    patient = drive(diet(patience=2), Levels(2), scorer)
    strict = drive(BestFirst(patience=2, direction="middle"), Levels(2), scorer)
    assert patient.evaluations > strict.evaluations


@pytest.mark.parametrize("name", COMBINATIONS)
def test_combinations_have_a_search_for_their_values(name):
    search, values = combination(name)
    assert ("box" if values == "continuous" else "levels") in search.spaces
    assert FeatureWeighter.named(name).values == values


def test_an_unknown_combination_is_refused():
    with pytest.raises(InputError, match="`name` must be one of fw-ebna"):
        combination("fw-none")
