"""The genetic algorithm with uniform crossover."""

from __future__ import annotations

from fewest.search._genetic import GAUniform
from fewest.search._spaces.subsets import Subsets
from fewest.testing import TableMeasure, drive, toy_table
from tests.search.genetic.cases import pairs_value


def test_the_best_of_a_genetic_algorithm_never_gets_worse():
    scorer = TableMeasure(pairs_value).bind(toy_table(n_features=12))
    search = GAUniform(population=20, mutation=0.0)
    done = drive(search, Subsets(12), scorer, 1, max_batches=60)
    # Without mutation and with the best surviving, the children end as copies of one subset.
    assert len({c.tobytes() for c in done.batches[-1]}) == 1
