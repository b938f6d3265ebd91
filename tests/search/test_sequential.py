"""Sequential and best-first searches, and annealing."""

from __future__ import annotations

import numpy as np
import pytest

from fewest import SubsetSelector
from fewest._errors import InputError
from fewest.measures._steps import Steps
from fewest.search import SBE, SBFS, SFFS, SFS, BestFirst, Better, Subsets
from fewest.search._random import Annealing
from fewest.search._sequential import around, down, up
from fewest.search._spaces.weight_spaces import Levels
from fewest.testing import TableMeasure, drive, random_values, toy_table
from tests.naive import sequential

# A search driven over tables of values, beside its twin.
#: Number of features.
D = 6


def run(search, lookup, space=None, d=D):
    space = space or Subsets(d)
    return drive(search, space, TableMeasure(lookup).bind(toy_table(n_features=d)))


def function(values):
    return lambda subset: values[sum(1 << f for f in subset)]


def path_values(twin, value):
    """All subsets that the twin looks at."""
    looked = []

    def spy(subset):
        looked.append(subset)
        return value(subset)

    twin(D, spy)
    return looked


# One step: neighbours written out or told as steps lead to the same choice, in the same run.
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


# The sequential searches, against slow twins and values worked out by hand.
@pytest.mark.parametrize("levels", [None, 5])
@pytest.mark.parametrize("seed", range(8))
def test_greedy_searches_end_where_their_twins_do(seed, levels):
    values = random_values(D, seed, levels) + np.bitwise_count(np.arange(2**D)) * 0.05
    value = function(values)
    for search, twin in ((SFS(), sequential.sfs), (SBE(equal=False), sequential.sbe)):
        end = twin(D, value)
        around = [end ^ {f} for f in range(D)]
        done = run(search, values)
        assert done.best_value == max(value(s) for s in [end, *path_values(twin, value)])
        scored = {frozenset(np.flatnonzero(c).tolist()) for c in done.candidates}
        outward = {s for s in around if (len(s) > len(end)) == (twin is sequential.sfs)}
        assert outward <= scored


@pytest.mark.parametrize("search", [SFS(size=4), SBE(size=4)])
def test_greedy_searches_go_on_to_the_size_asked_for(search):
    done = run(search, lambda mask: -float(abs(mask.sum() - 2)))
    assert done.answer.sum() == 4
    assert done.verdict.reason == "4 features reached"


@pytest.mark.parametrize("search", [SFS, SBE, SFFS, SBFS])
def test_a_size_out_of_range_is_refused(search):
    with pytest.raises(InputError, match="`size` must be between 1 and 6 .*, but is 9"):
        run(search(size=9), random_values(D), Subsets(D, include=(2,)))


def test_many_neighbours_come_in_parts(monkeypatch):
    whole = run(SFS(), random_values(D, 1))
    monkeypatch.setattr("fewest.search._sequential.BLOCK_BYTES", 2 * D)
    parts = run(SFS(), random_values(D, 1))
    assert max(len(b) for b in parts.batches) == 2
    np.testing.assert_array_equal(whole.answer, parts.answer)


# Sequential forward selection.
def test_below_the_smallest_size_forward_search_goes_on_whatever_the_value():
    done = run(SFS(), lambda mask: -float(mask.sum()), Subsets(D, min_features=3))
    assert done.answer.sum() == 3


def test_least_gain_stops_small_steps():
    done = run(SFS(least_gain=0.15), lambda mask: [0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0][mask.sum()])
    assert len(done.batches) == 3


# Sequential backward elimination.
def test_above_the_budget_backward_search_goes_on_whatever_the_value():
    space = Subsets(D, costs=(1.0,) * D, budget=2.0)
    assert run(SBE(), lambda mask: float(mask.sum()), space).answer.sum() == 2


def test_backward_elimination_drops_what_changes_nothing_unless_told():
    def value(mask):
        return float(mask[0])

    plain, equal = run(SBE(equal=False), value), run(SBE(equal=True), value)
    assert len(plain.batches) == 2
    np.testing.assert_array_equal(equal.answer, np.arange(D) == 0)


