"""What holds for every table."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest.data import as_table
from fewest.data.columns import Column, Columns
from fewest.data.dataset import make_dataset
from fewest.data.discretise import Discretiser
from fewest.data.load import load
from fewest.data.loaders.tokens import split_values
from fewest.data.schema import Schema
from fewest.data.write import _quoted, write

numbers = st.one_of(st.none(), st.floats(-1e9, 1e9))
labels = st.one_of(st.none(), st.sampled_from(["a", "b", "it's", "a, b", "", "7", " x "]))
flags = st.booleans()


@st.composite
def tables(draw):
    """Columns by name, one kind each, and a target with two classes."""
    n = draw(st.integers(2, 12))
    kinds = draw(st.lists(st.sampled_from([numbers, labels, flags]), min_size=1, max_size=4))
    columns = {
        f"c{j}": draw(st.lists(kind, min_size=n, max_size=n)) for j, kind in enumerate(kinds)
    }
    # A column without any known value says nothing of its kind.
    for column, kind in zip(columns.values(), kinds, strict=True):
        column[0] = 1.5 if kind is numbers else "a" if kind is labels else True
    rest = draw(st.lists(st.sampled_from("uv"), min_size=n - 2, max_size=n - 2))
    return columns, ["u", "v", *rest]


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


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"])), min_size=1, max_size=5))
def test_quoted_values_come_back(values):
    line = ", ".join(map(_quoted, values))
    assert split_values(line) == values


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
    cut = Discretiser(method, bins).fit(table).apply(table)
    np.testing.assert_array_equal(cut.missing, table.missing)
    for j in np.flatnonzero(~table.nominal):
        known = ~table.missing[:, j]
        order = np.argsort(table.values[known, j], kind="stable")
        assert (np.diff(cut.values[known, j][order]) >= 0).all()
        assert cut.values[known, j].max() < len(cut.levels[j])
        assert len(cut.levels[j]) <= max(bins, 1) or method == "mdl"
