"""From what a person says to a space of subsets."""

from __future__ import annotations

import pytest

from fewest.errors import InputError
from fewest.search.spaces.constraints import subsets_of

NAMES = ("age", "sex", "dose", "weight")


def test_names_and_positions_mean_the_same():
    by_name = subsets_of(NAMES, include=["dose"], exclude=["sex"], groups=[["age", "weight"]])
    by_position = subsets_of(NAMES, include=[2], exclude=[1], groups=[[0, -1]])
    for space in (by_name, by_position):
        assert (space.include, space.exclude, space.groups) == ((2,), (1,), ((0, 3),))


def test_costs_by_name_come_in_the_order_of_the_features():
    costs = {"weight": 4, "age": 1, "sex": 2, "dose": 3}
    space = subsets_of(NAMES, costs=costs, budget=5)
    assert (space.costs, space.budget) == ((1.0, 2.0, 3.0, 4.0), 5.0)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"include": ["does"]}, "dose"),
        ({"min_features": 1.5}, "`min_features` must be a whole number"),
        ({"max_features": True}, "`max_features` must be a whole number"),
        ({"budget": -1, "costs": [1, 1, 1, 1]}, "`budget` must be a number of at least 0"),
        ({"costs": {"age": 1}}, "`costs` must name every feature"),
        ({"exclude": [7]}, "7"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(given, words):
    with pytest.raises(InputError, match=words):
        subsets_of(NAMES, **given)
