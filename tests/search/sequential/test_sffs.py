"""Sequential floating forward selection against its twin."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.search._sequential import SBFS, SFFS
from fewest.testing import random_values
from tests.naive import sequential
from tests.search.sequential.cases import D, function, path_values, run


@pytest.mark.parametrize("levels", [None, 4])
@pytest.mark.parametrize("seed", range(8))
def test_floating_search_scores_exactly_what_its_twin_looks_at(seed, levels):
    values = random_values(D, seed, levels)
    looked = set(path_values(sequential.sffs, function(values)))
    done = run(SFFS(patience=None), values)
    scored = {frozenset(np.flatnonzero(c).tolist()) for c in done.candidates}
    assert scored == looked | {frozenset()}


@pytest.mark.parametrize("size", range(D + 1))
def test_floating_search_answers_with_the_size_asked_for(size):
    values = random_values(D, 3)
    forward, backward = run(SFFS(size=size), values), run(SBFS(size=size), values)
    assert forward.answer.sum() == backward.answer.sum() == size
    best = sequential.sffs(D, function(values))[size]
    assert values[forward.answer @ (1 << np.arange(D))] <= function(values)(best)
