"""Distinct rows: long tables are counted as short ones."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.data._as_table import as_table
from fewest.measures._consistency.inconsistency import Inconsistency
from tests.measures.consistency.cases import random_table


@pytest.mark.filterwarnings("ignore:.*contradict others")
def test_long_tables_are_counted_as_short_ones(monkeypatch):
    X, y = random_table(3, n=200, d=9)
    table = as_table(X, y)
    subsets = np.random.default_rng(0).random((30, 9)) < 0.5
    short = Inconsistency().bind(table).score(subsets).value
    monkeypatch.setattr("fewest.measures._consistency.patterns.MOST_ROWS_BY_PARTITIONS", 20)
    monkeypatch.setattr("fewest.measures._consistency.patterns.ROWS_PER_BUCKET", 16)
    monkeypatch.setattr("fewest.measures._consistency.patterns.ROWS_PER_CHUNK", 50)
    np.testing.assert_array_equal(Inconsistency().bind(table).score(subsets).value, short)
