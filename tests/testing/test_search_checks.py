"""The suite for searches passes what is right and catches what is wrong."""

from __future__ import annotations

import pytest

from fewest.testing import SPACES, every_candidate, parametrize_with_search_checks, search_checks
from tests.testing.searches import (
    Careless,
    Everything,
    Fragile,
    Infeasible,
    Loose,
    Moody,
    Plain,
    Wide,
)


@parametrize_with_search_checks([Plain(), Everything()])
def test_right_searches_pass(search, check):
    check(search)


@pytest.mark.parametrize(
    ("search", "check"),
    [
        (Wide(), "proposes candidates"),
        (Infeasible(), "obeys: sizes"),
        (Infeasible(), "obeys: budget"),
        (Moody(), "is repeatable"),
        (Careless(), "is complete"),
        (Fragile(), "survives unknown values"),
        (Loose(), "parameters: refuse junk"),
    ],
)
def test_wrong_searches_are_caught(search, check):
    with pytest.raises((AssertionError, ValueError, ZeroDivisionError)):
        search_checks()[check](search)


def test_the_spaces_of_the_suite_hold_what_they_allow():
    sizes = {name: len(every_candidate(space)) for name, space in SPACES.items()}
    # 2^6 subsets; 15 + 20 of two and three of six features; 20 of three.
    assert (sizes["plain"], sizes["sizes"], sizes["one size"]) == (64, 35, 20)
    assert sizes["nothing free"] == 1
    assert all(sizes.values())


def test_a_search_has_the_checks_of_its_spaces():
    names = set(search_checks(Plain()))
    assert "obeys: budget" in names
    assert not any(name.startswith(("boxes", "orderings")) for name in names)
    assert names < set(search_checks())
