"""Rows that are equal in some columns, against a dictionary."""

from __future__ import annotations

import pickle

import numpy as np
from numpy.testing import assert_array_equal

from fewest.measures.wrappers.linear.row_groups import RowGroups


def table(seed=0, n=200, d=6, levels=3):
    rng = np.random.default_rng(seed)
    return rng.integers(0, levels, (n, d)).astype(float), rng.integers(0, 2, n)


def test_groups():
    X, y = table()
    groups = RowGroups.of(X, y)
    for mask in np.random.default_rng(1).random((10, 6)) < 0.4:
        known = {}
        for row, key in enumerate(map(tuple, np.column_stack([X[:, mask], y]).tolist())):
            known.setdefault(key, []).append(row)
        found = groups.find(mask)
        if 2 * len(known) > len(X):
            assert found is None
            continue
        group, first = found
        assert len(first) == len(known)
        for rows in known.values():
            assert len(set(group[rows])) == 1
            assert first[group[rows[0]]] in rows


def test_groups_that_do_not_pay():
    X, y = table(levels=50)
    assert RowGroups.of(X, y).find(np.ones(6, dtype=bool)) is None
    X, y = table(n=20)
    assert RowGroups.of(X, y).find(np.ones(6, dtype=bool)) is None


def test_pickles():
    X, y = table()
    groups, mask = RowGroups.of(X, y), np.array([True, True, False, False, False, False])
    assert_array_equal(pickle.loads(pickle.dumps(groups)).find(mask)[0], groups.find(mask)[0])
