"""Random search: as many draws as asked for, each feasible."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.search import RandomSearch, Subsets
from fewest.testing import TableMeasure, drive, toy_table


@pytest.mark.parametrize(("draws", "batch", "sizes"), [(250, 100, [100, 100, 50]), (5, 100, [5])])
def test_batches_add_up_to_the_draws(draws, batch, sizes):
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=6))
    done = drive(RandomSearch(draws, batch=batch), Subsets(6, max_features=2), scorer)
    assert [len(b) for b in done.batches] == sizes
    assert (done.candidates.sum(axis=1) <= 2).all()
    assert done.verdict.reason == f"{draws} subsets drawn"


def test_without_a_number_it_goes_on():
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=6))
    done = drive(RandomSearch(None, batch=10), Subsets(6), scorer, max_batches=7)
    assert not done.ended
    assert len(done.batches) == 7
