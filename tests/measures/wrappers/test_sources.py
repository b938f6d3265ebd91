"""Numbers by fold: what pipelines make of a table, column by column."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, ShuffleSplit
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
from fewest.measures._wrappers.moments import FoldNumbers, FoldTarget, Scaled
from fewest.measures._wrappers.sources.memory import MemorySource
from fewest.measures._wrappers.sources.pipelines import Branch, take_apart


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


EPS = float(np.finfo(np.float64).eps)
RNG = np.random.default_rng(0)
X, GROUPS, WEIGHT = RNG.normal(size=(40, 4)) + 3.0, RNG.integers(0, 3, 40), RNG.random(40)
SPLITTERS = [KFold(4), ShuffleSplit(3, train_size=0.5, random_state=0)]


def numbers(cv, scaled=False, values=X):
    table, splits = as_table(values, GROUPS), tuple(cv.split(values))
    branches = (Branch((0, 1, 2, 3), (StandardScaler(),)),) if scaled else None
    return FoldNumbers(MemorySource(table, splits, branches)), splits


def within(values, groups, weight):
    """Products about the means of the groups."""
    found = np.zeros((values.shape[1], values.shape[1]))
    for g in np.unique(groups):
        rows, own = values[groups == g], weight[groups == g]
        away = rows - own @ rows / own.sum()
        found += (away * own[:, None]).T @ away
    return found


def test_scaled_columns_are_exact_multiples():
    scales = 10.0 ** np.array([-160, -3, 0, 150])
    scaled = Scaled.of(X * scales, EPS)
    assert_array_equal(scaled.strange, [True, False, False, True])
    assert_array_equal(np.frexp(scaled.unit)[0], 0.5)
    away = X * scales - (X * scales).mean(axis=0)
    assert_allclose(scaled.values * scaled.unit, away, rtol=1e-12, atol=0)
    spread = scaled.values.std(axis=0)
    assert ((spread >= 1.0) & (spread < 2.0)).all()


def test_what_rounding_does_to_columns_far_from_nothing():
    near, far = Scaled.of(X, EPS), Scaled.of(X + 1e12, EPS)
    assert (near.drift < 1e-14).all()
    assert (far.drift > 1e-4).all()
    assert Scaled.of(np.zeros((5, 1)), EPS).unit[0] == 1.0


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("cv", SPLITTERS)
@pytest.mark.parametrize("pairs", [False, True])
def test_sums_of_every_fold(cv, scaled, pairs):
    found, splits = numbers(cv, scaled)
    found = pickle.loads(pickle.dumps(found))
    target = FoldTarget(X[:, :1] ** 2, GROUPS.astype(np.int64), 3, WEIGHT)
    for fold, (train, _) in enumerate(splits):
        own = found.of(fold)[1]
        sums, _ = found.sums(fold, own, target, None, pairs)
        both = np.column_stack([own.values, X[:, 0] ** 2])[train]
        expected = within(both, GROUPS[train], WEIGHT[train])
        assert_allclose(sums.square, np.diagonal(expected)[:4], rtol=1e-10)
        assert_allclose(sums.cross, expected[4:, :4], rtol=1e-9, atol=1e-12)
        products = found.products(fold, own, target, sums, np.array([2, 0]))
        assert_allclose(products, expected[[2, 0], :4], rtol=1e-9, atol=1e-12)
        if pairs:
            assert_allclose(sums.gram, expected[:4, :4], rtol=1e-9, atol=1e-12)


def test_what_is_left_of_an_outlier_is_computed_anew():
    values = X.copy()
    values[3, 1] = 1e10
    found, splits = numbers(KFold(4), values=values)
    own = found.of(0)[1]
    sums, _ = found.sums(0, own, FoldTarget(), None)
    rows = own.values[splits[0][0]]
    assert 3 not in splits[0][0]
    assert_allclose(sums.square, ((rows - rows.mean(axis=0)) ** 2).sum(axis=0), rtol=1e-6)
