"""Wide tables: linear twins bound to few columns at a time give what cross_val_score gives."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, Ridge, RidgeClassifier
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fewest.data._as_table import as_table
from fewest.measures._wrappers.cross_validated import CrossValidated
from fewest.measures._wrappers.rules.linear import MOST_COLUMNS, TOGETHER, blocks
from tests.measures.wrappers.test_responses import check

WIDE = 1300


def wide(classes):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, WIDE))
    y = X[:, 0] - X[:, 1] + rng.normal(size=60)
    return X, (y > 0).astype(int) if classes else y


def masks_of(m=5):
    masks = np.random.default_rng(1).random((m, WIDE)) < 0.01
    masks[:, 0] = True
    return masks


@pytest.mark.parametrize(
    "estimator", [RidgeClassifier(), LinearDiscriminantAnalysis(), NearestCentroid()]
)
def test_classes(estimator):
    assert WIDE > MOST_COLUMNS
    scorer = check(estimator, *wide(True), masks_of(), None, cv=3)
    assert scorer.scorers[0].doubted(masks_of()) == 0.0


@pytest.mark.parametrize(
    "estimator", [LinearRegression(), make_pipeline(StandardScaler(), Ridge())]
)
def test_numbers(estimator):
    check(estimator, *wide(False), masks_of(), "neg_mean_absolute_error", cv=3, rtol=1e-9)


def test_subsets_that_are_too_wide_are_trained():
    X, y = wide(True)
    masks = np.vstack([np.ones((1, WIDE), dtype=bool), masks_of(2)])
    check(RidgeClassifier(), X, y, masks, None, cv=3)


def test_the_empty_subset_and_pickles():
    scorer = CrossValidated(RidgeClassifier(), cv=3).bind(as_table(*wide(True)))
    masks = masks_of(3)
    masks[1] = False
    again = pickle.loads(pickle.dumps(scorer))
    assert_array_equal(again.score(masks).folds, scorer.score(masks).folds)
    assert_allclose(scorer.score(masks).value[1], 0.5, atol=0.1)


def test_blocks_hold_every_candidate_once():
    masks = masks_of(40)
    found = list(blocks(masks))
    assert [row for rows, _ in found for row in range(*rows.indices(40))] == list(range(40))
    for rows, columns in found:
        assert_array_equal(np.flatnonzero(masks[rows].any(axis=0)), columns)
        assert len(columns) <= TOGETHER
