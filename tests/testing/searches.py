"""Searches that the suites are tried on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewest._parameters import number, whole
from fewest.search._graphs import GraphSearch
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


class MoodyBox(Uniform):
    def propose(self, space, better, rng):
        yield space.sample(30, np.random.default_rng(), 1.0)


class Blind(Uniform):
    """Proposes one candidate again and again."""

    def propose(self, space, better, rng):
        yield np.repeat(space.sample(1, rng, 1.0), 5, axis=0)


class FragileBox(Uniform):
    def propose(self, space, better, rng):
        if np.isnan((yield space.sample(30, rng, 1.0)).value).any():
            raise ZeroDivisionError


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


class MoodyGraphs(Drawn):
    def walk(self, space, families, rng, bounds):
        yield space.sample(20, np.random.default_rng())


class Idle(Drawn):
    def walk(self, space, families, rng, bounds):
        yield np.zeros((1, space.n_units), dtype=bool)


class CarelessGraphs(Drawn):
    def start_on(self, scorer, space, rng, bounds):
        return None

    def propose(self, space, better, rng):
        yield space.sample(20, rng)


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


class MoodyOrder(Shuffled):
    def propose(self, space, better, rng):
        yield space.sample(30, np.random.default_rng())


class BlindOrder(Shuffled):
    def propose(self, space, better, rng):
        yield np.repeat(space.sample(1, rng), 5, axis=0)


class FragileOrder(Shuffled):
    def propose(self, space, better, rng):
        if np.isnan((yield space.sample(30, rng)).value).any():
            raise ZeroDivisionError
