"""Moments of folds by subtraction and from rows, against sums written out."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import KFold, ShuffleSplit
from sklearn.preprocessing import StandardScaler

from fewest.data._as_table import as_table
from fewest.measures._wrappers.moments import FoldNumbers, FoldTarget, Scaled
from fewest.measures._wrappers.sources.memory import MemorySource
from fewest.measures._wrappers.sources.pipelines import Branch

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
