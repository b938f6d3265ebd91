"""Cross-validating decision trees over many subsets, against a loop of cross_val_score.

One thousand random subsets, ten folds, the same folds for both. Ours is ID3, counting binding
and scoring, on one thread, with an empty store of nodes at the start; theirs is scikit-learn's
DecisionTreeClassifier with entropy over the numbers of the same table, timed on some of the
subsets before and after ours and scaled to all of them. Both in seconds of processor time, so
that other work on the machine does not count.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

import fewest
from fewest.classifiers._trees.tree import ID3
from fewest.data._as_table import as_table
from fewest.measures import CrossValidated

SUBSETS, FOLDS, SAMPLE, TARGET = 1000, 10, 10, 50


def rows() -> list[dict[str, Any]]:
    """One row a table: seconds of both ways, their ratio and the target."""
    return [_row(name) for name in ("ionosphere", "image-segmentation", "chess-kr-vs-kp")]


def _row(name: str) -> dict[str, Any]:
    data = fewest.load(name)
    table = as_table(data.X, data.y)
    subsets = np.random.default_rng(0).random((SUBSETS, table.n_features)) < 0.5
    subsets[~subsets.any(axis=1), 0] = True
    cv = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    splits = list(cv.split(table.values, table.target))
    CrossValidated(ID3(), cv=splits[:1]).bind(table).score(subsets[:2])  # compiles
    before = _loop(table, splits, subsets[: SAMPLE // 2])
    start = time.process_time()
    CrossValidated(ID3(), cv=splits).bind(table).score(subsets)
    ours = time.process_time() - start
    after = _loop(table, splits, subsets[SAMPLE // 2 : SAMPLE])
    theirs = (before + after) / SAMPLE * SUBSETS
    return {
        "what": f"ID3 over {SUBSETS} subsets of {name}, {FOLDS} folds",
        "ours_s": ours,
        "theirs_s": theirs,
        "ratio": theirs / ours,
        "target": TARGET,
        "note": f"DecisionTreeClassifier(entropy), scaled from {SAMPLE} subsets; CPU time",
    }


def _loop(table: Any, splits: Any, subsets: Any) -> float:
    start = time.process_time()
    for subset in subsets:
        tree = DecisionTreeClassifier(criterion="entropy", random_state=0)
        cross_val_score(tree, table.values[:, subset], table.target, cv=splits)
    return time.process_time() - start


if __name__ == "__main__":
    for row in rows():
        print(row)
