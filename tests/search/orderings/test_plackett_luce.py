"""The model of the best orderings draws the next ones."""

from __future__ import annotations

import numpy as np

from fewest.networks._ordering_searches import ties_by_chance
from fewest.search import Orderings, PlackettLuceEDA
from fewest.testing import TableMeasure, drive, toy_table


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
