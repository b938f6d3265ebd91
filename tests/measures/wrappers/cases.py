"""Tables and checks that the tests of several twins use."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.testing import assert_array_equal
from sklearn.model_selection import cross_val_score

from fewest.data._as_table import as_table
from fewest.measures._wrappers.cross_validated import CrossValidated


def some_masks(d, m=8, seed=0):
    rng = np.random.default_rng(seed)
    masks = rng.random((m, d)) < rng.random((m, 1))
    masks[:d, :] |= np.eye(d, dtype=bool)[: len(masks)]
    return masks[masks.any(axis=1)]


def check_twin(estimator, X, y, masks, cv=5, fast=True):
    """The twin's fold scores are bit for bit those of cross_val_score."""
    table = as_table(X, y)
    scorer = CrossValidated(estimator, cv=cv).bind(table)
    assert scorer.fast is fast
    scores = scorer.score(masks)
    sliced = X.loc if hasattr(X, "loc") else X
    for mask, folds in zip(masks, scores.folds, strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = cross_val_score(estimator, sliced[:, mask], y, cv=cv)
        assert_array_equal(folds, expected)
    return scores


def numbers(seed, n=120, d=6, classes=3):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-4, 4, d) + y[:, None] * rng.random(d)
    X[:, 2] = np.round(X[:, 2])
    X[y == 0, 3] = 1.0
    return X, y


def levels(seed, n=150, d=6, classes=3):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = rng.integers(0, np.arange(2, d + 2), (n, d))
    return np.where(rng.random((n, d)) < 0.4, (y[:, None] + X) % np.arange(2, d + 2), X), y
