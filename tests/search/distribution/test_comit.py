"""COMIT: a tree, and a fast search from its best samples."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.search import Better, Subsets, search_class
from fewest.search._spaces.weight_spaces import Levels
from fewest.testing import TableMeasure, drive, toy_table
from tests.search.distribution.cases import target_at


@pytest.mark.parametrize("optimiser", ["hill-climbing", "pbil"])
def test_comit_improves_by_either_optimiser(optimiser):
    best = np.arange(12) % 2 == 0
    scorer = TableMeasure(target_at(best)).bind(toy_table(n_features=12))
    search = search_class("comit")(population=200, optimiser=optimiser)
    assert (drive(search, Subsets(12), scorer, 0, max_batches=40).answer == best).all()


def test_comit_hill_climbing_proposes_neighbours_of_the_best():
    space = Levels(6)
    best = np.array([0, 0.5, 1, 0.5, 0, 1])
    scorer = TableMeasure(target_at(best)).bind(toy_table(n_features=6))
    search = search_class("comit")(population=50, climbers=1, improved=0.5)
    done = drive(search, space, scorer, 0, max_batches=2)
    order = Better(space).order(done.batches[0], done.values[0])
    changed = (done.batches[1][-24:] != done.batches[0][order[0]]).sum(axis=1)
    assert (changed == 1).all()


def test_comit_climbs_from_the_best_samples_of_the_last_batch():
    space = Subsets(8)
    best = np.ones(8)
    scorer = TableMeasure(target_at(best)).bind(toy_table(n_features=8))
    search = search_class("comit")(population=50, climbers=1, improved=0.5)
    done = drive(search, space, scorer, 3, max_batches=3)
    order = Better(space).order(done.batches[1], done.values[1])
    changed = (done.batches[2][-24:] != done.batches[1][order[0]]).sum(axis=1)
    assert (changed == 1).all()
