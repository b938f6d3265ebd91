"""A small table of classes and one of numbers, and the comparison with cross_val_score."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.testing import assert_allclose
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.model_selection import StratifiedKFold, cross_val_score
from threadpoolctl import threadpool_limits

from fewest.data.build import as_table
from fewest.measures.wrappers.cross_validated import CrossValidated
from fewest.measures.wrappers.responses import ResponseScorer


def tumours():
    """150 rows of two classes, eight columns, one of them constant."""
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:150, :8].copy()
    X[:, 3] = 2.0
    return X, y[:150]


def flowers():
    return load_iris(return_X_y=True)


def patients():
    X, y = load_diabetes(return_X_y=True)
    return X[:120], y[:120]


def same_folds(estimator, X, y, scoring=None, weight=None, m=2):
    """Fold scores are those of cross_val_score, and the twin scores them."""
    cv = 3 if y.dtype.kind == "f" else StratifiedKFold(3, shuffle=True, random_state=0)
    metadata = {} if weight is None else {"sample_weight": weight}
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = as_table(X, y, metadata=metadata)
        scorer = CrossValidated(estimator, cv=cv, scoring=scoring).bind(table)
        assert isinstance(scorer.scorers[0], ResponseScorer)
        assert scorer.scorers[0].trains
        assert not scorer.fast
        masks = np.random.default_rng(m).random((m, X.shape[1])) < 0.5
        masks[:, 0] = True
        folds = scorer.score(masks).folds
        for mask, own in zip(masks, folds, strict=True):
            expected = cross_val_score(
                estimator, X[:, mask], y, cv=cv, scoring=scoring, params=metadata
            )
            assert_allclose(own, expected, rtol=1e-12, atol=1e-13)
    return scorer


def is_twin(estimator, X, y, scoring=None):
    """Whether the estimator is trained by a twin."""
    with threadpool_limits(1):
        scorer = CrossValidated(estimator, cv=3, scoring=scoring).bind(as_table(X, y))
    return isinstance(scorer.scorers[0], ResponseScorer)
