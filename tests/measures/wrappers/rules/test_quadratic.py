"""NearestCentroid gives what cross_val_score gives."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fewest.data.build import as_table
from tests.measures.wrappers.test_responses import check, masks_of

MODELS = [NearestCentroid(), make_pipeline(StandardScaler(), NearestCentroid())]


@pytest.mark.parametrize("name", ["ionosphere", "image-segmentation", "chess-kr-vs-kp"])
@pytest.mark.parametrize("estimator", MODELS)
def test_real_tables(dataset, estimator, name):
    table = as_table(dataset(name).X, dataset(name).y)
    X = np.ascontiguousarray(table.values)
    check(estimator, X, table.target, masks_of(X.shape[1], m=3), None, cv=3)
    check(estimator, X, table.target, masks_of(X.shape[1], m=2), "balanced_accuracy", cv=3)


def test_what_it_cannot_promise_goes_to_the_estimator():
    X, y = load_iris(return_X_y=True)
    masks = masks_of(4, m=2)
    check(NearestCentroid(metric="manhattan"), X, y, masks, None, fast=False)
    check(NearestCentroid(shrink_threshold=0.2), X, y, masks, None, fast=False)
    check(NearestCentroid(), X, y, masks, "neg_log_loss", fast=False)
