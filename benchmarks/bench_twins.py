"""Models that have a fast path, against a loop of cross_val_score, in processor time.

Every model of the registry on raw, scaled and mixed columns (labels among numbers, after a
ColumnTransformer), by accuracy, area under the ROC curve, log loss or R²; five folds, the same
for both, one thread each. A call binds the folds and scores 1, 10, 100 or 1,000 random subsets
(half of the columns, or about 50), as ``score_subsets`` does; the loop trains two of the subsets.
The ratio is that of the largest call. Calls that would take longer than ten seconds are left out.

Then steps of a forward selection, which share the solution of the subset they start from. Then
what columns that no subset holds, and other types of numbers, cost: the time of 100 subsets
beside that of the plain table.
"""

from __future__ import annotations

import importlib
import re
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import is_classifier
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, StandardScaler
from threadpoolctl import threadpool_limits

from fewest.classifiers import NaiveBayes
from fewest.data._as_table import as_table
from fewest.measures import CrossValidated
from fewest.measures._steps import Steps
from fewest.measures._wrappers.paths import RULES
from fewest.measures._wrappers.wrapped import WrappedScorer

CALLS = (1, 10, 100, 1000)
#: Subsets that the loop trains, and seconds that a call may take.
FEW, LONGEST = 2, 10.0
#: Parameters of models that search or prune by themselves unless they are asked not to.
FASTER = {"C45": {"raising": False}, "TableMajority": {"select": False}}
FASTER |= {"QuadraticDiscriminantAnalysis": {"reg_param": 0.1}}
SCORINGS = ("accuracy", "roc_auc", "neg_log_loss")
#: Smallest ratios that are wanted of calls of 100 subsets: of two classes, and of more.
TARGETS = {"LogisticRegression": (60, 15), "KNeighborsClassifier": (100, 100)}
#: Models whose plain tables are compared with others.
PLAIN = (Ridge, GaussianNB, LinearDiscriminantAnalysis, KNeighborsClassifier, LogisticRegression)


def rows(only: str = "") -> Iterator[dict[str, Any]]:
    """One row per model, table and scoring, then one per model and hindrance.

    ``only`` is a regular expression: of the rows whose first words it finds, the others are left.
    """
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        for what, measure, *arguments in cells():
            if re.search(only, what):
                found = measure(*arguments)
                for row in [found] if isinstance(found, dict) else found:
                    yield {"what": what + row.pop("what", ""), **row}


def cells() -> Iterator[tuple[Any, ...]]:
    """Yield what is measured: in words, a function that returns its row or rows, and arguments."""
    for model in models():
        for table in tables(model):
            for scoring in SCORINGS if is_classifier(model) else ("r2",):
                if scoring != "neg_log_loss" or hasattr(model, "predict_proba"):
                    several = is_classifier(model) and len(np.unique(table[2])) > 2
                    own = "roc_auc_ovr" if several and scoring == "roc_auc" else scoring
                    what = f"{_named(model)} by {own}, {table[0]}"
                    yield what, compared, model, *table[1:], own
    for kind in (Ridge, LinearDiscriminantAnalysis, GaussianNB, NaiveBayes):
        for n, d in ((20_000, 50), (200, 5_000)):
            model, what = kind(), f"{kind.__name__} by {usual(kind())}, {n:,} × {d:,}"
            yield what, compared, model, *generated(model, n, d), model, usual(model)
    for kind in (Ridge, LinearDiscriminantAnalysis, LogisticRegression):
        what = f"{kind.__name__}, a forward step on wdbc, scaled"
        yield what, stepped, make_pipeline(StandardScaler(), kind())
    for kind in PLAIN:
        yield f"{kind.__name__}, 400 × 14", hindered, kind()


def models() -> list[Any]:
    """Return an instance of every model of the registry."""
    found = []
    for place in RULES:
        module, _, name = place.partition(":")
        kind = getattr(importlib.import_module(module), name)
        found.append(kind(**FASTER.get(name, {})))
    return found


