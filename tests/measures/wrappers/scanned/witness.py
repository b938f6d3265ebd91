"""The same folds for scikit-learn: what ``cross_val_score`` gives on them."""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import PredefinedSplit, cross_val_score

from fewest.data._as_table import as_table
from fewest.data._engine.fold_sums import FoldedRows
from fewest.data._engine.frame import stored_table
from tests.data.engine.sample import arrow, parts_of


def numbers(rows=600, seed=3):
    """Four continuous features, a class and a number that depend on three of them."""
    import pandas as pd

    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 4)) * [1.0, 5.0, 0.2, 1.0]
    number = X[:, 0] + 0.3 * X[:, 1] + 2.0 * X[:, 2] + rng.normal(0, 0.5, rows)
    table = pd.DataFrame(X, columns=list("abcd"))
    table["y"] = np.digitize(number, [-0.8, 0.9])
    table["z"] = number
    return table


def witnessed(estimator, table, target, subset, folds, scoring=None):
    """Fold scores of the estimator itself on the folds that the scan makes."""
    stored = stored_table(arrow(table, 10_000), target)
    (part,) = parts_of(FoldedRows(stored, folds))
    X = table.drop(columns=target)
    names = [name for name, inside in zip(X.columns, subset, strict=True) if inside]
    return cross_val_score(
        estimator, X[names], table[target], cv=PredefinedSplit(part.fold), scoring=scoring
    )


def memory(table, target):
    """The table in memory."""
    return as_table(table.drop(columns=target), table[target])
