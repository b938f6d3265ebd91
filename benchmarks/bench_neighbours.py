"""Nearest neighbours: subsets against cross_val_score, and weights against one model each.

CPU time of both ways in one process. Of equally near rows the earlier one counts here, and any of
them in scikit-learn, so that fold scores differ by such rows: chess has ties everywhere.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from sklearn.model_selection import LeaveOneOut, StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

import fewest
from fewest.classifiers import NearestNeighbor
from fewest.data._as_table import as_table
from fewest.data._generators import generate
from fewest.measures import CrossValidated, WeightedNeighbors
from fewest.measures._models_by_name import named_estimator

SUBSETS = {"ionosphere": 1000, "vehicle": 1000, "image-segmentation": 1000, "chess-kr-vs-kp": 200}
FOLDS, SAMPLE, TARGET = 10, 5, 100


def rows() -> list[dict[str, Any]]:
    """A row for each table and model, and one for weights."""
    models = (KNeighborsClassifier(1), KNeighborsClassifier(), named_estimator("k-nn"))
    return [_subsets(name, model) for name in SUBSETS for model in models] + [_weights()]


def _subsets(name: str, model: Any) -> dict[str, Any]:
    data, m = fewest.load(name), SUBSETS[name]
    X = np.ascontiguousarray(as_table(data.X, data.y).values)
    table = as_table(X, data.y)
    masks = np.random.default_rng(0).random((m, X.shape[1])) < 0.5
    masks[~masks.any(axis=1), 0] = True
    folds = list(StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, table.target))
    scorer = CrossValidated(model, cv=folds).bind(table)
    scorer.score(masks[:40])
    ours, scores = _cpu(lambda: scorer.score(masks).folds)
    theirs, expected = _cpu(
        lambda: [cross_val_score(model, X[:, s], table.target, cv=folds) for s in masks[:SAMPLE]]
    )
    audit = scorer.audit(masks[:SAMPLE])
    assert audit.agrees
    assert np.array_equal(scores[:SAMPLE][~audit.free], np.array(expected)[~audit.free])
    return _row(f"{m} subsets of {name}, {_title(model)}, {FOLDS} folds", ours, theirs * m / SAMPLE)


def _weights() -> dict[str, Any]:
    table = generate("waveform-21", 600, 0).table()
    weights = np.random.default_rng(0).random((1000, table.n_features))
    scorer = WeightedNeighbors(cv=LeaveOneOut()).bind(table)
    scorer.score(weights[:40])
    ours, scores = _cpu(lambda: scorer.score(weights).value)
    model = NearestNeighbor(weights=weights[0])
    theirs, expected = _cpu(
        lambda: cross_val_score(model, table.values, table.target, cv=LeaveOneOut()).mean()
    )
    assert abs(scores[0] - expected) < 1e-12
    return _row("leave-one-out of 1000 weight vectors, 600 rows x 21", ours, theirs * 1000)


def _title(model: Any) -> str:
    return "k-nn (scaled)" if hasattr(model, "steps") else str(model)


def _row(what: str, ours: float, theirs: float) -> dict[str, Any]:
    return {
        "what": what,
        "ours_s": ours,
        "theirs_s": theirs,
        "ratio": theirs / ours,
        "target": TARGET,
        "note": "CPU time; the other way timed on a part and scaled; equal but for ties",
    }


def _cpu(work: Any) -> tuple[float, Any]:
    start = time.process_time()
    answer = work()
    return time.process_time() - start, answer


if __name__ == "__main__":
    for row in rows():
        print(row)
