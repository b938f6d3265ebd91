"""The model of the best orderings draws the next ones."""

from __future__ import annotations

import numpy as np

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
