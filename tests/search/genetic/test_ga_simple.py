"""The simple generational genetic algorithm."""

from __future__ import annotations

from fewest.search._genetic import GASimple
from fewest.search._spaces.subsets import Subsets
from fewest.testing import TableMeasure, drive, toy_table
from tests.search.genetic.cases import pairs_value


def test_the_simple_genetic_algorithm_keeps_nobody():
    scorer = TableMeasure(pairs_value).bind(toy_table(n_features=12))
    done = drive(GASimple(population=10, generations=7, mutation=0.5), Subsets(12), scorer, 1)
    assert [len(b) for b in done.batches] == [10] * 7
    assert done.verdict.reason == "7 generations done"
