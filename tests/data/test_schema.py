"""Every kind of table becomes the same typed columns."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from fewest._errors import InputError
from fewest.data._schema import Schema

nan = np.nan
SIZE = [1.5, 2.5, None, 4.5]
COLOUR = ["red", "blue", None, "red"]
FLAG = [True, False, True, True]
EXPECTED = np.array([[1.5, 1, 1], [2.5, 0, 0], [nan, nan, 1], [4.5, 1, 1]])


def frames():
    columns = {"size": SIZE, "colour": COLOUR, "flag": FLAG}
    yield pytest.param(pd.DataFrame(columns), id="pandas")
    yield pytest.param(pl.DataFrame(columns), id="polars")
    yield pytest.param(pa.table(columns), id="arrow")
    yield pytest.param(pd.DataFrame(columns).convert_dtypes(), id="pandas-nullable")
    yield pytest.param(pd.DataFrame(columns).astype({"colour": "category"}), id="category")
    yield pytest.param(
        pl.DataFrame(columns, schema_overrides={"colour": pl.Categorical}), id="pl-categorical"
    )
    arrow = pa.table({**columns, "colour": pa.array(COLOUR).dictionary_encode()})
    yield pytest.param(arrow.combine_chunks(), id="arrow-dictionary")


@pytest.mark.parametrize("X", list(frames()))
def test_frames_of_all_libraries(X):
    schema = Schema.learn(X)
    assert schema.names == ("size", "colour", "flag")
    assert schema.kinds == ("continuous", "nominal", "nominal")
    assert set(schema.levels[1]) == {"red", "blue"}
    assert schema.levels[2] == (False, True)
    codes = np.array([nan if c is None else schema.levels[1].index(c) for c in COLOUR])
    np.testing.assert_array_equal(schema.encode(X)[:, 1], codes)
    np.testing.assert_array_equal(schema.encode(X)[:, [0, 2]], EXPECTED[:, [0, 2]])


def test_lists_of_rows():
    rows = list(zip(SIZE, COLOUR, FLAG, strict=True))
    schema = Schema.learn(rows)
    assert schema.levels == (None, ("blue", "red"), (False, True))
    np.testing.assert_array_equal(schema.encode(rows), EXPECTED)


def test_arrays_by_dtype():
    assert Schema.learn(np.array([[1, 2], [3, 4]])).levels == (None, None)
    assert Schema.learn(np.array([["a"], ["b"]])).levels == (("a", "b"),)
    assert Schema.learn(np.array([[True], [True]])).levels == ((False, True),)
    assert Schema.learn(np.array([[3], [1]], dtype=object)).levels == ((1, 3),)


def test_objects_with_fractions_are_numbers():
    X = np.array([[5.1, "b"], [None, "a"]], dtype=object)
    schema = Schema.learn(X)
    assert schema.levels == (None, ("a", "b"))
    np.testing.assert_array_equal(schema.encode(X), [[5.1, 1], [nan, 0]])


def test_sparse_is_made_dense():
    X = sparse.random(20, 4, 0.3, random_state=0, format="csr")
    np.testing.assert_array_equal(Schema.learn(X).encode(X), X.toarray())


def test_structured_arrays_have_names():
    X = np.array([(1.0, "a"), (2.0, None)], dtype=[("n", float), ("s", object)])
    schema = Schema.learn(X)
    assert schema.names == ("n", "s")
    np.testing.assert_array_equal(schema.encode(X), [[1, 0], [2, nan]])


def test_nominal_numbers_by_name_and_position():
    X = pd.DataFrame({"a": [3, 1, 3], "b": [1.0, nan, 2.0]})
    for nominal in (["a"], [0], np.array([True, False]), "a"):
        schema = Schema.learn(X, nominal)
        assert schema.levels == ((1, 3), None)
        np.testing.assert_array_equal(schema.encode(X), [[1, 1], [0, nan], [1, 2]])


def test_declared_categories_keep_their_order_and_absent_levels():
    column = pd.Categorical(["low", "high"], categories=["low", "middle", "high"])
    schema = Schema.learn(pd.DataFrame({"c": column}))
    assert schema.levels == (("low", "middle", "high"),)
    enum = pl.Series("c", ["low", "high"], dtype=pl.Enum(["low", "middle", "high"]))
    assert Schema.learn(pl.DataFrame([enum])) == schema
    np.testing.assert_array_equal(schema.encode(pl.DataFrame([enum])), [[0], [2]])


def test_unseen_levels_are_unknown():
    schema = Schema.learn(pd.DataFrame({"c": pd.Categorical(["a", "b"])}))
    other = pd.DataFrame({"c": pd.Categorical(["z", "b", None])})
    np.testing.assert_array_equal(schema.encode(other), [[nan], [1], [nan]])


def test_labels_of_another_type_are_not_called_unknown():
    strings, numbers = pd.DataFrame({"c": ["1", "2"]}), pd.DataFrame({"c": [1, 2]})
    with pytest.raises(InputError, match="'c' .* those were strings and these are none"):
        Schema.learn(strings).encode(numbers)
    with pytest.raises(InputError, match="'c' .* those were no strings and these are strings"):
        Schema.learn(numbers, nominal=["c"]).encode(strings)
    unknown = pd.DataFrame({"c": [np.nan, np.nan]})
    assert np.isnan(Schema.learn(strings).encode(unknown)).all()


def test_dates_are_numbers_in_their_order():
    X = pd.DataFrame({"when": pd.to_datetime(["2020-01-02", None, "2020-01-01"])})
    values = Schema.learn(X).encode(X)[:, 0]
    assert values[0] - values[2] == 86_400
    assert np.isnan(values[1])


def test_columns_that_are_all_unknown_stay():
    X = pd.DataFrame({"a": [1.0, 2.0], "gone": [nan, nan], "none": [None, None]})
    schema = Schema.learn(X)
    assert np.isnan(schema.encode(X)[:, 1:]).all()


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        (np.empty((0, 3)), r"at least one row, but has 0 sample"),
        (pd.DataFrame({"a": []}), r"at least one row"),
        (np.empty((3, 0)), r"0 feature\(s\) \(shape=\(3, 0\)\) while a minimum of 1"),
        (np.zeros(3), r"Expected 2D array.*1 dimension.*Reshape your data"),
        (np.zeros((2, 2), complex), r"Complex data not supported"),
        ([[1, 2], [3]], r"same length, but they have from 1 to 2 values"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), r"'a' occurs 2 times; rename"),
        (pa.table([[1], [2]], names=["a", "a"]), r"'a' occurs 2 times; rename"),
        (pd.DataFrame({"a": [1.0, np.inf]}), r"column 'a' has an infinite value in row 1"),
        (np.array([[{}]], dtype=object), r"'x0'.*cannot be compared"),
        (pl.DataFrame({"a": [[1]]}), r"'a'.*one value per row, but holds List"),
        (pl.LazyFrame({"a": [1]}), r"LazyFrame; call .collect\(\) first"),
    ],
)
def test_no_table_no_schema(X, sentence):
    with pytest.raises(InputError, match=sentence):
        Schema.learn(X)


@pytest.mark.parametrize(
    ("nominal", "sentence"),
    [
        (["colour"], r"`nominal` names 'colour', .* Did you mean color\?"),
        ([7], r"holds the position 7, but positions run from 0 to 1"),
        ([True], r"mask must have 2 entries.*but has 1"),
    ],
)
def test_nominal_must_name_columns(nominal, sentence):
    X = pd.DataFrame({"color": [1, 2], "b": [1, 2]})
    with pytest.raises(InputError, match=sentence):
        Schema.learn(X, nominal)


def test_another_table_is_refused():
    schema = Schema.learn(pd.DataFrame({"a": [1.0], "b": [2.0]}))
    with pytest.raises(InputError, match="2 columns it had .* but has 3"):
        schema.encode(np.zeros((2, 3)))
    with pytest.raises(InputError, match="'b' stands in the place of 'a'"):
        schema.encode(pd.DataFrame({"b": [1.0], "a": [2.0]}))
    with pytest.raises(InputError, match="'a' of `X` must hold numbers.*but holds labels"):
        schema.encode(pd.DataFrame({"a": ["x"], "b": [2.0]}))
