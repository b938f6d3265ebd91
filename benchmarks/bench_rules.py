"""OneR and Table-Majority over many subsets, against a loop of cross_val_score.

One thousand random subsets, ten folds, the same folds and classifiers for both. Ours counts
binding (rules of single features, codes, tables of branches) and scoring; theirs is timed on some
of the subsets and scaled to all. Seconds of processor time, one thread.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_score

import fewest
from fewest.classifiers import OneR, TableMajority
from fewest.data._as_table import as_table
from fewest.data._rows import take_columns
from fewest.measures._wrappers.line import fast_scorer

SUBSETS, SAMPLE = 1000, 4


def rows() -> list[dict[str, Any]]:
    """One row per classifier and table."""
    models = (OneR(), TableMajority(select=False))
    tables = ("votes", "ionosphere", "chess-kr-vs-kp")
    return [_row(model, name) for model in models for name in tables]


def _row(model: Any, name: str) -> dict[str, Any]:
    data = fewest.load(name)
    table, y = as_table(data.X, data.y), np.asarray(data.y)
    subsets = np.random.default_rng(0).random((SUBSETS, table.n_features)) < 0.5
    splits = tuple(StratifiedKFold(10, shuffle=True, random_state=0).split(y, y))
    fast_scorer(model, table, splits[:1]).score(subsets[:2])  # compiles
    start = time.process_time()
    scorer = fast_scorer(model, table, splits)
    scorer.score(subsets[:1])
    bound = time.process_time() - start
    found = scorer.score(subsets)
    ours = time.process_time() - start
    start = time.process_time()
    expected = [
        cross_val_score(model, take_columns(data.X, subset), y, cv=splits)
        for subset in subsets[:SAMPLE]
    ]
    theirs = (time.process_time() - start) / SAMPLE * SUBSETS
    same = "equal" if np.array_equal(found.folds[:SAMPLE], expected) else "different"
    return {
        "what": f"{type(model).__name__} over {SUBSETS} subsets of {name}, 10 folds",
        "ours_s": ours,
        "theirs_s": theirs,
        "ratio": theirs / ours,
        "note": f"{bound:.2f} s of ours is binding; {10 * SAMPLE} fold scores {same}; theirs "
        f"scaled from {SAMPLE} subsets; CPU time",
    }
