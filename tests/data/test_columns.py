"""Columns, their names and their types."""

from __future__ import annotations

import datetime
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse
from sklearn.base import clone

import fewest
from fewest import SubsetSelector, load, validate
from fewest._errors import InputError
from fewest._fitting.screen import subsets_of
from fewest.classifiers import TAN, SelectiveNaiveBayes
from fewest.data import Schema, as_table
from fewest.data._columns import column_names, is_unknown, read_columns
from fewest.data._dataset import features_and_target
from fewest.data._feature_names import feature_position, feature_positions
from fewest.measures import explain_redundancy
from tests.data.engine.sample import arrow, frame

# Columns of arrays, frames and lists: what each kind becomes, and what is refused.
COMPLEX = [1 + 2j, 3 - 1j]


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.array([COMPLEX, COMPLEX]), "`X` must hold real numbers or labels .Complex data"),
        (pd.DataFrame({"a": COMPLEX}), "Column 'a' of `X` must hold real numbers"),
        (np.array([(1j, 2.0)], dtype=[("a", complex), ("b", float)]), "must hold real numbers"),
        ([[10**400, 1.5], [2, 1.0]], "numbers below 1e308, but holds a whole number of 401 digits"),
        (pl.LazyFrame({"a": [1]}), "LazyFrame; call .collect"),
        ([[1, 2], [3]], "same length, but they have from 1 to 2 values"),
        (np.zeros((0, 2)), "at least one row"),
        (np.zeros((2, 0)), "at least one column"),
        (pl.DataFrame({"a": [[1], [2]]}), "must hold one value per row"),
    ],
)
def test_what_is_no_table(X, message):
    with pytest.raises(InputError, match=message):
        read_columns(X)


def test_objects_that_cannot_be_compared():
    X = pd.DataFrame({"a": [COMPLEX[0], "x", COMPLEX[1]]}, dtype=object)
    with pytest.raises(InputError, match="Column 'a' .* cannot be compared"):
        Schema.learn(X)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_bytes_are_labels(frame):
    table = as_table(frame({"a": [b"\xff", b"u", b"u"]}), [0, 1, 1])
    assert table.levels == ((b"u", b"\xff"),)


def test_names():
    assert column_names(np.zeros((1, 2))) == ("x0", "x1")
    assert column_names(pd.DataFrame({1: [0], "b": [0]})) == ("1", "b")
    assert column_names([[1, 2, 3]]) == ("x0", "x1", "x2")


def test_moments_are_seconds():
    days = [datetime.datetime(1970, 1, 1), datetime.datetime(1970, 1, 2)]
    for X in (pd.DataFrame({"a": days}), pl.DataFrame({"a": days})):
        assert read_columns(X).columns[0].numbers.tolist() == [0.0, 86400.0]


@pytest.mark.parametrize("value", [None, float("nan"), pd.NA, pd.NaT])
def test_unknown_values(value):
    assert is_unknown(value)
    assert not is_unknown("")


@pytest.mark.parametrize("kind", [pa.int64(), pa.uint64()])
def test_whole_numbers_beyond_what_floats_hold_exactly_are_rounded(kind, tmp_path):
    table = pa.table({"id": pa.array([2**53 + 1, 2**62, None], kind), "y": ["u", "v", "v"]})
    expected = [float(2**53 + 1), float(2**62)]
    assert read_columns(table).columns[0].numbers.tolist()[:2] == expected
    assert np.isnan(read_columns(table).columns[0].numbers[2])
    pq.write_table(table, tmp_path / "ids.parquet")
    assert load(tmp_path / "ids.parquet").X["id"].tolist()[:2] == expected


# Declared kinds of columns.
TEXT = "age,zip,y\n31,04051,1\nunknown?,01200,2\n40,04051,1\n,01200,2\n"
ARFF = "@relation r\n@attribute a {1,2}\n@attribute y {x,z}\n@data\n1,x\n?,z\n2,z\n"


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text(TEXT)
    return file


def test_nominal_columns_keep_their_text(path):
    plain, declared = fewest.load(path), fewest.load(path, types={"zip": "nominal"})
    assert plain.X["zip"].tolist()[:2] == [4051, 1200]
    assert declared.kinds == {"age": "nominal", "zip": "nominal"}
    assert declared.X["zip"].tolist()[:2] == ["04051", "01200"]


