"""Select for a model, train that model on what is left: ``python -m benchmarks.models``.

Features are selected on 60 % of the rows of a table and judged on the rest, by the model that is
trained in the end. Tables were divided before any look: on those of CHOOSE the sources of the path
and the rule for the size were chosen, those of JUDGE and LATER are reported. Lines "smoothed curve"
and "without smoothing" were measured with earlier rules for the size. Each finished line is
written to ``models.json`` at once, and a run goes on where the last one ended. ``python -m
benchmarks.study`` writes the page.
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFECV, SelectKBest, mutual_info_classif
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.model_selection import GridSearchCV, StratifiedKFold, StratifiedShuffleSplit
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import fewest
from fewest.measures._models_by_name import named_estimator
from fewest.search._path import Path as FollowPath

os.environ.setdefault("OMP_NUM_THREADS", "1")


#: In alphabetical order, turn by turn: tables with 9 features and more, 2 to 4 classes.
CHOOSE = (
    "breast-wisconsin", "credit-crx", "heart-cleveland", "horse-colic", "sick-euthyroid", "spect",
    "votes",
)  # fmt: skip
JUDGE = (
    "chess-kr-vs-kp", "german-credit", "hepatitis", "ionosphere", "spambase", "vehicle",
    "waveform-40",
)  # fmt: skip
#: At least five features, one table of a family, none too wide for elimination by every peer.
LATER = (
    "adult", "anneal", "breast-cancer", "car", "connect-4-2class", "contraceptive", "digits", "dna",
    "glass", "heart-hungarian", "hypothyroid", "image-segmentation", "liver-bupa", "lymphography",
    "mushroom", "nursery", "pima-diabetes", "promoters", "solar-flare-2", "soybean-large", "wdbc",
    "wine", "zoo",
)  # fmt: skip
#: No more rows of a table are used, and no class with fewer of them.
MOST_ROWS, LEAST_ROWS = 500, 10
FOUND = Path(__file__).with_name("models.json")
MODELS = ("naive-bayes", "logistic-regression", "lightgbm", "random-forest", "svc", "k-nn")
TREES = ("lightgbm", "random-forest")
CODED = (*TREES, "svc")  # get the codes of labels as numbers


def model(name: str) -> Any:
    """Return the final model: small forests and boosters, one thread."""
    if name == "random-forest":
        return RandomForestClassifier(30, n_jobs=1, random_state=0)
    if name == "lightgbm":
        from lightgbm import LGBMClassifier

        return LGBMClassifier(
            n_estimators=40, num_leaves=15, min_child_samples=10, n_jobs=1, verbosity=-1,
            random_state=0,
        )  # fmt: skip
    if name == "svc":
        return make_pipeline(StandardScaler(), SVC())
    return named_estimator(name)


class Split:
    """A table, its rows divided into those for selection and those for the judgement."""

    def __init__(self, table: str) -> None:
        data = fewest.load(table)
        rows = np.random.default_rng(0).permutation(len(data.y))[:MOST_ROWS]
        _, places, counts = np.unique(
            np.asarray(data.y)[rows], return_inverse=True, return_counts=True
        )
        if table in LATER:
            rows = rows[counts[places] >= LEAST_ROWS]
        self.frame = data.X.iloc[rows].reset_index(drop=True)
        self.y = np.unique(np.asarray(data.y)[rows], return_inverse=True)[1]
        codes = self.frame.copy()
        for column in codes:
            if codes[column].dtype.kind not in "fiu":
                codes[column] = codes[column].astype("category").cat.codes.astype(float)
        self.codes = codes.fillna(-1).to_numpy(float)
        halves = StratifiedShuffleSplit(1, test_size=0.4, random_state=0).split(self.codes, self.y)
        self.train, self.test = next(halves)

    def part(self, name: str, rows: Any, kept: Any = None) -> Any:
        """Return the columns as the model gets them: labels, or codes."""
        if name in CODED:
            return self.codes[rows] if kept is None else self.codes[rows][:, kept]
        some = self.frame.iloc[rows]
        return some if kept is None else some.loc[:, kept]

    def judged(self, name: str, kept: Any) -> float:
        """Return the accuracy of the model on the rows that the selection has not seen."""
        labels = self.y[self.train]
        if not kept.any():
            return float((self.y[self.test] == np.bincount(labels).argmax()).mean())
        fitted = model(name).fit(self.part(name, self.train, kept), labels)
        predicted = fitted.predict(self.part(name, self.test, kept))
        return float((predicted == self.y[self.test]).mean())


def path(sources: tuple[str, ...]) -> Any:
    """Return a method that follows the path for the final model."""

    def select(split: Split, name: str) -> Any:
        search = FollowPath(sources=sources)
        selector = fewest.SubsetSelector(model(name), search=search, audit=False, random_state=0)
        return selector.fit(split.part(name, split.train), split.y[split.train]).support_

    return select


def default(split: Split, name: str) -> Any:
    """Select for the final model by the default search."""
    selector = fewest.SubsetSelector(model(name), audit=False, random_state=0)
    return selector.fit(split.part(name, split.train), split.y[split.train]).support_


def earlier(split: Split, name: str) -> Any:
    """Select by naive Bayes and the votes of UMDA, the default before, whatever the model."""
    del name
    selector = fewest.SubsetSelector(
        "naive-bayes", choose="best", min_features=1, audit=False, random_state=0
    )
    return selector.fit(split.frame.iloc[split.train], split.y[split.train]).support_


def rfecv(split: Split, name: str) -> Any:
    """Eliminate by the model, or where it has no importances by logistic regression."""
    X = split.codes[split.train]
    inner = model(name) if name in TREES else LogisticRegression(max_iter=200)
    X = X if name in TREES else StandardScaler().fit_transform(X)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    return RFECV(inner, cv=folds).fit(X, split.y[split.train]).support_


def l1(split: Split, name: str) -> Any:
    """Keep what logistic regression with a tuned L1 penalty keeps."""
    del name
    inner = LogisticRegressionCV(
        Cs=8, cv=5, penalty="l1", solver="liblinear", random_state=0, max_iter=200
    )
    y = split.y[split.train]
    X = StandardScaler().fit_transform(split.codes[split.train])
    support = np.zeros(X.shape[1], dtype=bool)
    for label in np.unique(y)[1 if len(np.unique(y)) == 2 else 0 :]:
        support |= (inner.fit(X, y == label).coef_ != 0).any(axis=0)
    return support


def best_k(split: Split, name: str) -> Any:
    """Keep the features of largest mutual information, as many as a search over k finds best."""
    X, y = split.codes[split.train], split.y[split.train]
    rank = SelectKBest(partial(mutual_info_classif, random_state=0))
    sizes = np.unique(np.geomspace(1, X.shape[1], 12).round().astype(int))
    inner = LogisticRegression(max_iter=200) if name not in CODED else model(name)
    steps = Pipeline([("scale", StandardScaler()), ("rank", rank), ("model", inner)])
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    found = GridSearchCV(steps, {"rank__k": sizes}, cv=folds).fit(X, y)
    return found.best_estimator_["rank"].get_support()


METHODS = {
    "two sources": path(("elimination", "l1")),
    "three sources": path(("elimination", "l1", "votes")),
    "default": default,
    "earlier default": earlier,
    "RFECV": rfecv,
    "L1": l1,
    "SelectKBest": best_k,
}
#: What is run on which tables; the sources were chosen on the first four tables of CHOOSE.
STUDY = [
    *((table, method) for table in CHOOSE[:4] for method in ("two sources", "three sources")),
    *((t, m) for t in JUDGE for m in ("default", "earlier default", "RFECV", "L1")),
    *((table, method) for table in CHOOSE[4:] for method in ("two sources", "three sources")),
    *((t, m) for t in (*LATER, *JUDGE) for m in ("default", "RFECV", "L1", "SelectKBest")),
]


def lines() -> list[dict[str, Any]]:
    """Return what was found so far."""
    if not FOUND.exists():
        return []
    found: list[dict[str, Any]] = json.loads(FOUND.read_text(encoding="utf-8"))
    return found


def run(wanted: Sequence[str] = MODELS) -> None:
    """Run what is missing, one line for each table, method and model."""
    warnings.simplefilter("ignore")
    done = {(e["table"], e["method"], e["model"]) for e in lines()}
    splits: dict[str, Split] = {}
    for table, method in STUDY:
        for name in wanted:
            if (table, method, name) in done:
                continue
            split = splits.setdefault(table, Split(table))
            start = time.process_time()
            kept = np.asarray(METHODS[method](split, name), dtype=bool)
            cpu = time.process_time() - start
            everything = np.ones_like(kept)
            entry = {
                "table": table, "method": method, "model": name, "kept": int(kept.sum()),
                "features": len(kept), "score": split.judged(name, kept),
                "all": split.judged(name, everything), "cpu": round(cpu, 2),
            }  # fmt: skip
            rows = ",\n".join(json.dumps(row) for row in [*lines(), entry])
            FOUND.write_text(f"[\n{rows}\n]\n", encoding="utf-8")
            print(entry, flush=True)


if __name__ == "__main__":
    run(sys.argv[1:] or MODELS)