def tables(model: Any) -> Iterator[tuple[str, Any, Any, Any]]:
    """Yield the name of a table, its columns, its target, and the estimator for it."""
    own = type(model).__module__.startswith("fewest")
    X, y = load_breast_cancer(return_X_y=True)
    levels = KBinsDiscretizer(3, encode="ordinal", strategy="uniform").fit_transform(X)
    if type(model).__name__ == "CategoricalNB":
        yield "wdbc in levels", levels, y, model
        return
    y = y if is_classifier(model) else X[:, 0] + y
    yield "wdbc", X, y, model
    if not own:
        yield "wdbc, scaled", X, y, make_pipeline(StandardScaler(), model)
    frame = pd.DataFrame(X).rename(columns=str)
    labels = [str(j) for j in range(10)]
    frame[labels] = np.array(["low", "middle", "high"], dtype=object)[levels[:, :10].astype(int)]
    others = [c for c in frame if c not in labels]
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    parts = [("labels", encoder, labels), ("numbers", StandardScaler(), others)]
    yield "wdbc, mixed", frame, y, model if own else make_pipeline(ColumnTransformer(parts), model)
    if is_classifier(model):
        yield "wine", *load_wine(return_X_y=True), model
    if isinstance(model, LogisticRegression):
        yield "digits", *load_digits(return_X_y=True), model
        yield (
            "digits, scaled",
            *load_digits(return_X_y=True),
            make_pipeline(StandardScaler(), model),
        )


def compared(model: Any, X: Any, y: Any, estimator: Any, scoring: str) -> dict[str, Any]:
    """Return the row of a model, a table and a scoring."""
    several = len(np.unique(y)) > 2 and is_classifier(model)
    folds, masks = folds_of(X, y, is_classifier(model)), some_subsets(X.shape[1], CALLS[-1])
    fewest = Fewest(estimator, X, y, folds, scoring)
    if not fewest.fast:
        return {"note": "trained for every subset"}
    fewest(masks[-3:])  # compiles
    theirs, expected = timed(_loop, estimator, X, y, masks[:FEW], folds, scoring)
    spent, found = timed_calls(fewest, masks)
    ratios = {m: theirs / FEW * m / s for m, s in spent.items()}
    largest = max(spent)
    parts = [f"{m:,}: {ratio:,.1f}×" for m, ratio in ratios.items()]
    return {
        "ours_s": spent[largest] / largest,
        "theirs_s": theirs / FEW,
        "ratio": ratios[largest],
        "target": TARGETS.get(_named(model), ("", ""))[several],
        "note": "; ".join([", ".join(parts), *agreement(found, expected), fewest.doubts(masks)]),
    }


class Fewest:
    """Binds folds and scores subsets, as one call of ``score_subsets`` does."""

    def __init__(self, estimator: Any, X: Any, y: Any, folds: Any, scoring: str) -> None:
        self.measure = CrossValidated(estimator, cv=folds, scoring=scoring)
        self.table = as_table(X, y, task=self.measure.task)

    def __call__(self, masks: Any) -> Any:
        """Return fold scores."""
        scorer, some = self.measure.bind_for(self.table, masks)
        return scorer.score(some).folds

    def whole(self, masks: Any) -> Any:
        """Return fold scores as in a search, which binds all columns."""
        return self.bound().score(masks).folds

    def bound(self) -> Any:
        """Return a scorer whose folds are bound."""
        return self.measure.bind(self.table)

    @property
    def fast(self) -> bool:
        """Whether subsets are scored without training."""
        return not isinstance(self.bound().scorers[0], WrappedScorer)

    def doubts(self, masks: Any) -> str:
        """Return in words which share of the folds is trained."""
        doubted = getattr(self.bound().scorers[0], "doubted", None)
        return "" if doubted is None else f"trained {100 * doubted(masks[:100]):.1f} % of the folds"


def timed_calls(fewest: Any, masks: Any) -> tuple[dict[int, float], Any]:
    """Return seconds of processor time by the size of the call, and fold scores of a few."""
    spent: dict[int, float] = {}
    found = fewest(masks[:FEW])
    for m in CALLS:
        if spent and 10 * max(spent.values()) > LONGEST:
            break
        # Single subsets are those that the loop trains: each is a call of its own.
        calls = [masks[i : i + 1] for i in range(FEW)] if m == 1 else [masks[:m]]
        spent[m] = sum(timed(fewest, call)[0] for call in calls) / len(calls)
    return spent, found


def agreement(found: Any, expected: Any) -> list[str]:
    """Return in words how fold scores compare."""
    away = float(np.nanmax(np.abs(found - expected)))
    return [f"{expected.size} fold scores " + ("equal" if away == 0.0 else f"within {away:.0e}")]


def folds_of(X: Any, y: Any, classes: bool) -> list[Any]:
    """Return five folds."""
    splitter = StratifiedKFold if classes else KFold
    return list(splitter(5, shuffle=True, random_state=0).split(X, y))


def some_subsets(d: int, m: int) -> Any:
    """Return random subsets of half of the columns, of few where there are many."""
    masks = np.random.default_rng(1).random((m, d)) < min(0.5, 50 / d)
    masks[~masks.any(axis=1), 0] = True
    return masks


