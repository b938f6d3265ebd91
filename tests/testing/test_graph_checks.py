"""The checks of searches over graphs catch what is wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from fewest.networks._graph_searches import GraphSearch
from fewest.search._search import Search
from fewest.testing._structure_checks import graph_checks


@dataclass
class Drawn(GraphSearch):
    """Random graphs."""

    name = "drawn"
    source = "this test"

    def walk(self, space, families, rng, bounds):
        for _ in range(5):
            yield space.sample(20, rng, p=1.0)


class Cyclic(Drawn):
    def walk(self, space, families, rng, bounds):
        yield np.ones((1, space.n_units), dtype=bool)


class Moody(Drawn):
    def walk(self, space, families, rng, bounds):
        yield space.sample(20, np.random.default_rng())


class Idle(Drawn):
    def walk(self, space, families, rng, bounds):
        yield np.zeros((1, space.n_units), dtype=bool)


class Careless(Drawn):
    def start(self, space, better, rng, scorer=None, bounds=None, ask=None):
        return Search.start(self, space, better, rng, scorer, bounds)

    def propose(self, space, better, rng):
        yield space.sample(20, rng)


@pytest.mark.parametrize("name", graph_checks())
def test_a_right_search_passes(name):
    graph_checks()[name](Drawn())


@pytest.mark.parametrize(
    ("search", "name"),
    [
        (Cyclic(), "proposes graphs"),
        (Moody(), "is repeatable"),
        (Idle(), "improves"),
        (Careless(), "refuses other measures"),
    ],
)
def test_wrong_searches_are_caught(search, name):
    with pytest.raises(AssertionError):
        graph_checks()[f"graphs: {name}"](search)
