"""Searches that the suites are tried on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewest._parameters import number, whole
from fewest.search._search import Search, Verdict
from fewest.testing import every_candidate


@dataclass
class Plain(Search):
    """Random batches."""

    name = "plain"
    source = "this test"
    generational = True

    size: int = whole(20, low=1)

    def propose(self, space, better, rng):
        while True:
            yield space.sample(self.size, rng)


@dataclass
class Everything(Plain):
    """All subsets in one batch."""

    name = "everything"
    complete = True
    generational = False

    def propose(self, space, better, rng):
        yield every_candidate(space)
        return Verdict("all scored", optimal=True)


class Wide(Plain):
    def propose(self, space, better, rng):
        yield np.zeros((3, space.n_units + 1), dtype=bool)


class Infeasible(Plain):
    def propose(self, space, better, rng):
        yield np.ones((3, space.n_units), dtype=bool)


class Moody(Plain):
    def propose(self, space, better, rng):
        yield space.sample(3, np.random.default_rng())


class Careless(Everything):
    def propose(self, space, better, rng):
        yield every_candidate(space)[:3]
        return Verdict("not all scored", optimal=True)


class Fragile(Plain):
    def propose(self, space, better, rng):
        scores = yield space.sample(9, rng)
        if np.isnan(scores.value).any():
            raise ZeroDivisionError


@dataclass
class Loose(Plain):
    bias: float = number(0.5)

    def check_parameters(self):
        pass