def stepped(estimator: Any) -> dict[str, Any]:
    """Return the row of a step of forward selection: four columns and one of the other 26."""
    X, y = load_breast_cancer(return_X_y=True)
    y = y if is_classifier(estimator) else X[:, 0] + y
    folds = folds_of(X, y, is_classifier(estimator))
    base = np.arange(30) % 8 == 7
    units = np.flatnonzero(~base)
    steps = Steps(base, units, np.ones(len(units), dtype=np.int64))
    scorer = Fewest(estimator, X, y, folds, usual(estimator)).bound()
    found = scorer.score_steps(steps).folds  # compiles
    ours = min(timed(scorer.score_steps, steps)[0] for _ in range(5)) / len(units)
    masks = np.asarray(steps, dtype=bool)[:FEW]
    theirs, expected = timed(_loop, estimator, X, y, masks, folds, usual(estimator))
    return {
        "ours_s": ours,
        "theirs_s": theirs / FEW,
        "ratio": theirs / FEW / ours,
        "target": 100,
        "note": f"{len(units)} steps, bound before; {agreement(found[:FEW], expected)[0]}",
    }


def generated(model: Any, n: int, d: int) -> tuple[Any, Any]:
    """Return a table of random numbers of which five matter."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, d))
    number = X[:, :5].sum(axis=1) + rng.normal(size=n)
    return X, (number > 0).astype(np.int64) if is_classifier(model) else number


def hindered(model: Any) -> Iterator[dict[str, Any]]:
    """Yield a row per hindrance: columns outside the subsets, and other types of numbers."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 14))
    number = X[:, :4].sum(axis=1) + rng.normal(size=400)
    y = (number > 0).astype(np.int64) if is_classifier(model) else number
    masks, seconds = some_subsets(14, 100), {}
    for name, table in {"plain": X, "frame": plain_frame(X), **hindrances(X)}.items():
        extra = np.zeros((100, table.shape[1] - 14), dtype=bool)
        call = Fewest(model, table, y, folds_of(X, y, is_classifier(model)), usual(model))
        subsets = np.hstack([masks, extra])
        call(subsets[:3])
        seconds[name] = min(timed(call.whole, subsets)[0] for _ in range(3))
        if name not in ("plain", "frame"):
            base = seconds["frame" if isinstance(table, pd.DataFrame) else "plain"]
            yield {
                "what": f", {name}",
                "ours_s": seconds[name] / 100,
                "target": "at most 2×",
                "note": f"{seconds[name] / base:.2f}× of the plain table",
            }


def plain_frame(X: Any) -> Any:
    """Return a frame of numbers."""
    return pd.DataFrame(X).rename(columns=str)


def hindrances(X: Any) -> dict[str, Any]:
    """Return tables with a further column that no subset holds, and float32 numbers."""
    frame, n = plain_frame(X), len(X)
    some = np.arange(n) % 7 == 0
    days = pd.date_range("2020-01-01", periods=n)
    return {
        "an excluded string column": frame.assign(other=[f"row {i}" for i in range(n)]),
        "an excluded nominal column": frame.assign(other=pd.Categorical(np.arange(n) % 3)),
        "an excluded column with NaN": frame.assign(other=np.where(some, np.nan, 1.0)),
        "an excluded column with NA": frame.assign(
            other=pd.array(np.arange(n) % 3, dtype="Int64")
        ).assign(other=lambda f: f["other"].mask(some)),
        "an excluded column of dates": frame.assign(other=days),
        "float32": X.astype(np.float32),
    }


def usual(model: Any) -> str:
    """Return the score that is usual for a model."""
    return "accuracy" if is_classifier(model) else "r2"


def _named(model: Any) -> str:
    return type(model).__name__


def _loop(estimator: Any, X: Any, y: Any, masks: Any, folds: Any, scoring: Any) -> Any:
    """Return fold scores of cross_val_score."""
    found = []
    for mask in masks:
        part = X.loc[:, mask] if isinstance(X, pd.DataFrame) else X[:, mask]
        own = _narrowed(estimator, part) if isinstance(X, pd.DataFrame) else estimator
        found.append(cross_val_score(own, part, y, cv=folds, scoring=scoring))
    return np.array(found)


def _narrowed(estimator: Any, part: Any) -> Any:
    """Return a pipeline whose ColumnTransformer names the columns that are there."""
    if not hasattr(estimator, "steps"):
        return estimator
    (_, before), (_, model) = estimator.steps
    left = [(n, s, [c for c in names if c in part]) for n, s, names in before.transformers]
    return make_pipeline(ColumnTransformer(left), model)


def timed(work: Any, *arguments: Any) -> tuple[float, Any]:
    """Return seconds of processor time, and the answer."""
    start = time.process_time()
    answer = work(*arguments)
    return time.process_time() - start, answer
