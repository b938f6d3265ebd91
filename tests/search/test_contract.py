"""What all searches stand on: better, populations, random draws, restarts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import fewest
from fewest._errors import InputError
from fewest._run.stop_rules import Seconds
from fewest.measures._measure import Scores
from fewest.search import UMDA, Better, GAUniform, RandomSearch, Search, Subsets
from fewest.search._auto import Restarts
from fewest.search._better import ascending
from fewest.search._population import (
    Population,
    first_population,
    mean_share,
    proportional,
    survivors,
)
from fewest.search._search import VALUE_AND_COST
from fewest.testing import TableMeasure, drive, toy_table


# What every search has by its class: defaults, and the door to monotone measures.
@dataclass
class Idle(Search):
    name: ClassVar[str] = "idle"


def test_the_defaults_promise_nothing():
    search = Idle()
    assert search.spaces == ("subsets",)
    flags = (search.needs_monotone, search.generational, search.complete, search.samples_on)
    assert not any(flags)
    assert search.goal_names() == VALUE_AND_COST
    assert search.learned_graph(np.zeros((0, 3), dtype=bool), np.zeros(0), Subsets(3)) is None


def test_a_search_without_a_generator_says_so():
    space = Subsets(3)
    with pytest.raises(NotImplementedError, match="Idle has no `propose`"):
        Idle().start(space, Better(space), np.random.default_rng(0))
    with pytest.raises(NotImplementedError, match="Idle has no `propose_monotone`"):
        Idle().propose_monotone(space, Better(space), np.random.default_rng(0), None)


# Better: value, then cost, then earlier features; against sorting by hand.
def by_hand(space, rows, value):
    def rank(i):
        known = -np.inf if np.isnan(value[i]) else round(float(value[i]), 12)
        return (-known, float(space.cost(rows[i : i + 1])[0]), [not bit for bit in rows[i]])

    return sorted(range(len(rows)), key=rank)


@pytest.mark.parametrize("d", [3, 9, 70])
def test_the_order_is_value_cost_and_earlier_features(d):
    rng = np.random.default_rng(d)
    rows = np.unique(rng.random((60, d)) < 0.4, axis=0)
    rows = rows[rng.permutation(len(rows))]
    value = np.round(rng.random(len(rows)), 1)
    value[::7] = np.nan
    space = Subsets(d, costs=tuple(rng.integers(1, 4, d).tolist()))
    better = Better(space)
    expected = by_hand(space, rows, value)
    assert better.order(rows, value).tolist() == expected
    assert better.best(rows, value) == expected[0]


def test_sums_in_another_order_are_the_same_value():
    better = Better(Subsets(2))
    assert not better.improves(0.5 + 1e-13, 0.5)
    assert better.improves(0.5 + 1e-9, 0.5)
    assert better.improves(0.1, np.nan)
    rows = np.array([[True, True], [True, False]])
    assert better.best(rows, np.array([0.5 + 1e-13, 0.5])) == 1


@pytest.mark.parametrize("width", [0, 1, 8, 9, 20])
def test_bytes_are_compared_from_the_left_and_ties_stay_in_order(width):
    rows = np.random.default_rng(width).integers(0, 3, (50, width), dtype=np.uint8)
    expected = sorted(range(50), key=lambda i: rows[i].tobytes())
    assert ascending(rows).tolist() == expected


# Populations: who survives, and who are parents.
def _population(rows, value):
    return Population(np.array(rows, dtype=bool), Scores(np.array(value)))


def test_the_best_of_both_survive_and_ties_go_to_fewer_features():
    better = Better(Subsets(3))
    old = _population([[1, 1, 1], [1, 0, 0]], [0.9, 0.1])
    new = _population([[1, 1, 0], [0, 0, 1]], [0.9, np.nan])
    kept = survivors(old, new, 3, better)
    np.testing.assert_array_equal(kept.candidates, [[1, 1, 0], [1, 1, 1], [1, 0, 0]])
    np.testing.assert_array_equal(kept.value, [0.9, 0.9, 0.1])


def test_parents_are_drawn_in_proportion():
    value = np.array([0.1, 0.3, 0.6])
    drawn = proportional(value, 20_000, np.random.default_rng(0))
    share = np.bincount(drawn, minlength=3) / 20_000
    np.testing.assert_allclose(share, value, atol=0.02)


def test_negative_values_are_raised():
    drawn = proportional(np.array([-3.0, -2.0, -1.0]), 20_000, np.random.default_rng(0))
    share = np.bincount(drawn, minlength=3) / 20_000
    np.testing.assert_allclose(share, [0, 1 / 3, 2 / 3], atol=0.02)


def test_equal_or_unknown_values_make_parents_of_all():
    rng = np.random.default_rng(0)
    for value in (np.zeros(4), np.full(4, np.nan), np.full(4, -2.0)):
        assert set(proportional(value, 200, rng)) == {0, 1, 2, 3}
    assert set(proportional(np.array([np.nan, 0.0, -np.inf]), 50, rng)) == {1}


def test_a_wide_space_starts_with_small_subsets_of_all_sizes():
    sizes = first_population(Subsets(2000), 2000, np.random.default_rng(0), None).sum(axis=1)
    assert sizes.max() < 150  # twice the square root of 2000, and chance
    low, middle = np.quantile(sizes, [0.25, 0.5])
    assert 1 <= low <= 4 < middle < 15  # even on a logarithmic scale
    assert mean_share(2000, None) == pytest.approx(sizes.mean() / 2000, rel=0.1)


def test_other_spaces_start_with_one_half_or_what_is_given():
    rng = np.random.default_rng
    narrow = first_population(Subsets(40), 500, rng(0), None)
    assert np.array_equal(narrow, Subsets(40).sample(500, rng(0), 0.5))
    wide = first_population(Subsets(400), 500, rng(0), 0.2)
    assert np.array_equal(wide, Subsets(400).sample(500, rng(0), 0.2))
    assert mean_share(400, 0.2) == 0.2
    small = first_population(Subsets(400, min_features=3, max_features=5), 500, rng(0), None)
    assert set(small.sum(axis=1)) == {3, 4, 5}


# Random search: as many draws as asked for, each feasible.
@pytest.mark.parametrize(("draws", "batch", "sizes"), [(250, 100, [100, 100, 50]), (5, 100, [5])])
def test_batches_add_up_to_the_draws(draws, batch, sizes):
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=6))
    done = drive(RandomSearch(draws, batch=batch), Subsets(6, max_features=2), scorer)
    assert [len(b) for b in done.batches] == sizes
    assert (done.candidates.sum(axis=1) <= 2).all()
    assert done.verdict.reason == f"{draws} subsets drawn"


def test_without_a_number_it_goes_on():
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=6))
    done = drive(RandomSearch(None, batch=10), Subsets(6), scorer, max_batches=7)
    assert not done.ended
    assert len(done.batches) == 7


# A search that starts again, larger each time.
def batches(search, value, n=30):
    """The sizes of the first batches when every batch gets this value."""
    space = Subsets(12)
    proposals = search.propose(space, Better(space), np.random.default_rng(0))
    sizes, batch = [], next(proposals)
    for i in range(n):
        sizes.append(len(batch))
        batch = proposals.send(Scores(np.full(len(batch), value(i)) + 1e-9 * batch[:, 0]))
    return sizes


def test_each_start_has_twice_the_population():
    sizes = batches(Restarts(UMDA(population=10), patience=2), lambda i: 0.5, n=12)
    # A first population of n, then n - 1 samples for each generation of patience.
    assert [s for s in sizes if s % 10 == 0][:3] == [10, 20, 40]


def test_a_start_that_improves_goes_on():
    sizes = batches(Restarts(UMDA(population=10), patience=2), lambda i: float(i), n=8)
    assert sizes == [10] + [9] * 7


def test_it_ends_when_nothing_better_is_found_and_says_so():
    scorer = TableMeasure(sum).bind(toy_table(n_features=6))
    done = drive(Restarts(GAUniform(population=10), patience=3, rounds=2), Subsets(6), scorer)
    assert done.best_value == 6.0
    assert done.verdict.reason.startswith("the last 2 starts found nothing better (")


def test_it_goes_by_the_name_of_the_search():
    search = Restarts(UMDA())
    assert (search.name, search.spaces) == ("umda", UMDA().spaces)
    assert search.goal_names() == UMDA().goal_names()


def test_parameters_of_the_search_are_checked():
    with pytest.raises(InputError, match="`population` of UMDA"):
        Restarts(UMDA(population=0)).check_parameters()


def test_the_same_seed_gives_the_same_steps():
    X = np.random.default_rng(0).normal(size=(60, 8))
    y = np.arange(60) % 2
    search = Restarts(UMDA(population=20), patience=2, rounds=2)
    one, two = (
        fewest.SubsetSelector("gaussian-nb", search=search, random_state=3).fit(X, y).result_
        for _ in range(2)
    )
    assert [h["evaluations"] for h in one.history] == [h["evaluations"] for h in two.history]


def test_a_time_budget_with_auto_uses_restarts():
    X = np.random.default_rng(0).normal(size=(40, 6))
    selector = fewest.SubsetSelector(
        "gaussian-nb", search=UMDA(population=10), stop=["auto", Seconds(60)], random_state=0
    ).fit(X, np.arange(40) % 2)
    assert selector.result_.search == "umda"
    assert isinstance(selector.search_, Restarts)
    assert any("The time budget is used" in note for note in selector.result_.notes)
    # All 63 subsets are soon known, so that it ends long before the time is up.
    assert not selector.result_.partial
