"""A data set by itself: its frame, its kinds, its table."""

from __future__ import annotations

import numpy as np

from fewest.data._columns import Column, Columns
from fewest.data._dataset import make_dataset

COLUMNS = Columns(
    ("size", "kind", "grade"),
    (
        Column(numbers=np.array([1.5, 2.0, np.nan])),
        Column(labels=["b", None, "a"]),
        Column(labels=["good", "bad", "good"]),
    ),
    3,
    True,
)


def test_any_column_is_the_target():
    data = make_dataset(COLUMNS, "grade", "parts", about="Three parts.")
    assert data.names == ("size", "kind")
    assert data.kinds == {"size": "continuous", "kind": "nominal"}
    assert data.y.tolist() == ["good", "bad", "good"]
    assert data.about == "Three parts."
    other = make_dataset(COLUMNS, "kind", "parts")
    assert other.names == ("size", "grade")


def test_its_table_is_coded_by_its_schema():
    table = make_dataset(COLUMNS, "grade", "parts").table()
    np.testing.assert_array_equal(table.values, [[1.5, 1], [2.0, np.nan], [np.nan, 0]])
    assert table.classes.tolist() == ["bad", "good"]


def test_columns_can_be_made_nominal():
    data = make_dataset(COLUMNS, "grade", "parts")
    assert data.table(nominal="size").levels[0] == (1.5, 2)


def test_it_says_what_it_is():
    text = repr(make_dataset(COLUMNS, "grade", "parts"))
    assert text == (
        "Dataset parts: 3 rows, 2 features (1 continuous, 1 nominal), target 'grade' with 2 classes"
    )
