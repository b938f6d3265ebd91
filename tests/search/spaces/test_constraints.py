"""From what a person says to a space of subsets."""

from __future__ import annotations

import numpy as np
import pytest

from fewest import SubsetSelector
from fewest._errors import InputError
from fewest._fitting.screen import subsets_of

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


def test_features_without_a_named_cost_cost_one():
    assert subsets_of(NAMES, costs={"dose": 7}).costs == (1.0, 1.0, 7.0, 1.0)


@pytest.mark.parametrize(
    ("said", "of", "largest"),
    [
        (0.3, 10, 3), (0.29, 100, 29), (0.01, 10, 1), (1.0, 4, 4), (1, 4, 1),
        (np.float64(0.5), 5, 2),
        ("sqrt", 17, 4), ("sqrt", 16, 4), ("sqrt", 1, 1), (np.int64(3), 4, 3),
    ],
)  # fmt: skip
def test_sizes_as_people_say_them(said, of, largest):
    names = tuple(f"x{j}" for j in range(of))
    assert subsets_of(names, max_features=said).max_features == largest


def test_more_features_than_there_are_is_all_with_a_warning():
    with pytest.warns(UserWarning, match="`max_features` is 9, but there are 4 features"):
        assert subsets_of(NAMES, max_features=9).max_features == 4


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"include": ["does"]}, "dose"),
        ({"max_features": True}, "`max_features` must be a whole number"),
        ({"max_features": 1.5}, "`max_features` must be a whole number"),
        ({"max_features": 0.0}, "a share of the features between 0 and 1"),
        ({"max_features": "log"}, "or \"sqrt\", but is 'log'"),
        ({"max_features": float("nan")}, "but is nan"),
        ({"costs": {"agee": 1}}, "Did you mean age"),
        ({"exclude": [7]}, "7"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(given, words):
    with pytest.raises(InputError, match=words):
        subsets_of(NAMES, **given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"min_features": 1.5}, "`min_features` must be a whole number"),
        ({"budget": -1, "costs": [1, 1, 1, 1]}, "`budget` must be a number of at least 0"),
    ],
)
def test_a_selector_checks_them_before_any_work(given, words):
    with pytest.raises(InputError, match=words):
        SubsetSelector("naive-bayes", **given).fit(np.eye(4), [0, 1, 0, 1])
