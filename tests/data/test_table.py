"""The table, and how one is made."""

from __future__ import annotations

import math
import uuid
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse

from fewest._errors import InputError
from fewest.data import as_table
from fewest.data._as_table import refuse_unclear
from fewest.data._columns import Column, Columns
from fewest.data._dataset import make_dataset
from fewest.data._discretise import Discretiser, as_nominal
from fewest.data._load import load
from fewest.data._rows import BLOCK_ROWS, row_blocks, take_columns, take_rows
from fewest.data._schema import Schema
from fewest.data._table import checked_weights, weighted_rows, whole_weights
from fewest.data._write import write
from fewest.search import RFE
from tests.data.drawn_tables import tables

# X and y become a table, or one sentence.
X = np.arange(8.0).reshape(4, 2)


@pytest.mark.parametrize(
    "y",
    [
        ["b", "a", "b", "a"],
        np.array(["b", "a", "b", "a"], dtype=object),
        pd.Series(["b", "a", "b", "a"], dtype="category"),
        pl.Series(["b", "a", "b", "a"]),
        pd.DataFrame({"y": ["b", "a", "b", "a"]}),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.DataConversionWarning")
def test_labels_are_coded_in_their_order(y):
    table = as_table(X, y)
    assert table.classes.tolist() == ["a", "b"]
    assert table.target.tolist() == [1, 0, 1, 0]
    assert table.target.dtype == np.int64


def test_numbers_as_target():
    table = as_table(X, [0.5, 1.5, 2.5, 0.1])
    assert table.classes is None
    assert table.n_classes == 0
    assert as_table(X, [3, 1, 3, 1]).classes.tolist() == [1, 3]
    assert as_table(X, [3, 1, 3, 1], task="regression").target.dtype == np.float64
    assert as_table(X, [True, False, True, True]).classes.tolist() == [False, True]


def test_originals_and_metadata_go_along():
    frame = pd.DataFrame({"a": pd.Categorical(list("xyxy")), "b": [1, 2, 3, 4]})
    y = pd.Series([0, 1, 0, 1], index=[5, 6, 7, 8])
    table = as_table(frame, y, metadata={"groups": [1, 1, 2, 2], "sample_weight": None})
    part = table.take(np.array([3, 0]))
    assert part.X["a"].dtype == frame["a"].dtype
    assert part.X["b"].tolist() == [4, 1]
    assert part.target.tolist() == [1, 0]
    assert part.metadata == {"groups": [2, 1]}


@pytest.mark.parametrize(
    ("y", "task", "sentence"),
    [
        (None, None, "requires y to be passed, but the target y is None"),
        ([1, 1, 1, 1], None, r"at least two classes, but has only one class \(1\)"),
        ([0, 1, 0], None, r"`y` must have as many rows as `X` \(4\), but has 3"),
        ([0, 1, np.nan, 1], None, r"unknown \(NaN\) in 1 \(the first is row 2\)"),
        (["a", None, "b", None], None, r"in 2 \(the first is row 1\)"),
        ([0, 1, np.inf, 1], None, "infinite values"),
        (np.zeros((4, 2, 2)), None, r"one column .* shape \(4, 2, 2\)"),
        (np.array(["a", 1, "a", 1], dtype=object), None, "labels of one type, but mixes"),
        ([0.5, 1.5, 2.5, 0.1], "classification", "Unknown label type: continuous"),
        (["a", "b", "a", "b"], "regression", "numbers for a regression, but holds"),
    ],
)
def test_targets_that_cannot_be_used(y, task, sentence):
    with pytest.raises(InputError, match=sentence):
        as_table(X, y, task=task)


def test_metadata_belongs_to_rows():
    with pytest.raises(InputError, match=r"`groups` must have as many rows as `X` \(4\)"):
        as_table(X, [0, 1, 0, 1], metadata={"groups": [1]})


def test_many_whole_numbers_with_hardly_a_row_each_are_amounts():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 2))
    assert as_table(X, rng.permutation(100).astype(float)).classes is None
    assert as_table(X, rng.permutation(100)).classes is None
    # A few numbers, or numbers with many rows each, stay classes.
    assert len(as_table(X, np.arange(100) % 30).classes) == 30
    assert len(as_table(np.repeat(X, 5, axis=0), np.repeat(np.arange(100), 5)).classes) == 100
    assert len(as_table(X, np.arange(100) // 2, task="classification").classes) == 50


@pytest.mark.parametrize("task", [None, "classification"])
def test_labels_that_differ_in_nearly_every_row_are_no_target(task):
    y = [f"C{i // 2 if i < 20 else i}" for i in range(100)]
    with pytest.raises(InputError, match="90 different labels in 100 rows, as an identifier has"):
        as_table(np.zeros((100, 1)), y, task=task)
    with pytest.raises(InputError, match="100 different labels in 100 rows"):
        as_table(np.zeros((100, 1)), np.arange(100), task="classification")


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1j, 2j], "`y` must hold labels or real numbers, but holds complex numbers"),
        ([b"a", b"b"], "`y` must hold labels or real numbers, but holds bytes"),
        (np.array([b"a", "b"], dtype=object), "but holds bytes"),
        ({"a": 1}, "`y` must hold one value per row, but is {'a': 1}"),
        ([[1], [2, 3]], "`y` must hold one value per row, but its rows have several"),
    ],
)
def test_what_is_no_target(y, message):
    with pytest.raises(InputError, match=message):
        as_table([[1.0], [2.0]], y)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"groups": 0}, "`groups` must hold one value per row, but is 0"),
        ({"groups": [0]}, r"`groups` must have as many rows as `X` \(2\), but has 1"),
        ({"sample_weight": 3}, "`sample_weight` must hold one value per row, but is 3"),
        ({"sample_weight": ["a", "b"]}, "must hold one number per row: could not convert"),
        ({"sample_weight": [1, np.nan]}, "must hold one number per row: Input .* contains NaN"),
    ],
)
def test_what_is_no_metadata(given, message):
    with pytest.raises(InputError, match=message):
        as_table([[1.0], [2.0]], [0, 1], metadata=given)


