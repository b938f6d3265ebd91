"""A search driven over tables of values, beside its twin."""

from __future__ import annotations

from fewest.search._spaces.subsets import Subsets
from fewest.testing import TableMeasure, drive, toy_table

#: Number of features.
D = 6


def run(search, lookup, space=None, d=D):
    space = space or Subsets(d)
    return drive(search, space, TableMeasure(lookup).bind(toy_table(n_features=d)))


def function(values):
    return lambda subset: values[sum(1 << f for f in subset)]


def path_values(twin, value):
    """All subsets that the twin looks at."""
    looked = []

    def spy(subset):
        looked.append(subset)
        return value(subset)

    twin(D, spy)
    return looked
