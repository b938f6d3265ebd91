"""Rules of one fold for many candidates."""

from __future__ import annotations

import pickle
from functools import partial

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold

from fewest.data import as_table
from fewest.measures.wrappers.linear.fold import PlainRows
from fewest.measures.wrappers.twins import find_twin

X, Y = load_diabetes(return_X_y=True)


def _both(values, targets):
    return values, targets


def test_rotated_rows_solve_the_same_least_squares():
    rng = np.random.default_rng(0)
    values, targets = rng.normal(size=(30, 4)), rng.normal(size=(30, 2))
    made = PlainRows(partial(_both, values, targets), True, 1e-9)
    plain = pickle.loads(pickle.dumps(made))
    columns, right = plain.rotated()
    expected = np.linalg.lstsq(values, targets, rcond=None)[0]
    np.testing.assert_allclose(np.linalg.lstsq(columns.T, right.T, rcond=None)[0], expected)


def test_responses_are_predictions():
    splits = tuple(KFold(4).split(X))
    scorer = find_twin(LinearRegression(), as_table(X, Y), splits, "r2")
    masks = np.random.default_rng(1).random((6, X.shape[1])) < 0.5
    for (train, _), fold in zip(splits, scorer.folds, strict=True):
        said, unsure = fold.respond(masks)
        assert not unsure.any()
        for mask, values in zip(masks, said.values, strict=True):
            model = LinearRegression().fit(X[train][:, mask], Y[train])
            expected = model.predict(X[fold.rows][:, mask])
            assert values[0] == pytest.approx(expected, rel=1e-9)