@pytest.mark.parametrize(
    "y",
    [
        np.array([[0, 1], [1, 1], [0, 0]]),
        [[0, 1], [1, 1], [0, 0]],
        pd.DataFrame({"a": [0, 1, 0], "b": [1, 1, 0]}),
        sparse.csr_matrix([[0, 1], [1, 1], [0, 0]]),
    ],
    ids=["array", "lists", "frame", "sparse"],
)
def test_several_targets(y):
    table = as_table(np.arange(6.0).reshape(3, 2), y)
    assert (table.n_targets, table.classes) == (2, None)
    assert table.target.tolist() == [[0, 1], [1, 1], [0, 0]]
    assert table.take(np.array([2])).target.tolist() == [[0, 0]]


def test_several_targets_of_labels_have_codes():
    table = as_table([[1.0], [2.0]], np.array([["a", "x"], ["b", "x"]]))
    assert table.target.tolist() == [[0, 0], [1, 0]]
    assert table.y.tolist() == [["a", "x"], ["b", "x"]]
    with pytest.raises(InputError, match="known and finite in every row and column"):
        as_table([[1.0], [2.0]], np.array([[1.0, np.nan], [2.0, 3.0]]))


@pytest.mark.parametrize(
    ("y", "unclear"),
    [
        (np.arange(12).repeat(5), True),
        (np.arange(10).repeat(5), False),
        (np.arange(12).repeat(2), False),
        (np.array([0.5, 1.5, 2.5]).repeat(5), True),
        (np.linspace(0, 1, 50), False),
        (np.array(["a", "b"]), False),
        (pd.Series(np.arange(12).repeat(5)), True),
        ([0, 1, 1], False),
    ],
)
def test_numbers_that_may_be_classes_or_amounts_are_asked_about(y, unclear):
    if not unclear:
        refuse_unclear(y)
        return
    with pytest.raises(InputError, match="may be classes or amounts: say which by task="):
        refuse_unclear(y)


def rude(*refused):
    """An object whose methods of these names raise."""

    def refuse(*_):
        raise RuntimeError("refused")

    return type("Rude", (), dict.fromkeys(refused, refuse))()


@pytest.mark.parametrize(
    "method", ["__eq__", "__ne__", "__hash__", "__lt__", "__str__", "__bool__"]
)
def test_objects_that_refuse_to_be_compared_or_shown_get_one_sentence(method):
    objects = np.empty(4, dtype=object)
    objects[:] = [rude(method, "__repr__"), rude(method, "__repr__")] * 2
    frame = pd.DataFrame({"a": pd.Series(objects, dtype=object), "b": [1.0, 2, 3, 4]})
    with pytest.raises(InputError, match="must hold"):
        as_table(frame, [0, 1, 0, 1])
    with pytest.raises(InputError, match="must hold"):
        as_table([[1], [2], [3], [4]], objects)


def test_one_object_that_refuses_everything_is_no_table_no_target_and_no_parameter():
    one = rude("__array__", "__repr__", "__str__")
    for X, y in ((one, [0, 1]), ([[1], [2]], one), ([[1], [2]], rude("__repr__"))):
        with pytest.raises(InputError, match="must (be a table|hold one value per row)"):
            as_table(X, y)
    for step in (one, [one], 10**400):
        with pytest.raises(InputError, match="`step` of RFE must be a whole number"):
            RFE(step=step).check_parameters()


@pytest.mark.parametrize(
    "labels",
    [[uuid.UUID(int=1), uuid.UUID(int=2)], [Fraction(1, 3), 2], [10**400, 1], [math.inf, "a"],
     [Decimal("sNaN"), Decimal(1)]],
)  # fmt: skip
def test_labels_that_no_metric_takes_get_one_sentence(labels):
    y = np.empty(4, dtype=object)
    y[:] = labels * 2
    with pytest.raises(InputError, match="must hold"):
        as_table([[1], [2], [3], [4]], y)


