"""One step: neighbours written out or told as steps lead to the same choice, in the same run."""

from __future__ import annotations

import numpy as np
import pytest

from fewest import SubsetSelector
from fewest.measures._steps import Steps
from fewest.search import SBE, SBFS, SFFS, SFS, BestFirst, Better, Subsets
from fewest.search._sequential import around, down, up
from fewest.search._spaces.weight_spaces import Levels


def table(d=14):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 80)
    return rng.normal(size=(80, d)) + y[:, None] * (np.arange(d) % 4 == 0), y


def told_as_steps(monkeypatch):
    monkeypatch.setattr("fewest.search._sequential.MOST_UNITS_WRITTEN_OUT", 0)
    monkeypatch.setattr("fewest.search._spaces.subsets.MOST_UNITS_AS_BITS", 0)
    monkeypatch.setattr("fewest.measures._filters.rankings.ALL_PAIRS_UP_TO", 0)


@pytest.mark.parametrize(
    "constraints", [{}, {"include": [3], "exclude": [1]}, {"groups": [[0, 5]]}]
)
@pytest.mark.parametrize("measure", ["naive-bayes", "mrmr", "cfs", "inconsistency"])
@pytest.mark.parametrize(
    "search", [SFS(), SFS(size=5), SBE(), SFFS(), SBFS(), BestFirst()], ids=repr
)
def test_a_run_of_steps_is_the_run_of_their_subsets(search, measure, constraints, monkeypatch):
    X, y = table()

    def result():
        selector = SubsetSelector(measure=measure, search=search, random_state=0, **constraints)
        found = selector.fit(X, y).result_.to_dict()
        found["extra"].pop("phase_seconds")
        timed = ("seconds", "scoring_seconds", "search_seconds")
        history = [{k: v for k, v in e.items() if k not in timed} for e in found.pop("history")]
        return history, {k: v for k, v in found.items() if k not in timed}

    written = result()
    told_as_steps(monkeypatch)
    assert result() == written


@pytest.mark.parametrize("moves", [up, down, around])
@pytest.mark.parametrize("space", [Subsets(9), Levels(6)], ids=["subsets", "levels"])
def test_ties_between_steps_are_broken_as_between_their_subsets(moves, space):
    rng = np.random.default_rng(0)
    for _ in range(20):
        here = space.sample(1, rng)[0]
        change = moves(space, here)
        steps = Steps(here, change.units, change.levels)
        value = np.round(rng.random(len(steps)), 1) if len(steps) else np.zeros(0)
        better = Better(space)
        ordered = better.order(np.asarray(steps), value).tolist()
        assert better.order(steps, value).tolist() == ordered


def test_costs_of_steps_are_those_of_their_subsets():
    space = Subsets(6, include=(1,), costs=(1, 2, 3, 4, 5, 6), budget=15.0, min_features=2)
    here = np.array([True, False, True, False, False])
    change = around(space, here)
    steps = Steps(here, change.units, change.levels)
    for of in (space.cost, space.size, space.feasible, space.packed):
        assert of(steps).tolist() == of(np.asarray(steps)).tolist()
    np.testing.assert_array_equal(np.asarray(space.expand(steps)), space.expand(np.asarray(steps)))
