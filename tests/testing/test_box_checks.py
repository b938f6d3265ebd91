"""The checks of searches over real numbers catch what is wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from fewest.search import SHCLVND
from fewest.search._search import Search
from fewest.testing._structure_checks import BOXES, box_checks


@dataclass
class Uniform(Search):
    """Random weights; not for ever."""

    name = "uniform"
    source = "this test"
    spaces = ("box",)
    generational = True

    def propose(self, space, better, rng):
        for _ in range(9):
            yield space.sample(30, rng, 1.0)


class Outside(Uniform):
    def propose(self, space, better, rng):
        yield space.sample(30, rng, 1.0) + 0.5


class Moody(Uniform):
    def propose(self, space, better, rng):
        yield space.sample(30, np.random.default_rng(), 1.0)


class Blind(Uniform):
    """Proposes one candidate again and again."""

    def propose(self, space, better, rng):
        yield np.repeat(space.sample(1, rng, 1.0), 5, axis=0)


class Fragile(Uniform):
    def propose(self, space, better, rng):
        if np.isnan((yield space.sample(30, rng, 1.0)).value).any():
            raise ZeroDivisionError


@pytest.mark.parametrize("search", [Uniform(), SHCLVND(population=40)], ids=lambda s: s.name)
@pytest.mark.parametrize("name", [n for n in box_checks() if "resumes" not in n])
def test_right_searches_pass(search, name):
    box_checks()[name](search)


@pytest.mark.parametrize(
    ("search", "name"),
    [
        (Outside(), "obeys plain"),
        (Outside(), "obeys budget"),
        (Moody(), "is repeatable"),
        (Moody(), "resumes exactly"),
        (Blind(), "improves"),
        (Fragile(), "survives odd values"),
    ],
)
def test_wrong_searches_are_caught(search, name):
    with pytest.raises((AssertionError, ZeroDivisionError, ValueError)):
        box_checks()[f"boxes: {name}"](search)


def test_every_box_has_its_check():
    assert {f"boxes: obeys {name}" for name in BOXES} < set(box_checks())
