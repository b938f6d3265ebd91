"""Subsets along a ranking."""

import numpy as np

from fewest._fitting.consensus import Prefixes, prefixes
from fewest.search import Subsets


def batch(order, space):
    proposals = Prefixes(order).propose(space, None, np.random.default_rng(0))
    return np.asarray(next(proposals))


def test_each_prefix_adds_one_unit_and_the_last_row_is_everything():
    rows = prefixes((3, 1), 5)
    assert [np.flatnonzero(r).tolist() for r in rows] == [[3], [1, 3], [0, 1, 2, 3, 4]]


def test_only_prefixes_that_keep_the_sizes_are_proposed():
    assert batch((2, 0, 1), Subsets(4, min_features=2, max_features=3)).sum(axis=1).tolist() == [
        2,
        3,
    ]


def test_where_no_prefix_is_allowed_something_near_is_proposed():
    space = Subsets(4, costs=(5.0, 5.0, 1.0, 1.0), budget=2.0, min_features=2)
    found = batch((0, 1), space)
    assert len(found)
    assert space.feasible(found).all()
