"""What holds for every table, through files, libraries and discretisation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest.data import as_table
from fewest.data._columns import Column, Columns
from fewest.data._dataset import make_dataset
from fewest.data._discretise import Discretiser
from fewest.data._load import load
from fewest.data._schema import Schema
from fewest.data._write import write
from tests.data.drawn_tables import tables


@settings(max_examples=30, deadline=None)
@given(tables())
def test_every_library_gives_the_same_table(case):
    columns, y = case
    expected = as_table(pd.DataFrame(columns), y)
    for frame in (pl.DataFrame(columns, strict=False), pa.table(columns)):
        assert as_table(frame, y).fingerprint == expected.fingerprint
    by_rows = as_table([list(row) for row in zip(*columns.values(), strict=True)], y)
    np.testing.assert_array_equal(by_rows.values, expected.values)
    assert by_rows.levels == expected.levels


@settings(max_examples=30, deadline=None)
@given(tables())
def test_encoding_is_undone_by_the_levels(case):
    columns, _ = case
    frame = pl.DataFrame(columns, strict=False)
    schema = Schema.learn(frame)
    values = schema.encode(frame)
    for j, (levels, column) in enumerate(zip(schema.levels, columns.values(), strict=True)):
        decoded = [
            None if np.isnan(v) else v if levels is None else levels[int(v)] for v in values[:, j]
        ]
        assert decoded == column


@settings(max_examples=25, deadline=None)
@given(tables())
def test_files_keep_the_table(tmp_path_factory, case):
    columns, y = case
    found = Columns(
        (*columns, "y"),
        tuple(
            Column(numbers=np.array([np.nan if v is None else v for v in column], dtype=float))
            if isinstance(column[0], float)
            else Column(labels=[None if v is None else str(v) for v in column])
            for column in (*columns.values(), y)
        ),
        len(y),
        True,
    )
    data = make_dataset(found, "y", "t")
    path = tmp_path_factory.mktemp("files") / "t.arff"
    write(data, path)
    assert load(path).table().fingerprint == data.table().fingerprint


@settings(max_examples=30, deadline=None)
@given(tables(), st.sampled_from(["mdl", "width", "frequency"]), st.integers(2, 5))
def test_discretised_values_keep_their_order_and_unknowns(case, method, bins):
    columns, y = case
    table = as_table(pd.DataFrame(columns), y)
    cut = Discretiser(method=method, bins=bins).fit(table).apply(table)
    np.testing.assert_array_equal(cut.missing, table.missing)
    for j in np.flatnonzero(~table.nominal):
        known = ~table.missing[:, j]
        order = np.argsort(table.values[known, j], kind="stable")
        assert (np.diff(cut.values[known, j][order]) >= 0).all()
        assert cut.values[known, j].max() < len(cut.levels[j])
        assert len(cut.levels[j]) <= max(bins, 1) or method == "mdl"
