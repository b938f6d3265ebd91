"""Packed tables: many features, many classes."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.data._as_table import as_table
from fewest.measures._consistency.inconsistency import Inconsistency
from tests.naive.inconsistency import inconsistency_count


def test_more_than_64_features():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (30, 70)).astype(str)
    y = (X[:, 66] == "1").astype(int)
    scorer = Inconsistency().bind(as_table(X, y))
    cuts = scorer.cuts(np.zeros(70, dtype=bool), 0)
    assert cuts[:, 66].all()


def test_more_than_254_classes():
    X = np.array([[str(i % 300)] for i in range(900)])
    y = np.arange(900) % 300
    y[:300:7] = 299 - y[:300:7]
    table = as_table(X, y.astype(str))  # as numbers they would not be classes
    with pytest.warns(UserWarning, match="contradict"):
        scorer = Inconsistency().bind(table)
    subsets = np.array([[True], [False]])
    counts = [inconsistency_count(X.tolist(), y.tolist(), s) for s in subsets]
    assert scorer.score(subsets).goals["inconsistencies"].tolist() == counts
