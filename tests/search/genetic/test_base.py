"""Genetic searches, CHC and annealing: their operators, and what they find."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from fewest.search._genetic import CHC, GAOnePoint, GASimple, GAUniform
from fewest.search._random import Annealing
from fewest.search._spaces.subsets import Subsets
from fewest.search._spaces.weight_spaces import Levels
from fewest.testing import TableMeasure, drive, toy_table
from tests.search.genetic.cases import pairs_value


@pytest.mark.parametrize(
    "search",
    [
        GAOnePoint(population=100),
        GAUniform(population=100),
        GASimple(mutation=0.02),
        CHC(),
        Annealing(chains=20, steps=300),
    ],
    ids=lambda s: s.name,
)
def test_they_find_the_pairs(search):
    masks = np.array(list(itertools.product([False, True], repeat=12)))
    best = max(pairs_value(mask) for mask in masks)
    scorer = TableMeasure(pairs_value).bind(toy_table(n_features=12))
    done = drive(search, Subsets(12), scorer, 3, max_batches=40 if not search.ends else 1000)
    assert done.best_value == best


def test_few_features_at_the_start():
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=200))
    for search in (GAOnePoint(p0=0.05), GAUniform(p0=0.05), CHC(p0=0.05), GASimple(p0=0.05)):
        done = drive(search, Subsets(200), scorer, 0, max_batches=1)
        assert 8 < done.candidates.sum(axis=1).mean() < 12


def test_weights_are_found_too():
    wanted = np.array([0.0, 0.5, 1.0, 0.5, 0.0])
    scorer = TableMeasure(lambda w: -float(np.abs(w - wanted).sum())).bind(toy_table())
    for search in (GAUniform(population=60), CHC(), Annealing()):
        done = drive(search, Levels(5), scorer, 0, max_batches=60)
        np.testing.assert_array_equal(Levels(5).expand(done.answer[None])[0], wanted)
