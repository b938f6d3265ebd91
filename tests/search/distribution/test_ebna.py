"""EBNA: structures by Algorithm B, K2 and PC."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.search import Subsets, search_class
from fewest.testing import TableMeasure, drive, toy_table
from tests.search.distribution.cases import target_at


@pytest.mark.parametrize("learning", ["k2", "pc"])
def test_ebna_learns_by_other_ways(learning):
    best = np.arange(12) % 2 == 0
    scorer = TableMeasure(target_at(best)).bind(toy_table(n_features=12))
    search = search_class("ebna")(population=200, learning=learning)
    assert (drive(search, Subsets(12), scorer, 0, max_batches=40).answer == best).all()