@pytest.mark.parametrize("name", ["groups", "time", "sample_weight", "cost_of_row"])
def test_metadata_that_refuse_everything_get_one_sentence(name):
    one = rude("__array__", "__len__", "__iter__", "__getitem__", "__repr__", "__float__")
    for rows in (one, [one] * 4, [[1], [1, 2], [3], [4]]):
        with pytest.raises(InputError, match=f"`{name}` must hold one value per row, but is "):
            as_table([[1], [2], [3], [4]], [0, 1, 0, 1], metadata={name: rows})


# What holds for every table: rows, fingerprints, types.
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


# Slices keep type, names and dtypes.
COLUMNS = {"a": [1, 2, 3], "b": ["x", "y", "z"], "c": [0.5, 1.5, 2.5]}
FRAMES = [pd.DataFrame(COLUMNS, index=[9, 8, 7]), pl.DataFrame(COLUMNS), pa.table(COLUMNS)]


@pytest.mark.parametrize("rows", [np.array([2, 0]), np.array([True, False, True])])
@pytest.mark.parametrize("X", FRAMES, ids=["pandas", "polars", "arrow"])
def test_rows_of_frames(X, rows):
    part = take_rows(X, rows)
    assert type(part) is type(X)
    order = [2, 0] if rows.dtype != bool else [0, 2]
    assert list(part["a"].to_numpy()) == [COLUMNS["a"][i] for i in order]


@pytest.mark.parametrize("support", [np.array([0, 2]), np.array([True, False, True])])
@pytest.mark.parametrize("X", FRAMES, ids=["pandas", "polars", "arrow"])
def test_columns_of_frames(X, support):
    part = take_columns(X, support)
    assert type(part) is type(X)
    names = part.column_names if isinstance(part, pa.Table) else part.columns
    assert list(names) == ["a", "c"]
    kind = "type" if isinstance(part, pa.Table) else "dtype"
    assert getattr(part["a"], kind) == getattr(X["a"], kind)


@pytest.mark.parametrize("kind", [pd.Series, pl.Series, np.array, list, pa.chunked_array])
def test_rows_of_one_column(kind):
    values = kind([[1, 2, 3]]) if kind is pa.chunked_array else kind([1, 2, 3])
    part = take_rows(values, np.array([2, 0]))
    assert type(part) is type(values)
    assert [int(str(v)) for v in part] == [3, 1]


def test_sparse_keeps_its_format():
    X = sparse.random(6, 4, 0.5, random_state=0, format="coo")
    assert take_columns(X, np.array([1, 3])).format == "coo"
    np.testing.assert_array_equal(take_rows(X, np.array([5, 0])).toarray(), X.toarray()[[5, 0]])


def test_structured_arrays_become_what_estimators_take():
    X = np.array([(1.0, 2, "a"), (3.0, 4, "b")], dtype=[("n", float), ("i", int), ("s", object)])
    assert take_columns(X, np.array([0, 1])).dtype == np.float64
    assert take_columns(X, np.array([1, 2])).tolist() == [[2, "a"], [4, "b"]]
    assert take_rows(X, np.array([1]))["s"].tolist() == ["b"]


# Blocks cover every row once, in order.
def test_blocks_cover_every_row_once():
    for n in (0, 1, BLOCK_ROWS, BLOCK_ROWS + 1, 3 * BLOCK_ROWS + 7):
        rows = [np.arange(n)[block] for block in row_blocks(n)]
        assert np.concatenate([[], *rows]).tolist() == list(range(n))
        assert all(0 < len(part) <= BLOCK_ROWS for part in rows)


# Weights of rows: checked, and rows without weight left out.
LETTERS, LABELS = [["a"], ["b"], ["c"]], [0, 1, 1]


def table(weight):
    return as_table(LETTERS, LABELS, metadata={"sample_weight": weight})


def test_rows_without_weight_are_left_out():
    rows, weight = weighted_rows(table([0.5, 0, 2]))
    assert rows.target.tolist() == [0, 1]
    assert weight.tolist() == [0.5, 2.0]


def test_no_weights_and_ones_are_none():
    assert weighted_rows(as_table(LETTERS, LABELS))[1] is None
    assert weighted_rows(table([1, 1, 1]))[1] is None


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1, 2], "must hold 3 numbers of at least 0"),
        ([1, -1, 1], "smallest entry -1"),
        ([0, 0, 0], "must be above 0 somewhere"),
        ([1, np.nan, 1], "NaN"),
    ],
)
def test_wrong_weights(weight, message):
    with pytest.raises(ValueError, match=message):
        checked_weights(weight, 3)


def test_whole_weights():
    assert whole_weights(np.array([2.0, 1.0]), "inconsistency").tolist() == [2, 1]
    with pytest.raises(InputError, match="whole numbers for the measure .*holds 0.5"):
        whole_weights(np.array([2.0, 0.5]), "inconsistency")


def test_weights_that_refuse_to_be_numbers_get_one_sentence():
    class Rude:
        def __float__(self):
            raise RuntimeError

    weights = np.array([Rude(), Rude()], dtype=object)
    with pytest.raises(InputError, match="`sample_weight` must hold one number per row"):
        checked_weights(weights, 2)


# What holds for every table, through files, libraries and discretisation.
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
