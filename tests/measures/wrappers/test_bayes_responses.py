"""Naive Bayes by folds: joint logarithms and probabilities of the classifier."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import CategoricalNB

from fewest.classifiers import NaiveBayes
from fewest.data import as_table
from fewest.measures.wrappers.bayes_responses import categorical_folds, naive_bayes_folds
from tests.measures.wrappers.cases import levels, numbers, some_masks

CASES = [
    (NaiveBayes(), naive_bayes_folds, numbers),
    (CategoricalNB(min_categories=9), categorical_folds, levels),
]


@pytest.mark.parametrize(("estimator", "folds_of", "make"), CASES)
def test_exact_probabilities_are_those_of_the_classifier(estimator, folds_of, make):
    X, y = make(0)
    splits = tuple(StratifiedKFold(3).split(X, y))
    for (train, test), fold in zip(
        splits, folds_of(estimator, as_table(X, y), splits, None, "probabilities"), strict=True
    ):
        order = [test.tolist().index(row) for row in fold.rows]
        for mask in some_masks(6):
            model = estimator.fit(X[train][:, mask], y[train])
            expected = model.predict_proba(X[test][:, mask])[order]
            np.testing.assert_allclose(fold.exact(mask)[1], expected, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize(("estimator", "folds_of", "make"), CASES)
def test_the_largest_response_is_the_prediction(estimator, folds_of, make):
    X, y = make(1)
    splits = tuple(StratifiedKFold(3).split(X, y))
    masks = some_masks(6)
    fold = folds_of(estimator, as_table(X, y), splits, None, "probabilities")[0]
    said, unsure = fold.respond(masks)
    assert not unsure.any()
    for mask, values in zip(masks, said.values, strict=True):
        model = estimator.fit(X[splits[0][0]][:, mask], y[splits[0][0]])
        wrong = fold.labels[values.argmax(axis=0)] != model.predict(X[fold.rows][:, mask])
        assert not wrong.any()
