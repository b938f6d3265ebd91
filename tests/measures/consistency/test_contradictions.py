"""Rows that contradict each other."""

from __future__ import annotations

import numpy as np

from fewest.data._as_table import as_table
from fewest.measures._consistency.inconsistency import Inconsistency


def test_explain_shows_the_rows_that_contradict_each_other():
    X = np.array([["a", "u"], ["a", "v"], ["b", "u"], ["a", "v"], ["a", "u"]])
    table = as_table(X, ["no", "yes", "no", "yes", "no"])
    found = Inconsistency().explain(table, np.array([True, False]))
    assert [g.tolist() for g in found.groups] == [[0, 1, 3, 4]]
    assert found.counts.tolist() == [2]
    assert found.rate == 0.4
    assert found.rate_by_class == {"no": 0.0, "yes": 1.0}
