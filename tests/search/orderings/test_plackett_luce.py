"""The Plackett-Luce search finds an ordering, and draws more alike as it goes on."""

import numpy as np

from fewest.search import Orderings, PlackettLuceEDA
from fewest.testing import TableMeasure, drive, toy_table


def test_it_finds_the_one_best_ordering_and_narrows_down():
    target = np.array([4, 2, 0, 6, 1, 5, 3])
    place = np.argsort(target)
    measure = TableMeasure(lambda o: -float(abs(np.argsort(o) - place).sum()))
    scorer = measure.bind(toy_table(n_features=7))
    search = PlackettLuceEDA(population=60, mutation=0.1)
    done = drive(search, Orderings(7), scorer, max_batches=30)
    assert done.answer.tolist() == target.tolist()
    assert done.values[-1].mean() > done.values[0].mean() + 2
    space = Orderings(7)
    assert space.spread(done.batches[-1]) < space.spread(done.batches[0])
