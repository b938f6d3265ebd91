"""Best-first search against its twin."""

from __future__ import annotations

import pytest

from fewest.search._best_first import BestFirst
from fewest.search._sequential import SFS
from fewest.testing import random_values
from tests.naive import sequential
from tests.search.sequential.cases import D, function, run


@pytest.mark.parametrize("patience", [1, 2, 5])
@pytest.mark.parametrize("seed", range(8))
def test_best_first_finds_what_its_twin_finds(seed, patience):
    values = random_values(D, seed, levels=30)
    done = run(BestFirst(patience=patience), values)
    assert done.best_value == sequential.best_first(D, function(values), patience)


def test_best_first_escapes_where_greedy_search_stops():
    def value(mask):
        return 1.0 if mask[:3].all() else 0.5 - 0.1 * mask.sum() - 0.2 * mask[3:].any()

    assert run(SFS(), value).best_value == 0.5
    assert run(BestFirst(), value).best_value == 1.0


def test_compound_changes_reach_far_subsets_in_fewer_evaluations():
    def value(mask):
        return float(mask[:10].sum() - mask[10:].sum())

    plain = run(BestFirst(patience=1), value, d=20)
    compound = run(BestFirst(patience=1, compound=True), value, d=20)
    assert plain.best_value == compound.best_value == 10
    assert compound.evaluations < plain.evaluations / 2
