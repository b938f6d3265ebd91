"""Scores of scikit-learn with weights of rows in training and in the score."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.base import clone, is_regressor
from sklearn.metrics import get_scorer
from sklearn.model_selection import cross_val_score


def weighted_scores(
    estimator: Any, X: Any, y: Any, weight: Any, cv: Any, scoring: Any = None
) -> np.ndarray:
    """Return fold scores by scikit-learn's own routing of weights to both."""
    own = clone(estimator)
    last = own.steps[-1][1] if hasattr(own, "steps") else own
    with config_context(enable_metadata_routing=True):
        last.set_fit_request(sample_weight=True)
        for part in own.get_params(deep=True).values():
            if part is not last and hasattr(part, "set_fit_request"):
                part.set_fit_request(sample_weight=False)
        name = scoring or ("r2" if is_regressor(own) else "accuracy")
        scorer = get_scorer(name).set_score_request(sample_weight=True)
        given = {"sample_weight": weight}
        return cross_val_score(own, X, y, cv=cv, scoring=scorer, params=given)
