"""One density that moves: the search ends where it has no width."""

from __future__ import annotations

import numpy as np

from fewest.search import SHCLVND, Box
from fewest.testing import TableMeasure, drive, toy_table


def test_the_search_ends_with_the_width_of_its_density():
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=2))
    # Deviations of 12^-1/2, halved each time, are below 1e-12 after 39 generations.
    done = drive(SHCLVND(population=10, beta=0.5), Box(2), scorer)
    assert done.verdict.reason == "the density has no width left"
    assert len(done.batches) == 39
    assert {len(batch) for batch in done.batches} == {10}


def test_what_lies_outside_is_moved_to_the_border():
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=2))
    done = drive(SHCLVND(population=50), Box(2), scorer, max_batches=30)
    assert done.candidates.min() >= 0
    assert done.candidates.max() == 1
    assert done.best_value == 2.0