# What both floating searches share.
@pytest.mark.parametrize("levels", [None, 4])
def test_floating_never_ends_below_the_greedy_search(levels):
    below = 0
    for seed in range(60):
        values = random_values(8, seed, levels) + np.bitwise_count(np.arange(2**8)) * 0.1
        pairs = [(SFFS(), SFS()), (SBFS(), SBE()), *((SFFS(size=k), SFS(size=k)) for k in (3, 5))]
        for floating, greedy in pairs:
            high, low = (
                run(s, values, d=8).answer @ (1 << np.arange(8)) for s in (floating, greedy)
            )
            assert values[high] >= values[low]
            below += values[high] > values[low]
    assert below > 10  # ... and often ends above it


@pytest.mark.parametrize("search", [SFS, SBE, SFFS, SBFS])
def test_a_size_that_the_groups_do_not_allow_is_refused(search):
    with pytest.raises(InputError, match="`size` cannot be 3"):
        run(search(size=3), random_values(D), Subsets(D, groups=((0, 1), (2, 3), (4, 5))))


# Sequential floating forward selection against its twin.
@pytest.mark.parametrize("levels", [None, 4])
@pytest.mark.parametrize("seed", range(8))
def test_floating_search_scores_exactly_what_its_twin_looks_at(seed, levels):
    values = random_values(D, seed, levels)
    looked = set(path_values(sequential.sffs, function(values)))
    done = run(SFFS(patience=None), values)
    scored = {frozenset(np.flatnonzero(c).tolist()) for c in done.candidates}
    assert scored == looked | {frozenset()}


@pytest.mark.parametrize("size", range(D + 1))
def test_floating_search_answers_with_the_size_asked_for(size):
    values = random_values(D, 3)
    forward, backward = run(SFFS(size=size), values), run(SBFS(size=size), values)
    assert forward.answer.sum() == backward.answer.sum() == size
    best = sequential.sffs(D, function(values))[size]
    assert values[forward.answer @ (1 << np.arange(D))] <= function(values)(best)


# Sequential floating backward elimination.
def test_backward_floating_is_the_mirror_image_of_forward():
    values = random_values(D, 5)
    forward = run(SFFS(patience=None), values)
    backward = run(SBFS(patience=None), values[::-1].copy())
    # Index i of the reversed table is the complement of subset i.
    mirrored = {tuple(~c) for c in backward.candidates}
    assert mirrored == {tuple(c) for c in forward.candidates}


# Best-first search against its twin.
@pytest.mark.parametrize("patience", [1, 2, 5])
@pytest.mark.parametrize("seed", range(8))
def test_best_first_finds_what_its_twin_finds(seed, patience):
    values = random_values(D, seed, levels=30)
    done = run(BestFirst(patience=patience), values)
    assert done.best_value == sequential.best_first(D, function(values), patience)


def test_best_first_escapes_where_greedy_search_stops():
    def value(mask):
        return 1.0 if mask[:3].all() else 0.5 - 0.1 * mask.sum() - 0.2 * mask[3:].any()

    assert run(SFS(), value).best_value == 0.5
    assert run(BestFirst(), value).best_value == 1.0


def test_compound_changes_reach_far_subsets_in_fewer_evaluations():
    def value(mask):
        return float(mask[:10].sum() - mask[10:].sum())

    plain = run(BestFirst(patience=1), value, d=20)
    compound = run(BestFirst(patience=1, compound=True), value, d=20)
    assert plain.best_value == compound.best_value == 10
    assert compound.evaluations < plain.evaluations / 2


# Simulated annealing.
def test_annealing_takes_worse_steps_only_while_it_is_hot():
    def walk(**parameters):
        scorer = TableMeasure(np.sum).bind(toy_table(n_features=30))
        search = Annealing(chains=10, steps=300, **parameters)
        return drive(search, Subsets(30), scorer, 0).values[-1].mean()

    assert walk(temperature=1e6, cooling=1.0) < 20
    assert walk(temperature=1e-6) > 28
