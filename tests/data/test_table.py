"""What holds for every table: rows, fingerprints, types."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from fewest.data import as_table
from fewest.data._discretise import as_nominal
from tests.data.drawn_tables import tables


@settings(max_examples=30, deadline=None)
@given(tables(), st.randoms(use_true_random=False))
def test_rows_in_another_order_are_the_same_rows(case, random):
    columns, y = case
    order = list(range(len(y)))
    random.shuffle(order)
    table = as_table(pd.DataFrame(columns), y)
    shuffled = {name: [column[i] for i in order] for name, column in columns.items()}
    again = as_table(pd.DataFrame(shuffled), [y[i] for i in order])
    taken = table.take(np.array(order))
    assert again.fingerprint == taken.fingerprint
    assert taken.take(np.argsort(order)).fingerprint == table.fingerprint


@settings(max_examples=30, deadline=None)
@given(tables(), st.data())
def test_the_fingerprint_notices_every_change(case, data):
    columns, y = case
    table = as_table(pd.DataFrame(columns), y)
    name = data.draw(st.sampled_from(sorted(columns)))
    row = data.draw(st.integers(0, len(y) - 1))
    old = columns[name][row]
    changed = {n: list(column) for n, column in columns.items()}
    changed[name][row] = (not old) if isinstance(old, bool) else None if old is not None else "a"
    if isinstance(changed[name][row], str) and isinstance(columns[name][0], float):
        changed[name][row] = 0.25
    assert as_table(pd.DataFrame(changed), y).fingerprint != table.fingerprint
    renamed = {f"{n}!" if n == name else n: column for n, column in columns.items()}
    assert as_table(pd.DataFrame(renamed), y).fingerprint != table.fingerprint


def _numbers(dtype, n=20_000):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4)).astype(dtype)
    return X, np.arange(n) % 2


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_arrays_of_floats_are_not_copied(dtype):
    X, y = _numbers(dtype)
    for given_X in (X, np.asfortranarray(X), X[::2, 1:]):
        table = as_table(given_X, y[: len(given_X)])
        assert table.values is given_X
        assert table.take(np.array([3, 1])).X.dtype == dtype
    frame = pd.DataFrame(X)
    assert np.shares_memory(as_table(frame, y).values, frame.to_numpy())


def test_float32_stays_float32_and_is_read_as_float64():
    X, y = _numbers(np.float32)
    X[5, 2] = np.nan
    table, wide = as_table(X, y), as_table(X.astype(np.float64), y)
    mixed = as_table(pd.DataFrame(X).assign(label=np.where(y, "a", "b")), y)
    assert table.values.dtype == mixed.values.dtype == np.float32
    assert as_table(pl.DataFrame(X), y).values.dtype == np.float32
    assert as_table(pd.DataFrame(X).assign(wide=1.0 / (1 + y)), y).values.dtype == np.float64
    assert table.doubles.dtype == table.column(1).dtype == table.block(np.array([1])).dtype
    assert_array_equal(table.doubles, wide.values)
    assert_array_equal(table.block(slice(3, 9)), wide.values[3:9])
    assert_array_equal(table.incomplete, [False, False, True, False])
    # A journal of a table that was read as float64 goes on.
    assert table.fingerprint == wide.fingerprint


def test_float32_is_cut_as_float64():
    X, y = _numbers(np.float32, 400)
    X[:, 1] += y
    cut, wide = (as_nominal(as_table(part, y)) for part in (X, X.astype(np.float64)))
    assert cut.levels == wide.levels
    assert cut.values.dtype == np.float32
    assert_array_equal(cut.values, wide.values)
