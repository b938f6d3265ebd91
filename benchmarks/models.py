"""Select for a model, train that model on what is left: ``python -m benchmarks.models``.

Features are selected on 60 % of the rows of a table and judged on the rest, by the model that is
trained in the end. Tables were divided before any look: on those of CHOOSE the sources of the path
and the rule for the size were chosen, those of JUDGE and LATER are reported. Each finished line is
written to ``models.json`` at once, and a run goes on where the last one ended. A selection that
takes more than MOST_CPU seconds of CPU is given up. ``python -m benchmarks.study`` writes the page.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import time
import warnings
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import (
    RFECV,
    SelectKBest,
    SequentialFeatureSelector,
    mutual_info_classif,
)  # fmt: skip
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.model_selection import GridSearchCV, StratifiedKFold, StratifiedShuffleSplit
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import fewest
from fewest.measures._models_by_name import named_estimator

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
#: Seconds of CPU after which a selection is given up.
MOST_CPU = 30.0
Line = dict[str, Any]
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


class GivenUp(BaseException):
    """A selection takes too long; no library catches it."""


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


def default(split: Split, name: str) -> tuple[Any, list[int]]:
    """Select for the final model by the default; its ranking has the answer for every size."""
    selector = fewest.SubsetSelector(model(name), audit=False, refit=False, random_state=0)
    selector.fit(split.part(name, split.train), split.y[split.train])
    return selector.support_, selector.result_.extra["ranking"]


def rfecv(X: Any, y: Any, inner: Any) -> Any:
    """Eliminate by the model."""
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    return RFECV(inner, cv=folds).fit(X, y).support_


def l1(X: Any, y: Any, inner: Any) -> Any:
    """Keep what logistic regression with a tuned L1 penalty keeps."""
    del inner
    tuned = LogisticRegressionCV(
        Cs=8, cv=5, penalty="l1", solver="liblinear", random_state=0, max_iter=200
    )
    support = np.zeros(X.shape[1], dtype=bool)
    for label in np.unique(y)[1 if len(np.unique(y)) == 2 else 0 :]:
        support |= (tuned.fit(X, y == label).coef_ != 0).any(axis=0)
    return support


def best_k(X: Any, y: Any, inner: Any) -> Any:
    """Keep the features of largest mutual information, as many as a search over k finds best."""
    rank = SelectKBest(partial(mutual_info_classif, random_state=0))
    sizes = np.unique(np.geomspace(1, X.shape[1], 12).round().astype(int))
    steps = Pipeline([("scale", StandardScaler()), ("rank", rank), ("model", inner)])
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    found = GridSearchCV(steps, {"rank__k": sizes}, cv=folds).fit(X, y)
    return found.best_estimator_["rank"].get_support()


def sfs(X: Any, y: Any, inner: Any) -> Any:
    """Add the best feature until the score of three folds gains less than a tenth of a point."""
    return SequentialFeatureSelector(inner, tol=1e-3, cv=3).fit(X, y).get_support()


def floating(X: Any, y: Any, inner: Any) -> Any:
    """Take the best subset of mlxtend's floating search, on three folds."""
    from mlxtend.feature_selection import SequentialFeatureSelector as Floating

    found = Floating(inner, k_features="best", floating=True, cv=3).fit(X, y)
    return np.isin(np.arange(X.shape[1]), found.k_feature_idx_)


def boruta(X: Any, y: Any, inner: Any) -> Any:
    """Keep what a forest uses more than shuffled copies."""
    from boruta import BorutaPy

    del inner
    forest = RandomForestClassifier(max_depth=5, n_jobs=1)
    return BorutaPy(forest, n_estimators=50, max_iter=50, random_state=0).fit(X, y).support_


def probatus(X: Any, y: Any, inner: Any) -> Any:
    """Eliminate the fifth of the smallest SHAP values in LightGBM, again and again."""
    from probatus.feature_elimination import ShapRFECV

    del inner
    if len(np.unique(y)) > 2:
        raise GivenUp  # probatus is for two classes
    about = {"step": 0.2, "cv": 5, "scoring": "accuracy", "n_jobs": 1, "random_state": 0}
    # The check of sums fails by rounding.
    found = ShapRFECV(model("lightgbm"), **about).fit(X, y, check_additivity=False)
    return np.isin(np.arange(X.shape[1]), found.get_reduced_features_set("best"))


#: Methods, and the final models that select for themselves; for the others logistic regression
#: selects, on standardised codes.
PEERS: dict[str, tuple[Callable[[Any, Any, Any], Any], tuple[str, ...]]] = {
    "RFECV": (rfecv, TREES),
    "L1": (l1, ()),
    "SelectKBest": (best_k, CODED),
    "SFS": (sfs, ()),
    "mlxtend": (floating, ()),
    "Boruta": (boruta, ()),
    "probatus": (probatus, ()),
}