def test_a_target_of_numbers_is_classes_or_amounts_as_declared(path):
    assert fewest.load(path).task is None
    classes = fewest.load(path, types={"y": "nominal"})
    assert classes.y.tolist() == ["1", "2", "1", "2"]
    assert classes.table().classes.tolist() == ["1", "2"]
    amounts = fewest.load(path, types={"y": "continuous"})
    assert amounts.task == "regression"
    assert amounts.table().classes is None


def test_continuous_columns_must_be_numbers(path, tmp_path):
    with pytest.raises(InputError, match="'age' is continuous, but row 2 of .* holds 'unknown.'"):
        fewest.load(path, types={"age": "continuous"})
    arff = tmp_path / "t.arff"
    arff.write_text(ARFF)
    numbers = fewest.load(arff, types={"a": "continuous"}).X["a"]
    assert numbers.tolist()[::2] == [1.0, 2.0]
    assert numbers.isna().tolist() == [False, True, False]
    assert fewest.load(arff, types={"a": "nominal"}).X["a"].tolist()[::2] == ["1", "2"]


def test_numbers_of_files_with_their_own_types_become_labels_in_their_order(tmp_path):
    path = tmp_path / "t.parquet"
    pd.DataFrame({"a": [10.0, 2.5, None], "y": [0, 1, 0]}).to_parquet(path)
    data = fewest.load(path, types={"a": "nominal"})
    assert data.schema.levels == (("2.5", "10"),)
    assert data.X["a"].isna().tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("types", "words"),
    [
        ({"zip": "label"}, '"continuous" or "nominal" for each column, but says'),
        ({"zap": "nominal"}, "'zap' is none; did you mean 'zip'"),
    ],
)
def test_wrong_declarations(path, types, words):
    with pytest.raises(InputError, match=words):
        fewest.load(path, types=types)


def test_what_is_not_read_from_a_file_has_its_types():
    with pytest.raises(InputError, match="`types` and `encoding` go with files"):
        fewest.load("wine", types={"cultivar": "nominal"})


# One way to say which features are meant, the same for every parameter.
NAMES = ("age", "lab_a", "lab_b", "sex")
#: Seven ways to say the second and third feature.
SAME = [
    ["lab_a", "lab_b"],
    [1, -2],
    range(1, 3),
    slice(1, 3),
    slice("lab_a", "lab_b"),
    re.compile("^lab"),
    lambda name: name.startswith("lab"),
    [False, True, True, False],
    np.array([False, True, True, False]),
    np.array([1, 2]),
    [re.compile("a$"), "lab_b"],
]


@pytest.mark.parametrize("features", SAME)
def test_all_spellings_mean_the_same(features):
    assert feature_positions(features, NAMES, "include") == (1, 2)
    space = subsets_of(NAMES, include=features)
    assert space.include == (1, 2)
    assert subsets_of(NAMES, exclude=features).exclude == (1, 2)
    assert subsets_of(NAMES, groups=[features]).groups == ((1, 2),)


@pytest.mark.parametrize("features", SAME)
def test_nominal_columns_and_classifiers_read_them_too(features):
    X = np.tile([[1.0, 0, 1, 0], [2.0, 1, 0, 1], [3.0, 1, 1, 0], [4.0, 0, 0, 1]], (5, 1))
    y = [0, 1, 1, 0] * 5
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=list(NAMES))
    assert as_table(frame, y, nominal=features).nominal.tolist() == [False, True, True, False]
    for cls in (TAN, SelectiveNaiveBayes):
        assert set(cls(features=features).fit(frame, y).parents_) == {"lab_a", "lab_b", "class"}
    inside = [row.inside for row in explain_redundancy(as_table(frame, y), features)]
    assert inside == [False, True, True, False]


def test_one_feature_needs_no_list():
    assert subsets_of(NAMES, include="age").include == (0,)
    assert subsets_of(NAMES, exclude=-1).exclude == (3,)
    assert feature_positions(None, NAMES, "include") == ()
    assert feature_position("sex", NAMES, "root") == 3


