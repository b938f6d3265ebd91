"""Values that are looked up."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.testing import (
    MonotoneTableMeasure,
    TableMeasure,
    monotone_values,
    random_values,
    toy_table,
)


def test_monotone_values_are_monotone():
    for seed in range(5):
        values = monotone_values(6, seed)
        for subset in range(64):
            for feature in range(6):
                assert values[subset | 1 << feature] >= values[subset]


def test_table_measure_reads_mappings_functions_and_arrays():
    masks = np.array([[True, False], [True, True], [False, False]])
    table = toy_table(n_features=2)
    looked_up = TableMeasure({(0,): 1.0, (0, 1): 2.0}).bind(table).score(masks).value
    np.testing.assert_array_equal(looked_up, [1.0, 2.0, np.nan])
    counted = TableMeasure(np.sum).bind(table).score(masks).value
    np.testing.assert_array_equal(counted, [1.0, 2.0, 0.0])
    indexed = TableMeasure(np.array([0.0, 1.0, 5.0, 2.0])).bind(table).score(masks).value
    np.testing.assert_array_equal(indexed, [1.0, 2.0, 0.0])


def test_table_measure_folds_average_to_the_value():
    scores = TableMeasure(np.sum, folds=5).bind(toy_table()).score(np.eye(5, dtype=bool))
    np.testing.assert_allclose(scores.folds.mean(axis=1), scores.value)
    assert scores.folds.std(axis=1).min() > 0


@pytest.mark.parametrize("lookup", [None, 3, np.zeros(7)])
def test_table_measure_refuses_other_lookups(lookup):
    with pytest.raises(InputError, match="`lookup` must"):
        TableMeasure(lookup).bind(toy_table(n_features=2))


def test_levels_make_ties_and_a_threshold_is_kept():
    assert set(random_values(6, seed=0, levels=4)) == {0.0, 0.25, 0.5, 0.75}
    measure = MonotoneTableMeasure(monotone_values(3), threshold=0.75)
    assert measure.bind(toy_table(n_features=3)).threshold == 0.75
