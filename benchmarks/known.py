"""Tables whose relevant features are known: ``python -m benchmarks.known`` writes docs/known.md.

How many of the kept features are relevant, how many of the relevant ones are kept, how often the
model is trained, and what it then scores on fresh rows, beside recursive elimination and forward
selection of scikit-learn.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.feature_selection import RFECV, SequentialFeatureSelector
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB

import fewest
from benchmarks.models import limited

# ruff: noqa: E501  (lines of the page)

os.environ.setdefault("OMP_NUM_THREADS", "1")

PAGE = Path(__file__).parents[1] / "docs" / "known.md"
FRESH, SEEDS = 4000, 5
#: A selection that takes more seconds of CPU is stopped.
MOST_CPU = 100.0
KINDS = ("noise", "one of 30", "five of 30", "copies", "interactions")
MODELS = ("naive Bayes", "logistic regression", "LightGBM")
HEAD = """# Where the relevant features are known

`python -m benchmarks.known` draws tables whose relevant features are known, and writes this page. Means over {seeds} tables
of each kind; a kept feature is false if it is not relevant and no copy of a relevant one. AUC is that of the model on
{fresh:,} fresh rows, trained on the kept features; trainings are counted in `fit`, seconds are of CPU. A selection is
stopped after {most:.0f} seconds. SFS is scikit-learn's forward selection, until the AUC gains less than .001. `boosting` has
2,000 rows and 50 features, `wide` 5,000 and 200, 10 of them relevant; the others have 400 rows and 30 features.

| table | model | method | kept | false | found | AUC | with all | trainings | seconds |
|---|---|---|---:|---:|---:|---:|---:|---:|---:|
"""


def draw(kind: str, seed: int) -> tuple[Any, Any, Any, int]:
    """Return rows, classes, the number of the source of each feature (-1: none), and how many
    rows are to select on; the others are fresh."""
    rng = np.random.default_rng(seed)
    rows, features = {"wide": (5000, 200), "boosting": (2000, 50)}.get(kind, (400, 30))
    X = rng.normal(size=(rows + FRESH, features))
    source = np.full(features, -1)
    noise = rng.logistic(size=len(X))
    if kind == "one of 30":
        value, source[0] = 2 * X[:, 0], 0
    elif kind == "five of 30":
        value, source[:5] = X[:, :5] @ [2.0, 1.5, 1.5, 1.0, 1.0], np.arange(5)
    elif kind == "interactions":
        value, source[:4] = 4 * np.sign(X[:, 0] * X[:, 1]) + 2 * X[:, 2] - 2 * X[:, 3], np.arange(4)
    elif kind == "copies":
        value = X[:, :3] @ [2.0, 1.5, 1.0]
        X[:, 3:9] = np.tile(X[:, :3], 2) + 0.3 * rng.normal(size=(len(X), 6))
        source[:9] = np.tile(np.arange(3), 3)
    elif kind == "noise":
        value = np.zeros(len(X))
    else:
        value = 2 * X[:, 0] * X[:, 1] + X[:, 2:10] @ np.linspace(2.0, 0.5, 8)
        source[:10] = np.arange(10)
    return X, (value + noise > 0).astype(int), source, rows


def models() -> dict[str, Any]:
    """Return the models that are selected for."""
    from lightgbm import LGBMClassifier

    return {
        "naive Bayes": GaussianNB(),
        "logistic regression": LogisticRegression(),
        "LightGBM": LGBMClassifier(n_jobs=1, verbose=-1, random_state=0),
    }


def default(model: Any, X: Any, y: Any) -> Any:
    """Select by the default search."""
    return fewest.SubsetSelector(
        model, scoring="roc_auc", audit=False, refit=False, random_state=0
    ).fit(X, y)


def rfecv(model: Any, X: Any, y: Any) -> Any:
    """Eliminate recursively, one feature at a time."""
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    return RFECV(clone(model), cv=folds, scoring="roc_auc").fit(X, y)


def sfs(model: Any, X: Any, y: Any) -> Any:
    """Add the best feature until the score gains less than a thousandth."""
    return SequentialFeatureSelector(clone(model), tol=1e-3, cv=5, scoring="roc_auc").fit(X, y)


def counted(model: Any, work: Callable[[], Any]) -> tuple[Any, int, float]:
    """Return what work returns, None if that takes too long, how often it trained the model, and
    its seconds of CPU."""
    kind, fit, count = type(model), type(model).fit, [0]

    def watched(self: Any, *args: Any, **given: Any) -> Any:
        count[0] += 1
        return fit(self, *args, **given)

    kind.fit = watched
    try:
        found, cpu = limited(work, MOST_CPU)
        return found, count[0], cpu
    finally:
        kind.fit = fit


def judged(model: Any, X: Any, y: Any, rows: int, kept: Any) -> float:
    """Return the AUC on the fresh rows."""
    if not kept.any():
        return 0.5
    fitted = clone(model).fit(X[:rows][:, kept], y[:rows])
    return float(roc_auc_score(y[rows:], fitted.predict_proba(X[rows:][:, kept])[:, 1]))


def line(kind: str, name: str, method: str, seeds: int) -> str:
    """Return the row of the page for one kind of table, model and method."""
    model, found = models()[name], []
    for seed in range(seeds):
        X, y, source, rows = draw(kind, seed)
        work = {"fewest": default, "RFECV": rfecv, "SFS": sfs}[method]
        fitted, count, cpu = counted(model, partial(work, model, X[:rows], y[:rows]))
        if fitted is None:
            return f"| {kind} | {name} | {method} | stopped | | | | | {count:,} | {cpu:,.1f} |"
        kept = np.asarray(fitted.get_support(), dtype=bool)
        relevant = np.unique(source[source >= 0])
        there = np.isin(relevant, source[kept]).mean() if len(relevant) else np.nan
        false = (source[kept] < 0).mean() if kept.any() else 0.0
        scores = [judged(model, X, y, rows, mask) for mask in (kept, np.ones_like(kept))]
        found.append([kept.sum(), false, there, *scores, count, cpu])
    kept, false, there, auc, everything, count, cpu = np.mean(found, axis=0)
    recall = "" if np.isnan(there) else f"{there:.0%}"
    return (
        f"| {kind} | {name} | {method} | {kept:.1f} | {false:.0%} | {recall} | {auc:.3f} | "
        f"{everything:.3f} | {count:,.0f} | {cpu:,.1f} |"
    )


#: Kind of table, model, method, and how many tables.
STUDY = [
    *((kind, name, "fewest", SEEDS) for name in MODELS for kind in KINDS),
    *((kind, "LightGBM", "fewest", 1) for kind in ("boosting", "wide")),
    *((kind, "logistic regression", "RFECV", SEEDS) for kind in KINDS),
    *(
        (kind, "LightGBM", method, 1)
        for kind in ("boosting", "wide")
        for method in ("RFECV", "SFS")
    ),
]


if __name__ == "__main__":
    lines = []
    for case in STUDY:
        lines.append(line(*case))
        print(lines[-1], flush=True)
        text = (
            HEAD.format(seeds=SEEDS, fresh=FRESH, most=MOST_CPU) + "\n".join(sorted(lines)) + "\n"
        )
        PAGE.write_text(text, encoding="utf-8")
