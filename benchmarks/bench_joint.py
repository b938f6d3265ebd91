"""The joint behaviour of eight models of scikit-learn on 5,000 rows: all but the training.

Ours is what comes after the predictions: networks, readings, matrices, the suggested ensemble
(judged on other rows, ten times) and the page. Theirs is the training and predicting that any
comparison of these models needs. Seconds of processor time, one thread.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from sklearn.datasets import make_classification
from threadpoolctl import threadpool_limits

from fewest._joint.behaviour import read_behaviour
from fewest._joint.predictions import Predictions, predict_held_out
from fewest._joint.simplified_network import Learner
from fewest._report.page import joint_page
from fewest.measures._models_by_name import named_estimator

MODELS = (
    "logistic-regression", "k-nn", "decision-tree", "random-forest", "hist-gradient-boosting",
    "svc", "mlp(max_iter=30)", "gaussian-nb",
)  # fmt: skip
ROWS, FEATURES = 5_000, 20


def rows() -> list[dict[str, Any]]:
    """One row per score."""
    X, y = make_classification(
        ROWS, FEATURES, n_informative=8, n_classes=3, flip_y=0.1, random_state=0
    )
    models = {name: named_estimator(name) for name in MODELS}
    with threadpool_limits(1):
        start = time.process_time()
        predictions = predict_held_out(models, X, y, scheme=3, rng=np.random.default_rng(0))
        training = time.process_time() - start
        return [_row(predictions, training, score) for score in ("k2", "bic")]


def _row(predictions: Predictions, training: float, score: str) -> dict[str, Any]:
    start = time.process_time()
    found = read_behaviour(predictions, Learner(score, "exact"), None, 0)
    ensemble = found.suggest_ensemble(3)
    page = joint_page(found, "generated")
    return {
        "what": f"joint behaviour of {len(found.names)} models, {ROWS:,} rows, {score}",
        "ours_s": time.process_time() - start,
        "theirs_s": training,
        "target": "ours < 60 s",
        "note": f"theirs: training on three folds; proven network with {len(found.graph.arcs)} "
        f"arcs, ensemble of {len(ensemble.members)}, page of {len(page) / 1024:.0f} kB",
    }
