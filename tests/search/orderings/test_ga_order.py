"""The genetic algorithm over orderings: elitism, restarts, all crossovers."""

import numpy as np
import pytest

from fewest.search import GAOrder, Orderings
from fewest.testing import TableMeasure, drive, toy_table


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
