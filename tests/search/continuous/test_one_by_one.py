"""One candidate at a time after the first population."""

from __future__ import annotations

import numpy as np

from fewest.search import Box, EMNAAdaptive, EMNAIncremental
from fewest.testing import TableMeasure, drive, toy_table


def test_a_population_and_then_single_candidates():
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=2))
    done = drive(EMNAIncremental(population=20, steps=7), Box(2), scorer)
    assert [len(batch) for batch in done.batches] == [20, *[1] * 7]
    assert done.verdict.reason == "7 candidates sampled"


def test_the_selected_of_the_first_population_set_the_region():
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=2))
    search = EMNAIncremental(population=400, selected=0.05, steps=100)
    done = drive(search, Box(2), scorer)
    # The best twentieth of a square by the sum lies in a corner.
    assert np.mean(done.values[1:]) > 1.5


def test_equal_members_end_the_search():
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=2))
    done = drive(EMNAAdaptive(population=5), Box(2, include=(0, 1), least=1.0), scorer)
    assert done.verdict.reason == "all individuals of the population are the same"
    assert len(done.batches) == 1
