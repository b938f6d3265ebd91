"""X and y become a table, or one sentence."""

import math
import uuid
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from fewest._errors import InputError
from fewest.data._as_table import as_table, refuse_unclear

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
