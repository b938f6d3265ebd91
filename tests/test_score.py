"""score_subsets: many subsets on the same folds, or one sentence."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB

import fewest
from fewest._errors import InputError

X, Y = load_iris(return_X_y=True)
SUBSETS = np.array([[1, 0, 0, 0], [0, 0, 1, 1], [1, 1, 1, 1]], dtype=bool)


def test_folds_are_those_of_cross_val_score():
    scores = fewest.score_subsets(X, Y, SUBSETS, measure=GaussianNB(), cv=5)
    for subset, folds, value in zip(SUBSETS, scores.folds, scores.value, strict=True):
        expected = cross_val_score(GaussianNB(), X[:, subset], Y, cv=5)
        np.testing.assert_array_equal(folds, expected)
        assert value == pytest.approx(expected.mean())


def test_the_target_can_be_named():
    data = fewest.load("wine")
    frame = data.X.assign(kind=data.y)
    subsets = [["alcohol", "hue"], ["ash"]]
    named = fewest.score_subsets(frame, "kind", subsets, measure="gaussian-nb", cv=3)
    given = fewest.score_subsets(data.X, data.y, subsets, measure="gaussian-nb", cv=3)
    np.testing.assert_array_equal(named.folds, given.folds)
    assert fewest.evidence(frame, "kind").real() == fewest.evidence(data.X, data.y).real()


def test_filters_have_no_folds():
    assert fewest.score_subsets(X, Y, SUBSETS, measure="cfs").folds is None


@pytest.mark.parametrize("jobs", [1, 2])
def test_ones_and_zeros_and_any_number_of_workers(jobs):
    given = {"measure": "naive-bayes", "random_state": 3}
    expected = fewest.score_subsets(X, Y, SUBSETS, **given).value
    found = fewest.score_subsets(X, Y, SUBSETS.astype(int), n_jobs=jobs, **given).value
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("subsets", "message"),
    [
        (SUBSETS[0], r"shape \(m, 4\), .*but has shape \(4,\)"),
        (SUBSETS[:, :3], r"but has shape \(3, 3\)"),
        (SUBSETS[:0], r"but has shape \(0, 4\)"),
        (2 * SUBSETS.astype(int), "only True and False"),
    ],
)
def test_what_is_no_subset(subsets, message):
    with pytest.raises(InputError, match=message):
        fewest.score_subsets(X, Y, subsets, measure="cfs")
