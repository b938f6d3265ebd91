"""The checks of searches over orderings catch what is wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from fewest.search._search import Search
from fewest.testing._structure_checks import ordering_checks


@dataclass
class Shuffled(Search):
    """Random orderings."""

    name = "shuffled"
    source = "this test"
    spaces = ("orderings",)
    generational = True

    def propose(self, space, better, rng):
        while True:
            yield space.sample(30, rng)


class Twice(Shuffled):
    """Puts the first variable at all places."""

    def propose(self, space, better, rng):
        yield np.zeros_like(space.sample(4, rng))


class Moody(Shuffled):
    def propose(self, space, better, rng):
        yield space.sample(30, np.random.default_rng())


class Blind(Shuffled):
    def propose(self, space, better, rng):
        yield np.repeat(space.sample(1, rng), 5, axis=0)


class Fragile(Shuffled):
    def propose(self, space, better, rng):
        if np.isnan((yield space.sample(30, rng)).value).any():
            raise ZeroDivisionError


@pytest.mark.parametrize("name", ordering_checks())
def test_a_right_search_passes(name):
    ordering_checks()[name](Shuffled())


@pytest.mark.parametrize(
    ("search", "name"),
    [
        (Twice(), "proposes orderings"),
        (Moody(), "is repeatable"),
        (Blind(), "improves"),
        (Fragile(), "survives odd values"),
    ],
)
def test_wrong_searches_are_caught(search, name):
    with pytest.raises((AssertionError, ZeroDivisionError)):
        ordering_checks()[f"orderings: {name}"](search)
