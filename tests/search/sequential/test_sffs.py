"""Sequential floating forward selection against its twin."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.search.sequential.sbfs import SBFS
from fewest.search.sequential.sffs import SFFS
from fewest.search.spaces.subsets import Subsets
from fewest.testing import TableMeasure, drive, random_values, toy_table
from tests.naive import sequential

D = 6


def _run(search, lookup, space=None, d=D):
    space = space or Subsets(d)
    return drive(search, space, TableMeasure(lookup).bind(toy_table(n_features=d)))


def _function(values):
    return lambda subset: values[sum(1 << f for f in subset)]


def _path_values(twin, value):
    """All subsets that the twin looks at."""
    looked = []

    def spy(subset):
        looked.append(subset)
        return value(subset)

    twin(D, spy)
    return looked


@pytest.mark.parametrize("levels", [None, 4])
@pytest.mark.parametrize("seed", range(8))
def test_floating_search_scores_exactly_what_its_twin_looks_at(seed, levels):
    values = random_values(D, seed, levels)
    looked = set(_path_values(sequential.sffs, _function(values)))
    done = _run(SFFS(patience=None), values)
    scored = {frozenset(np.flatnonzero(c).tolist()) for c in done.candidates}
    assert scored == looked | {frozenset()}


@pytest.mark.parametrize("size", range(D + 1))
def test_floating_search_answers_with_the_size_asked_for(size):
    values = random_values(D, 3)
    forward, backward = _run(SFFS(size=size), values), _run(SBFS(size=size), values)
    assert forward.answer.sum() == backward.answer.sum() == size
    best = sequential.sffs(D, _function(values))[size]
    assert values[forward.answer @ (1 << np.arange(D))] <= _function(values)(best)
