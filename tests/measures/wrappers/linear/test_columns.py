"""Columns as linear twins see them."""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fewest.data import as_table
from fewest.measures.wrappers.linear.columns import Columns, is_scaled_pipeline, unscaled

RNG = np.random.default_rng(0)
X = np.column_stack([RNG.normal(5.0, 2.0, 40), np.full(40, 3.0), RNG.integers(0, 9, 40)])
Y = RNG.integers(0, 2, 40)


def test_columns_are_standardised_and_constant_ones_keep_their_unit():
    columns = Columns.of(as_table(X, Y))
    np.testing.assert_allclose(columns.values[:, 0].std(), 1.0)
    np.testing.assert_allclose((columns.values + columns.centre) * columns.size, X)
    assert columns.size[1] == 1.0
    assert columns.exact.tolist() == [False, True, True]


def test_unknown_values_are_for_the_estimator():
    unknown = X.copy()
    unknown[0, 0] = np.nan
    assert Columns.of(as_table(unknown, Y)) is None


def test_constant_in_the_training_rows():
    values = X.copy()
    values[:20, 2] = 1.0
    columns = Columns.of(as_table(values, Y))
    split = (np.arange(20), np.arange(20, 40))
    assert columns.constant(split).tolist() == [False, True, True]
    assert columns.constant_within(split, Y).tolist() == [False, True, True]


def test_scaled_pipelines():
    scaled = make_pipeline(StandardScaler(), Ridge())
    assert is_scaled_pipeline(scaled)
    assert not is_scaled_pipeline(make_pipeline(StandardScaler(with_std=False), Ridge()))
    assert not is_scaled_pipeline(Ridge())
    assert unscaled(scaled) == (scaled[-1], True)