@cache
def halves(table: str) -> Split:
    """Return the split of a table."""
    return Split(table)


def limited(work: Callable[[], Any], seconds: float = MOST_CPU) -> tuple[Any, float]:
    """Return what work returns, None if that takes too long, and the seconds of CPU."""

    def give_up(*_: Any) -> None:
        raise GivenUp

    signal.signal(signal.SIGPROF, give_up)
    start = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        found = work()
    except GivenUp:
        found = None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
    return found, round(time.process_time() - start, 2)


@cache
def selected_by(method: str, table: str, inner: str) -> tuple[Any, float]:
    """Return the features that a peer selects by the inner model, and its seconds of CPU."""
    split, (select, _) = halves(table), PEERS[method]
    X, y = split.codes[split.train], split.y[split.train]
    if inner not in TREES:
        X = StandardScaler().fit_transform(X)
    one = model(inner) if inner in CODED else LogisticRegression(max_iter=200)
    return limited(lambda: select(X, y, one))


def entry(table: str, method: str, name: str) -> Line:
    """Return the line of a table, a method and a final model."""
    if method == "auto":
        return automatic(table)
    split, ranking = halves(table), None
    if method == "default":
        found, cpu = limited(lambda: default(split, name))
        kept, ranking = found or (None, None)
    else:
        inner = name if name in PEERS[method][1] else "logistic-regression"
        kept, cpu = selected_by(method, table, inner)
    about = {"table": table, "method": method, "model": name, "features": split.codes.shape[1]}
    if kept is None:
        return {**about, "given up": True, "cpu": cpu}
    kept = np.asarray(kept, dtype=bool)
    everything = split.judged(name, np.ones_like(kept))
    line = {
        **about, "kept": int(kept.sum()), "score": split.judged(name, kept), "all": everything,
        "cpu": cpu,
    }  # fmt: skip
    return line if ranking is None else {**line, "ranking": ranking}


def automatic(table: str) -> Line:
    """Return the line of ``measure="auto"``: the model that it picks predicts the other rows."""
    split, start = halves(table), time.process_time()
    selector = fewest.SubsetSelector(audit=False, random_state=0)
    selector.fit(split.frame.iloc[split.train], split.y[split.train], task="classification")
    cpu = round(time.process_time() - start, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a table of which nothing is kept
        predicted = selector.predict(split.frame.iloc[split.test])
    return {
        "table": table, "method": "auto", "model": "auto", "features": len(selector.support_),
        "kept": int(selector.support_.sum()), "cpu": cpu,
        "score": float((predicted == split.y[split.test]).mean()),
    }  # fmt: skip


def at_equal_size(found: list[Line]) -> None:
    """Add to the lines of the peers what as many features of the default's ranking score."""
    rankings = {(e["table"], e["model"]): e["ranking"] for e in found if "ranking" in e}
    for line in found:
        ranking = rankings.get((line["table"], line["model"]))
        if line["method"] not in PEERS or ranking is None or "kept" not in line:
            continue
        if "same size" not in line:
            kept = np.isin(np.arange(line["features"]), ranking[: line["kept"]])
            line["same size"] = halves(line["table"]).judged(line["model"], kept)


#: What is run on which tables.
STUDY = [
    (table, method, name)
    for method in ("default", *PEERS)
    for table in (*JUDGE, *LATER)
    for name in MODELS
] + [(table, "auto", "auto") for table in (*JUDGE, *LATER)]


def lines() -> list[Line]:
    """Return what was found so far."""
    return json.loads(FOUND.read_text(encoding="utf-8")) if FOUND.exists() else []


def write(found: list[Line]) -> None:
    """Write the lines, one below the other."""
    rows = ",\n".join(json.dumps(line) for line in found)
    FOUND.write_text(f"[\n{rows}\n]\n", encoding="utf-8")


def run(methods: Sequence[str], models: Sequence[str], tables: Sequence[str]) -> None:
    """Run what is missing, one line for each table, method and model."""
    warnings.simplefilter("ignore")
    found = lines()
    done = {(e["table"], e["method"], e["model"]) for e in found}
    for table, method, name in STUDY:
        wanted = method in methods and (name in models or method == "auto")
        if wanted and table in tables and (table, method, name) not in done:
            found.append(entry(table, method, name))
            write(found)
            print({k: v for k, v in found[-1].items() if k != "ranking"}, flush=True)
    at_equal_size(found)
    write(found)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Select for a model, judge by that model.")
    parser.add_argument("--methods", nargs="*", default=("default", *PEERS, "auto"))
    parser.add_argument("--models", nargs="*", default=MODELS)
    parser.add_argument("--tables", nargs="*", default=(*JUDGE, *LATER))
    given = parser.parse_args()
    run(given.methods, given.models, given.tables)