def test_costs_by_pattern():
    costs = {re.compile("^lab"): 5, "age": 1, -1: 2}
    assert subsets_of(NAMES, costs=costs).costs == (1.0, 5.0, 5.0, 2.0)
    with pytest.raises(InputError, match="one cost, but gives 'lab_a' two"):
        subsets_of(NAMES, costs={re.compile("."): 5, "lab_a": 1})


def test_columns_called_by_numbers():
    assert feature_positions([1990], ("1980", "1990"), "nominal") == (1,)


def test_a_selector_takes_and_clones_them():
    X, y = np.random.default_rng(0).random((40, 4)), [0, 1] * 20
    selector = SubsetSelector("cfs", search="sfs", include=slice(0, 2), exclude=-1)
    support = clone(selector).fit(X, y).get_support()
    assert support[:2].all()
    assert not support[3]


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ("lab", r"`include` names 'lab', but there is no such feature\. Did you mean"),
        ([4], "`include` holds the position 4, but positions run from 0 to 3"),
        ([None], "`include` must hold names or positions of features, but holds None"),
        (3.5, "`include` must hold names or positions of features, but is 3.5"),
        ([True, False], "`include` as a mask must have 4 entries .* but has 2"),
        (re.compile("zz"), "the pattern 'zz' matches none"),
        (lambda name: False, "the function accepts none"),
        (slice(3, 1), r"slice\(3, 1, None\) covers none"),
        (slice(0.5, 2), "must have slices of names or positions"),
    ],
)
def test_what_is_no_feature(features, message):
    with pytest.raises(InputError, match=message):
        feature_positions(features, NAMES, "include")


def test_one_feature_that_is_several():
    with pytest.raises(InputError, match="`root` must be one feature, but .* stands for 2"):
        feature_position([0, 1], NAMES, "root")


@pytest.mark.parametrize("groups", [[0], ["age"], "age", 3])
def test_groups_hold_lists(groups):
    with pytest.raises(InputError, match="`groups` must be a list of groups, each a list"):
        subsets_of(NAMES, groups=groups)


# Every kind of table becomes the same typed columns.
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


#
def test_the_target_leaves_the_frame_and_a_selector_takes_it_by_name():
    table = frame().drop(columns="w")
    X, y = features_and_target(table, None, "y")
    assert list(X.columns) == [f"x{j}" for j in range(6)]
    assert y.tolist() == table["y"].tolist()
    by_name = SubsetSelector("mrmr", search="sfs", max_features=2).fit(table, target="y")
    apart = SubsetSelector("mrmr", search="sfs", max_features=2).fit(X, y)
    assert by_name.result_.features == apart.result_.features


def test_wrong_targets_are_refused_in_a_sentence():
    table = frame()
    with pytest.raises(InputError, match="`y` must be left out, but is given"):
        features_and_target(table, table["y"], "y")
    with pytest.raises(
        InputError,
        match="or one value per row, but 'z' is none",
    ):
        features_and_target(table, None, "z")
    with pytest.raises(InputError, match=r"but 'x11' is none\. Did you mean 'x1'\?"):
        features_and_target(table, "x11")
    with pytest.raises(InputError, match="per row, but 'y' is none"):
        features_and_target([[1, 2]], None, "y")
    stored = arrow(table).dataset
    with pytest.raises(InputError, match="`target` must name the column of the Arrow data set"):
        features_and_target(stored, pd.Series(["a"]), None)
    with pytest.raises(InputError, match="'yy' is none; did you mean 'y'"):
        features_and_target(stored, None, "yy")


def test_a_column_by_its_name_and_a_data_set_stand_for_x_and_y():
    data = load("iris")
    frame = data.X.assign(kind=data.y)
    selector = SubsetSelector("naive-bayes", search="sfs")
    expected = selector.fit(data.X, data.y).result_.features
    assert selector.fit(frame, "kind").result_.features == expected
    assert selector.fit(data).result_.features == expected
    validations = [validate(selector, X, y, scheme="1x3cv", random_state=0)
                   for X, y in ((data.X, data.y), (frame, "kind"), (data, None))]  # fmt: skip
    assert len({v.score for v in validations}) == 1
