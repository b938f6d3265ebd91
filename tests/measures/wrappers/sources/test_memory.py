"""Numbers by fold: what pipelines make of a table, column by column."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
)

from fewest.classifiers import TableEncoder
from fewest.data._as_table import as_table
from fewest.measures._wrappers.sources.memory import MemorySource
from fewest.measures._wrappers.sources.pipelines import take_apart


def frame(rows=60, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "a": np.where(rng.random(rows) < 0.1, np.nan, rng.normal(size=rows)),
            "colour": rng.choice(["red", "green", "blue"], rows),
            "b": rng.normal(5.0, 3.0, rows),
            "few": rng.integers(0, 3, rows),
            "flat": np.ones(rows),
        }
    )


NUMBERS = ["a", "b", "few", "flat"]
FRONTS = {
    "branches": make_column_transformer(
        (make_pipeline(SimpleImputer(), StandardScaler()), NUMBERS),
        (OneHotEncoder(handle_unknown="ignore"), ["colour"]),
    ),
    "selectors and remainder": make_pipeline(
        make_column_transformer(
            (
                OneHotEncoder(drop="first", min_frequency=5),
                make_column_selector(dtype_include="object"),
            ),
            remainder=SimpleImputer(strategy="median"),
        ),
        MinMaxScaler(),
    ),
    "dropped and passed": make_column_transformer(
        ("passthrough", ["b"]), (RobustScaler(), [3]), ("drop", ["a", "colour"])
    ),
    "ordinal": make_column_transformer((OrdinalEncoder(), ["colour", "few"])),
    "our own": TableEncoder(),
}


@pytest.mark.parametrize("name", FRONTS)
def test_a_subset_of_the_columns_is_what_the_pipeline_makes_of_it(name):
    X, y = frame(), np.arange(60) % 2
    table, front = as_table(X, y), FRONTS[name]
    train, test = np.arange(10, 60), np.arange(10)
    parts = take_apart(make_pipeline(front, LogisticRegression()), table)
    assert parts.refusal is None
    columns = MemorySource(table, ((train, test),), parts.branches).columns(0)
    whole = front.fit(X.iloc[train]).transform(X)
    whole = whole.toarray() if hasattr(whole, "toarray") else np.asarray(whole)
    assert columns.values.shape == whole.shape
    for j in range(whole.shape[1]):
        assert any(np.allclose(whole[:, j], own, rtol=1e-12) for own in columns.values.T), j
    assert not columns.unusable.any()


def test_masks_over_features_become_masks_over_columns():
    table = as_table(frame(), np.arange(60) % 2)
    rows = np.arange(60)
    parts = take_apart(make_pipeline(TableEncoder(), LogisticRegression()), table)
    columns = MemorySource(table, ((rows, rows),), parts.branches).columns(0)
    assert columns.owner.tolist() == [0, 1, 1, 1, 2, 3, 4]
    mask = np.array([[False, True, False, True, False]])
    assert columns.expand(mask).astype(int).tolist() == [[0, 1, 1, 1, 0, 1, 0]]


def test_only_what_a_matrix_cannot_hold_is_unusable():
    X = frame()
    X["late"] = pd.Timestamp("2020-01-01")
    table = as_table(X, np.arange(60) % 2)
    source = MemorySource(table, ((np.arange(60), np.arange(60)),))
    columns = source.columns(0)
    bad = {table.names[j] for j in np.flatnonzero(columns.unusable)}
    assert bad == {"a", "colour", "late"} - ({"late"} if not table.nominal[-1] else set())
    assert np.isfinite(columns.values).all()
    masks = np.eye(len(table.names), dtype=bool)
    assert columns.unsure(masks).tolist() == columns.unusable.tolist()


def test_a_step_that_refuses_one_feature_keeps_the_others():
    X = frame()
    table = as_table(X, np.arange(60) % 2)
    parts = take_apart(make_pipeline(StandardScaler(), LogisticRegression()), table)
    columns = MemorySource(table, ((np.arange(60), np.arange(60)),), parts.branches).columns(0)
    assert columns.unusable.tolist() == [True, True, False, False, False]
    assert columns.owner.tolist() == [0, 2, 3, 4]


def test_steps_that_mix_columns_are_refused_in_words():
    table = as_table(frame(), np.arange(60) % 2)
    parts = take_apart(make_pipeline(PCA(), LogisticRegression()), table)
    assert parts.refusal == "PCA before the model is not known to treat every column on its own"
    parts = take_apart(
        make_pipeline(SimpleImputer(add_indicator=True), LogisticRegression()), table
    )
    assert "adds columns" in parts.refusal


@pytest.mark.parametrize(("dtype", "eps"), [(np.float32, 2.0**-23), (np.float64, 2.0**-52)])
def test_the_precision_is_that_of_the_columns(dtype, eps):
    X = np.ones((4, 2), dtype=dtype)
    for given in (X, pd.DataFrame(X)):
        table = as_table(given, [0, 1, 0, 1])
        assert MemorySource(table, ()).precision == eps
