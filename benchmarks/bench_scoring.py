"""Scoring many subsets by cross-validation, against a loop of cross_val_score.

One thousand random subsets, ten folds, the same folds for both. Ours counts binding (training
on every fold) and scoring, on two threads, repeated and averaged, since once is over before a
clock can tell; the loop is timed on some of the subsets, spread over the run, and scaled.
"""

from __future__ import annotations

import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import CategoricalNB, GaussianNB

import fewest
from fewest.data._as_table import as_table
from fewest.measures import CrossValidated, Scores

SUBSETS, FOLDS, SAMPLE, ROUNDS, REPEATS = 1000, 10, 30, 5, 20


def rows() -> list[dict[str, Any]]:
    """One row a table: seconds of both ways, their ratio and the target."""
    return [
        _row("ionosphere", GaussianNB(), 5000),
        _row("image-segmentation", GaussianNB(), 2000),
        _row("chess-kr-vs-kp", CategoricalNB(), 2000),
    ]


def _row(name: str, estimator: Any, target: int) -> dict[str, Any]:
    data = fewest.load(name)
    X = np.ascontiguousarray(as_table(data.X, data.y).values)
    table = as_table(X, data.y)
    masks = np.random.default_rng(0).random((SUBSETS, X.shape[1])) < 0.5
    masks[~masks.any(axis=1), 0] = True
    folds = list(StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, table.target))
    ours, theirs = [], []
    _ours(estimator, table, masks, folds, 1)
    for part in np.array_split(np.arange(SUBSETS)[:: SUBSETS // SAMPLE], ROUNDS):
        seconds, scores = _timed(_ours, estimator, table, masks, folds, REPEATS)
        ours.append(seconds / REPEATS)
        seconds, expected = _timed(_loop, estimator, X, table.y, masks[part], folds)
        theirs.append(seconds / len(part) * SUBSETS)
        assert np.array_equal(scores.folds[part], expected, equal_nan=True)
    return {
        "what": f"{SUBSETS} subsets of {name}, {type(estimator).__name__}, {FOLDS} folds",
        "ours_s": float(np.median(ours)),
        "theirs_s": float(np.median(theirs)),
        "ratio": float(np.median(theirs) / np.median(ours)),
        "target": target,
        "note": f"cross_val_score timed on {SAMPLE} subsets and scaled; the fold scores are "
        f"equal; {_memory(estimator, table, masks, folds)}",
    }


def _ours(estimator: Any, table: Any, masks: Any, folds: Any, repeats: int) -> Scores:
    with ThreadPoolExecutor(2) as pool:
        for _ in range(repeats):
            scorer = CrossValidated(estimator, cv=folds).bind(table)
            parts = list(pool.map(scorer.score, np.array_split(masks, 2)))
    return Scores.join(parts)


def _loop(estimator: Any, X: Any, y: Any, masks: Any, folds: Any) -> Any:
    return np.array([cross_val_score(estimator, X[:, mask], y, cv=folds) for mask in masks])


def _timed(work: Any, *arguments: Any) -> tuple[float, Any]:
    start = time.perf_counter()
    answer = work(*arguments)
    return time.perf_counter() - start, answer


def _memory(estimator: Any, table: Any, masks: Any, folds: Any) -> str:
    """Peak memory of scoring the subsets once, and eight times as many."""
    scorer = CrossValidated(estimator, cv=folds).bind(table)
    peaks = []
    for many in (masks, np.tile(masks, (8, 1))):
        tracemalloc.start()
        for part in np.array_split(many, len(many) // scorer.batch + 1):
            scorer.score(part)
        peaks.append(tracemalloc.get_traced_memory()[1] / 2**20)
        tracemalloc.stop()
    return f"peak memory {peaks[0]:.1f} MiB for {SUBSETS} subsets, {peaks[1]:.1f} for 8 times that"


if __name__ == "__main__":
    for row in rows():
        print(row)
