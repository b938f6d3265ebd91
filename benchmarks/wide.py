"""Selection on wide tables beside its peers; ``python -m benchmarks.wide`` writes docs/wide.md.

Few rows and thousands of columns: three tables of gene expression, and a generated one of 200 x
5,000 whose 10 relevant columns are known. Every method selects on the training rows of 3-fold
cross-validation, twice, and naive Bayes judges the chosen features on the rows left out. Methods
that need a size get 20. Rows are kept in ``benchmarks/wide.json``; name tables or methods on the
command line to measure only these again.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

import fewest
from fewest._validation.validation import nogueira
from fewest.search import EBNA, SFS

HERE = Path(__file__).parent
KEPT, PAGE = HERE / "wide.json", HERE.parent / "docs" / "wide.md"
TABLES = ("generated", "colon", "srbct", "lymphoma")
RELEVANT, SIZE = 10, 20
FOLDS, REPETITIONS = 3, 2
Array = np.ndarray[Any, Any]
Method = Callable[[Array, Array], Array]
START, END = "<!-- table: begin -->", "<!-- table: end -->"


def _ours(measure: str = "naive-bayes", **options: Any) -> Method:
    def select(X: Array, y: Array) -> Array:
        selector = fewest.SubsetSelector(measure, cv=5, random_state=0, refit=False, **options)
        return np.asarray(selector.fit(X, y).support_)

    return select


def _l1(X: Array, y: Array) -> Array:
    """The strongest penalty's path is cut where 20 columns have a weight."""
    Z = StandardScaler().fit_transform(X)
    for c in np.geomspace(0.01, 100, 25):
        model = LogisticRegression(l1_ratio=1.0, solver="saga", C=c, max_iter=300, tol=0.01)
        support = (model.fit(Z, y).coef_ != 0).any(axis=0)
        if support.sum() >= SIZE:
            break
    return np.asarray(support)


def _boruta(X: Array, y: Array) -> Array:
    """Boruta (Kursa and Rudnicki, 2010), 20 rounds of a forest of 100 trees, p < 0.01."""
    from scipy.stats import binom

    rng = np.random.default_rng(0)
    hits, rounds = np.zeros(X.shape[1]), 20
    for seed in range(rounds):
        shadow = rng.permuted(X, axis=0)
        forest = RandomForestClassifier(100, random_state=seed, max_depth=7)
        told = forest.fit(np.hstack([X, shadow]), y).feature_importances_
        hits += told[: X.shape[1]] > told[X.shape[1] :].max()
    return np.asarray(binom.sf(hits - 1, rounds, 0.5) < 0.01)


METHODS: dict[str, Method] = {
    "default": _ours(),
    "default, screen=500": _ours(screen=500),
    "EBNA, screen=500": _ours(search=EBNA(population=300), screen=500),
    "UMDA": _ours(search="umda"),
    "UMDA, screen=500": _ours(search="umda", screen=500),
    "MIMIC, screen=500": _ours(search="mimic", screen=500),
    "SFS": _ours(search="sfs"),
    "mRMR": _ours("mrmr", search=SFS(size=SIZE)),
    "L1 logistic": _l1,
    "Boruta": _boruta,
}


def _table(name: str) -> tuple[Array, Array]:
    if name != "generated":
        data = fewest.load(name)
        return data.X.to_numpy(float), np.asarray(data.y)
    rng = np.random.default_rng(1)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 5000))
    X[:, :RELEVANT] += 0.8 * y[:, None]
    return X, y


def measured(name: str, method: str) -> dict[str, Any]:
    """One row: accuracy, size and stability over the parts, CPU seconds per selection."""
    X, y = _table(name)
    supports, right, seconds = [], [], 0.0
    parts = RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=REPETITIONS, random_state=0)
    for train, test in parts.split(X, y):
        start = time.process_time()
        chosen = METHODS[method](X[train], y[train])
        seconds += time.process_time() - start
        supports.append(chosen)
        columns = chosen if chosen.any() else np.ones_like(chosen)
        model = GaussianNB().fit(X[train][:, columns], y[train])
        right.append(model.score(X[test][:, columns], y[test]))
    stacked = np.array(supports)
    return {
        "table": name,
        "method": method,
        "accuracy": float(np.mean(right)),
        "parts": len(right),
        "size": float(stacked.sum(axis=1).mean()),
        "found": float(stacked[:, :RELEVANT].sum(axis=1).mean()) if name == "generated" else None,
        "stability": float(nogueira(stacked)),
        "seconds": seconds / len(supports),
    }


def page_table(rows: list[dict[str, Any]]) -> str:
    """The rows as a table of the manual."""
    head = "| table | method | splits | accuracy | features | relevant found | stability | CPU s |"
    lines = [head, "|---|---|---:|---:|---:|---:|---:|---:|"]
    order = {key: i for i, key in enumerate([*TABLES, *METHODS])}
    for r in sorted(rows, key=lambda r: (order[r["table"]], order[r["method"]])):
        found = "" if r["found"] is None else f"{r['found']:.1f} of {RELEVANT}"
        lines.append(
            f"| {r['table']} | {r['method']} | {r.get('parts', FOLDS)} | {r['accuracy']:.1%} | "
            f"{r['size']:.0f} | {found} | "
            f"{r['stability']:.2f} | {r['seconds']:.1f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure what is asked for (all by default), keep the rows, renew the table of the page."""
    warnings.simplefilter("ignore")
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else []
    rows = {(r["table"], r["method"]): r for r in kept}
    asked = sys.argv[1:]
    tables = [t for t in TABLES if t in asked] or list(TABLES)
    methods = [m for m in METHODS if m in asked] or list(METHODS)
    for name in tables:
        for method in methods:
            rows[name, method] = row = measured(name, method)
            print(row, flush=True)
            KEPT.write_text(json.dumps(list(rows.values()), indent=1) + "\n")
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(START)
    table = page_table(list(rows.values()))
    PAGE.write_text(before + f"{START}\n\n{table}\n\n{END}" + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    main()
