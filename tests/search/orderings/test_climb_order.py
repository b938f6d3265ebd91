"""Climbing over orderings ends where no swap and no insertion helps."""

import numpy as np

from fewest.networks._ordering_searches import neighbours
from fewest.search import ClimbOrder, Orderings
from fewest.testing import TableMeasure, drive, toy_table


def rough(ordering):
    """A value with many local optima."""
    return float(np.sin((ordering.astype(float) * np.arange(1, 7) ** 2).sum()))


def test_the_end_is_a_local_optimum():
    scorer = TableMeasure(rough).bind(toy_table(n_features=6))
    done = drive(ClimbOrder(restarts=2), Orderings(6), scorer)
    assert done.ended
    around = neighbours(done.answer)
    assert max(rough(o) for o in around) <= done.best_value
    assert sum(len(batch) == 1 for batch in done.batches) == 2
