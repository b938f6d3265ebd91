"""Weighted columns: names, unknown values, features without weight."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from fewest._feature_weighter import WeightedColumns
from fewest.testing import mixed_table


def test_columns_of_a_mixed_table():
    table = mixed_table()
    weights = np.array([0.0, 0.5, 1.0, 0.0, 0.0, 0.0])
    columns = WeightedColumns.learn(table, weights)
    assert columns.names == ("x1", "x1=unknown", "x2=a", "x2=b", "x2=unknown")
    out = columns.transform(table.values)
    assert not np.isnan(out).any()
    known = ~np.isnan(table.values[:, 1])
    width = np.nanmax(table.values[:, 1]) - np.nanmin(table.values[:, 1])
    assert_allclose(out[known, 0], np.sqrt(0.5) * table.values[known, 1] / width)
    assert_allclose(np.ptp(out[known, 0]), np.sqrt(0.5))
    assert_array_equal(out[:, 1] > 0, ~known)


def test_an_unknown_label_is_as_far_as_another_one():
    table = mixed_table()
    columns = WeightedColumns.learn(table, np.array([0.0, 0.0, 0.36, 0.0, 0.0, 0.0]))
    a, b, lost = columns.transform(np.array([[0, 0, level, 0, 0, 0] for level in (0, 1, np.nan)]))
    for one, other in ((a, b), (a, lost), (b, lost)):
        assert_allclose(((one - other) ** 2).sum(), 0.36)


def test_no_weight_means_no_column():
    columns = WeightedColumns.learn(mixed_table(), np.zeros(6))
    assert columns.transform(mixed_table().values).shape == (48, 0)
