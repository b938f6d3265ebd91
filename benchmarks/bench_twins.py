"""Twins of many estimators on six tables, against a loop of cross_val_score, in processor time.

Random subsets (half of the columns; one in a hundred of the widest table), ten folds (five for
the longest table, of which one where a model takes seconds), the same folds for both; one thread
each. The note says how many subsets were scored, by both. Binding (training on every fold) is
not counted: a search binds once. The note says how the numbers compare and which share of the
folds the referee decided.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge, RidgeClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

import fewest
from fewest.classifiers.bayes.naive_bayes import NaiveBayes
from fewest.data.build import as_table
from fewest.measures import CrossValidated
from fewest.measures.wrappers.wrapped import WrappedScorer

TABLES = (
    "ionosphere", "image-segmentation", "chess-kr-vs-kp", "waveform-40", "100,000 × 50",
    "200 × 5,000",
)  # fmt: skip
REGRESSORS = (LinearRegression(), Ridge())
CLASSIFIERS = (
    RidgeClassifier(),
    LinearDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis(reg_param=0.1),
    NearestCentroid(),
    KNeighborsClassifier(),
    make_pipeline(StandardScaler(), LogisticRegression()),
    GaussianNB(),
    NaiveBayes(),
    BernoulliNB(),
)
#: Subsets that are scored before the clock runs.
WARM = 20
#: Scorings that are compared with accuracy.
SCORINGS = ("roc_auc", "f1_macro", "neg_log_loss", "average_precision", "neg_brier_score")
AT_LEAST = {"LinearRegression": 500, "Ridge": 500, "RidgeClassifier": 500}
AT_LEAST |= {"LinearDiscriminantAnalysis": 500, "LogisticRegression": 60}


def rows() -> Iterator[dict[str, Any]]:
    """One row per estimator and table, then one per scoring."""
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        for name in TABLES:
            X, y = table_of(name)
            number = y + np.random.default_rng(5).normal(size=len(y)) * 0.1
            for estimator in REGRESSORS:
                yield _row(name, estimator, X, number)
            for estimator in CLASSIFIERS:
                yield _row(name, estimator, X, y)
        X, y = table_of("ionosphere")
        for estimator in (LinearDiscriminantAnalysis(), GaussianNB(), NaiveBayes()):
            for scoring in SCORINGS:
                yield _row("ionosphere", estimator, X, y, scoring)


def table_of(name: str) -> tuple[Any, Any]:
    """A table of the catalog, or a generated one."""
    if "×" in name:
        n, d = (int(part.replace(",", "")) for part in name.split(" × "))
        rng = np.random.default_rng(3)
        X = rng.normal(size=(n, d))
        return X, (X[:, :5].sum(axis=1) + rng.normal(size=n) > 0).astype(np.int64)
    data = fewest.load(name)
    table = as_table(data.X, data.y)
    return np.ascontiguousarray(table.values), table.target


def _row(name: str, estimator: Any, X: Any, y: Any, scoring: str | None = None) -> dict[str, Any]:
    many, few, most = (20, 1, 5) if len(X) > 50_000 else (100, 2, 10)
    if isinstance(estimator, KNeighborsClassifier):
        many, few, most = 20, 2, 10
    elif isinstance(estimator, (GaussianNB, NaiveBayes, BernoulliNB)):
        many = 100
    return compared(name, estimator, X, y, scoring, many=many, few=few, most=most)


def compared(
    name: str,
    estimator: Any,
    X: Any,
    y: Any,
    scoring: str | None = None,
    *,
    many: int,
    few: int,
    most: int = 10,
) -> dict[str, Any]:
    """The row of an estimator and a table: ``many`` subsets by fewest, ``few`` by the loop.

    Both on the first ``most`` folds.
    """
    n, d = X.shape
    long, wide = n > 50_000, d > 1000
    masks = np.random.default_rng(1).random((many + WARM, d)) < (0.01 if wide else 0.5)
    masks, others = masks[:many], masks[many:]
    classes = (y > np.median(y)) if y.dtype.kind == "f" else y
    parts = StratifiedKFold(5 if long else 10, shuffle=True, random_state=0)
    folds = list(parts.split(X, classes))[:most]
    scorer = CrossValidated(estimator, cv=folds, scoring=scoring).bind(as_table(X, y))
    model = estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator
    what = f"{type(model).__name__}{' by ' + scoring if scoring else ''}, {name}"
    if isinstance(scorer.scorers[0], WrappedScorer):
        return {"what": what, "note": "no twin here: the estimator is trained"}
    # Others first, without the clock, so that kernels are compiled.
    if many > 1:
        scorer.score(others if scorer.fast else others[:1])
    ours, found = _timed(scorer.score, masks)
    theirs, expected = _timed(_loop, estimator, X, y, masks[:few], folds, scoring)
    away = float(np.nanmax(np.abs(found.folds[:few] - expected)))
    doubted = getattr(scorer.scorers[0], "doubted", None) if scorer.fast else None
    share = "" if doubted is None else f"; referee {100.0 * doubted(masks[:20]):.1f} % of the folds"
    same = f"{expected.size} fold scores " + ("equal" if away == 0.0 else f"within {away:.0e}")
    return {
        "what": what,
        "ours_s": ours / many,
        "theirs_s": theirs / few,
        "ratio": theirs / few / (ours / many),
        "target": AT_LEAST.get(type(model).__name__, "") if n <= 5000 and not wide else "",
        "note": f"{1e6 * ours / many:,.0f} µs per subset ({many}, {few}); {same}{share}",
    }


def _loop(estimator: Any, X: Any, y: Any, masks: Any, folds: Any, scoring: Any) -> Any:
    return np.array(
        [cross_val_score(estimator, X[:, mask], y, cv=folds, scoring=scoring) for mask in masks]
    )


def _timed(work: Any, *arguments: Any) -> tuple[float, Any]:
    start = time.process_time()
    answer = work(*arguments)
    return time.process_time() - start, answer
