"""Trees and ensembles on shared columns, against a loop of cross_val_score, in processor time.

The folds and subsets are those of the twins. Forests and boosters have 20 trees (per class), both
sides use one thread. Binding is not counted. LightGBM and XGBoost where they are installed.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterator
from typing import Any

from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from .bench_twins import TABLES, compared, table_of

#: Names of further packages, their classes and parameters.
PEERS = {
    "lightgbm": ("LGBMClassifier", {"verbose": -1}),
    "xgboost": ("XGBClassifier", {}),
}


def estimators() -> list[Any]:
    """Those that are there, each with one thread."""
    found = [
        DecisionTreeClassifier(random_state=0),
        RandomForestClassifier(20, random_state=0, n_jobs=1),
        ExtraTreesClassifier(20, random_state=0, n_jobs=1),
        HistGradientBoostingClassifier(max_iter=20, random_state=0),
    ]
    for package, (name, more) in PEERS.items():
        try:
            cls = getattr(importlib.import_module(package), name)
        except ImportError:
            continue
        found.append(cls(n_estimators=20, n_jobs=1, random_state=0, **more))
    return found


def rows() -> Iterator[dict[str, Any]]:
    """One row per estimator and table."""
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        for name in TABLES:
            X, y = table_of(name)
            for estimator in estimators():
                few, most = (1, 1) if len(X) > 50_000 else (2, 10)
                yield compared(name, estimator, X, y, many=few, few=few, most=most)
