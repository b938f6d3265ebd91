"""GaussianNB by folds: moments and probabilities of the classifier."""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB

from fewest.data import as_table
from fewest.measures.wrappers.gaussian_responses import NumpyMoments, gaussian_folds
from tests.measures.wrappers.cases import numbers, some_masks


def test_joint_logarithms_are_those_of_the_classifier():
    X, y = numbers(0)
    moments = NumpyMoments.of_rows(X, y, np.bincount(y) / len(y))
    masks = np.array([mask for mask in some_masks(6) if np.ptp(X[:, mask], axis=0).any()])
    found = moments.joint(np.ascontiguousarray(X.T), masks, 1e-9)
    for mask, values in zip(masks, found, strict=True):
        own = np.ascontiguousarray(X[:, mask])
        expected = GaussianNB().fit(own, y).predict_joint_log_proba(own)
        np.testing.assert_allclose(values, expected, rtol=1e-14)


def test_exact_probabilities_are_those_of_the_classifier():
    X, y = numbers(1)
    splits = tuple(StratifiedKFold(3).split(X, y))
    folds = gaussian_folds(GaussianNB(), as_table(X, y), splits, None, "probabilities")
    for (train, _), fold in zip(splits, folds, strict=True):
        for mask in some_masks(6):
            found = fold.exact(mask)
            if found is None:
                continue
            model = GaussianNB().fit(X[train][:, mask], y[train])
            expected = model.predict_proba(X[fold.rows][:, mask])
            np.testing.assert_allclose(found[1], expected, rtol=1e-12, atol=1e-300)
