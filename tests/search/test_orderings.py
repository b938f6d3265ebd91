"""Searches over orderings, and their operators."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from fewest.search import ClimbOrder, GAOrder, Orderings, PlackettLuceEDA
from fewest.search._orderings import (
    cross_orderings,
    draw_cuts,
    neighbours,
    swap,
    ties_by_chance,
)
from fewest.testing import TableMeasure, drive, toy_table


# Changes of orderings: all neighbours, cuts in range, swaps.
def test_neighbours_are_all_swaps_and_insertions_once():
    here = (0, 1, 2, 3, 4)
    expected = set()
    for i in range(5):
        for j in range(5):
            moved = [v for v in here if v != here[i]]
            moved.insert(j, here[i])
            swapped = list(here)
            swapped[i], swapped[j] = swapped[j], swapped[i]
            expected |= {tuple(moved), tuple(swapped)}
    found = [tuple(row) for row in neighbours(np.array(here)).tolist()]
    assert len(found) == len(set(found))
    assert set(found) == expected - {here}
    assert len(neighbours(np.array([0]))) == 0


def test_cuts_hold_at_least_one_place():
    begins, ends = draw_cuts(500, 4, np.random.default_rng(0))
    assert (begins >= 0).all()
    assert (begins < ends).all()
    assert (ends <= 4).all()
    pairs = set(zip(begins.tolist(), ends.tolist(), strict=True))
    assert pairs == {(a, b) for a in range(4) for b in range(a + 1, 5)}


@pytest.mark.parametrize("how", ["ox", "pmx", "cx"])
def test_children_are_orderings_and_keep_equal_parents(how):
    rng = np.random.default_rng(0)
    parents = np.array(list(permutations(range(5))), dtype=np.uint8)
    one, other = cross_orderings(parents, parents[::-1], how, rng)
    for born in (one, other):
        assert (np.sort(born, axis=1) == np.arange(5)).all()
    same, _ = cross_orderings(parents, parents, how, rng)
    if how != "ox":
        assert (same == parents).all()


def test_swap_exchanges_two_places_at_its_rate():
    rng = np.random.default_rng(0)
    rows = np.tile(np.arange(6), (1000, 1))
    changed = swap(rows, 0.5, rng)
    different = (changed != rows).sum(axis=1)
    assert set(different) == {0, 2}
    assert (different > 0).mean() == pytest.approx(0.5 * 5 / 6, abs=0.05)
    assert (swap(rows, 0.0, rng) == rows).all()


# Climbing over orderings ends where no swap and no insertion helps.
def rough(ordering):
    """A value with many local optima."""
    return float(np.sin((ordering.astype(float) * np.arange(1, 7) ** 2).sum()))


def test_the_end_is_a_local_optimum():
    scorer = TableMeasure(rough).bind(toy_table(n_features=6))
    done = drive(ClimbOrder(restarts=2), Orderings(6), scorer)
    assert done.ended
    around = neighbours(done.answer)
    assert max(rough(o) for o in around) <= done.best_value
    assert sum(len(batch) == 1 for batch in done.batches) == 2


# The genetic algorithm over orderings: elitism, restarts, all crossovers.
def scorer(n=7):
    target = np.arange(n)[::-1]
    return TableMeasure(lambda o: -float(abs(o - target).sum())).bind(toy_table(n_features=n))


@pytest.mark.parametrize("how", ["ox", "pmx", "cx"])
def test_every_crossover_finds_the_one_best_ordering(how):
    done = drive(GAOrder(crossover=how), Orderings(7), scorer(), max_batches=60)
    assert done.answer.tolist() == [6, 5, 4, 3, 2, 1, 0]


def test_the_elite_stays_in_the_population():
    search = GAOrder(population=10, elite=2, rate=0.0, mutation=0.0, patience=None)
    done = drive(search, Orderings(5), scorer(5), max_batches=30)
    # Copies only: without elitism the best would get lost sooner or later.
    best = max(done.values[0])
    assert max(done.values[-1]) == best


def test_without_progress_all_but_the_elite_are_drawn_anew():
    calm = GAOrder(population=20, rate=0.0, mutation=0.0, patience=None)
    stirred = GAOrder(population=20, rate=0.0, mutation=0.0, patience=2)
    seen = [drive(s, Orderings(6), scorer(6), max_batches=25).evaluations for s in (calm, stirred)]
    assert seen[1] > 4 * seen[0]


# The model of the best orderings draws the next ones.
def off_place(ordering):
    return -float(abs(ordering.astype(float) - np.arange(len(ordering))).sum())


def test_the_population_comes_nearer_and_nearer():
    scorer = TableMeasure(off_place).bind(toy_table(n_features=8))
    done = drive(PlackettLuceEDA(population=60), Orderings(8), scorer, max_batches=25)
    means = [value.mean() for value in done.values]
    # At random the distance is (8^2 - 1) / 3 = 21 on average.
    assert abs(means[0] + 21) < 2
    assert means[-1] > -8
    assert done.best_value == 0


def test_every_generation_is_as_large_as_the_population():
    scorer = TableMeasure(off_place).bind(toy_table(n_features=4))
    done = drive(PlackettLuceEDA(population=10), Orderings(4), scorer, max_batches=5)
    assert [len(batch) for batch in done.batches] == [10] * 5
    assert (np.sort(done.candidates, axis=1) == np.arange(4)).all()


def test_equal_values_do_not_pull_the_model_anywhere():
    scorer = TableMeasure(lambda _: 1.0).bind(toy_table(n_features=6))
    places = []
    for seed in range(10):
        done = drive(PlackettLuceEDA(population=40), Orderings(6), scorer, seed, max_batches=15)
        places.append(np.argsort(done.batches[-1], axis=1).mean(axis=0))
    # Ties by key would put the last variable first in every run: 0.2 and 4.8.
    assert np.abs(np.mean(places, axis=0) - 2.5).max() < 1.0


def test_values_that_differ_by_rounding_only_are_equal():
    value = -55_000.0 + np.array([0.0, 1e-11, 2e-11, -1.0])
    first = {int(ties_by_chance(value, np.random.default_rng(s))[0]) for s in range(30)}
    assert first == {0, 1, 2}
    assert all(ties_by_chance(value, np.random.default_rng(s))[-1] == 3 for s in range(30))
