"""Twenty common tasks in fewest and in the best peer; ``python -m benchmarks.tasks`` measures them.

Each side is code as a user would write it. Lines are counted without imports and empty lines;
seconds are CPU time of the second of two runs, so that compiling and importing do not count. The
table is written to docs/tasks.md.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# ruff: noqa: E501  (code of the tasks, as one would type it)


PAGE = Path(__file__).parents[1] / "docs" / "tasks.md"
SETUP = """
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold, GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
import fewest
X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X = X.iloc[:, :10]
rows = np.arange(len(y)) // 3
"""
SKLEARN = "from sklearn.feature_selection import SequentialFeatureSelector, SelectKBest, mutual_info_classif\n"
MLXTEND = (
    "from mlxtend.feature_selection import SequentialFeatureSelector as SFS\n"
    "from mlxtend.feature_selection import ExhaustiveFeatureSelector as EFS\n"
)


@dataclass(frozen=True)
class Task:
    """One task: the code of fewest and of the peer, if there is one."""

    name: str
    ours: str
    peer: str = ""
    theirs: str = ""


SELECT = "selector = fewest.SubsetSelector(GaussianNB(), search='sfs', cv=5)\n"
TASKS = [
    Task(
        "forward selection of 5 features",
        "fewest.SubsetSelector(GaussianNB(), search='sfs', min_features=5, max_features=5, cv=5).fit(X, y)",
        "scikit-learn",
        SKLEARN
        + "SequentialFeatureSelector(GaussianNB(), n_features_to_select=5, cv=5).fit(X, y)",
    ),
    Task(
        "backward selection of 5 features",
        "fewest.SubsetSelector(GaussianNB(), search='sbe', min_features=5, max_features=5, cv=5).fit(X, y)",
        "scikit-learn",
        SKLEARN
        + "SequentialFeatureSelector(GaussianNB(), n_features_to_select=5, direction='backward', cv=5).fit(X, y)",
    ),
    Task(
        "floating selection, best size",
        "fewest.SubsetSelector(GaussianNB(), search='sffs', cv=5).fit(X, y)",
        "mlxtend",
        MLXTEND + "SFS(GaussianNB(), k_features='best', floating=True, cv=5).fit(X, y)",
    ),
    Task(
        "all subsets of at most 3 features",
        "fewest.SubsetSelector(GaussianNB(), search='exhaustive', max_features=3, cv=5).fit(X, y)",
        "mlxtend",
        MLXTEND
        + "EFS(GaussianNB(), min_features=1, max_features=3, cv=5, print_progress=False).fit(X, y)",
    ),
    Task(
        "the smallest subset within one standard error",
        "fewest.SubsetSelector(GaussianNB(), search='sfs', choose='one-se', cv=5).fit(X, y)",
        "mlxtend",
        MLXTEND + "SFS(GaussianNB(), k_features='parsimonious', cv=5).fit(X, y)",
    ),
    Task(
        "the 5 features with most information about the class",
        "fewest.SubsetSelector('information-gain', max_features=5, search='sfs').fit(X, y)",
        "scikit-learn",
        SKLEARN + "SelectKBest(mutual_info_classif, k=5).fit(X, y)",
    ),
    Task(
        "area under the ROC curve as score",
        "fewest.SubsetSelector(GaussianNB(), search='sfs', scoring='roc_auc', max_features=3, cv=5).fit(X, y)",
        "scikit-learn",
        SKLEARN
        + "SequentialFeatureSelector(GaussianNB(), n_features_to_select=3, scoring='roc_auc', cv=5).fit(X, y)",
    ),
    Task(
        "features that must stay",
        "fewest.SubsetSelector(GaussianNB(), search='sfs', include=['mean radius'], cv=5).fit(X, y)",
        "mlxtend",
        MLXTEND
        + "SFS(GaussianNB(), k_features='best', fixed_features=('mean radius',), cv=5).fit(X, y)",
    ),
    Task(
        "features that are selected together",
        "fewest.SubsetSelector(GaussianNB(), search='sfs', groups=[[0, 2, 3]], cv=5).fit(X, y)",
        "mlxtend",
        MLXTEND
        + "SFS(GaussianNB(), k_features='best', feature_groups=[[0, 2, 3], [1], [4], [5], [6], [7], [8], [9]], cv=5).fit(X, y)",
    ),
    Task(
        "rows that belong together",
        "fewest.SubsetSelector(GaussianNB(), search='sfs', max_features=3, cv=GroupKFold(5)).fit(X, y, groups=rows)",
        "scikit-learn",
        SKLEARN
        + "folds = list(GroupKFold(5).split(X, y, rows))\n"
        + "SequentialFeatureSelector(GaussianNB(), n_features_to_select=3, cv=folds).fit(X, y)",
    ),
    Task(
        "a numeric target",
        "fewest.SubsetSelector(Ridge(), search='sfs', max_features=3, cv=5).fit(X, y.astype(float))",
        "scikit-learn",
        SKLEARN
        + "SequentialFeatureSelector(Ridge(), n_features_to_select=3, cv=5).fit(X, y.astype(float))",
    ),
    Task(
        "accuracy on new rows",
        SELECT + "fewest.validate(selector, X, y, scheme='1x5cv', random_state=0).score",
        "scikit-learn",
        SKLEARN
        + "selector = SequentialFeatureSelector(GaussianNB(), tol=1e-9, cv=5)\n"
        + "cross_val_score(make_pipeline(selector, GaussianNB()), X, y, cv=KFold(5, shuffle=True)).mean()",
    ),
    Task(
        "two methods on the same splits, with a test",
        "methods = {s: fewest.SubsetSelector(GaussianNB(), search=s, cv=5) for s in ('sfs', 'sbe')}\n"
        "fewest.compare(methods, X, y, random_state=0).p_values",
        "mlxtend",
        SKLEARN
        + "from mlxtend.evaluate import combined_ftest_5x2cv\n"
        + "methods = [make_pipeline(SequentialFeatureSelector(GaussianNB(), tol=t, direction=d, cv=5), GaussianNB())\n"
        + "           for d, t in (('forward', 1e-9), ('backward', -1e-9))]\n"
        + "combined_ftest_5x2cv(*methods, X.to_numpy(), y.to_numpy(), random_seed=0)",
    ),
    Task(
        "stability of the selected features",
        SELECT + "fewest.validate(selector, X, y, scheme='1x5cv', random_state=0).stability",
        "scikit-learn",
        SKLEARN
        + "selector = SequentialFeatureSelector(GaussianNB(), tol=1e-9, cv=5)\n"
        + "folds = KFold(5, shuffle=True, random_state=0).split(X)\n"
        + "Z = np.array([selector.fit(X.iloc[a], y.iloc[a]).get_support() for a, _ in folds])\n"
        + "k, d = Z.sum(1).mean(), Z.shape[1]\n"
        + "1 - Z.var(0, ddof=1).mean() / (k / d * (1 - k / d))",
    ),
    Task(
        "a grid over the number of features",
        "model = make_pipeline(fewest.SubsetSelector(GaussianNB(), search='sfs', cv=3), GaussianNB())\n"
        "GridSearchCV(model, {'subsetselector__max_features': [2, 4]}, cv=3).fit(X, y)",
        "scikit-learn",
        SKLEARN
        + "model = make_pipeline(SequentialFeatureSelector(GaussianNB(), cv=3), GaussianNB())\n"
        + "GridSearchCV(model, {'sequentialfeatureselector__n_features_to_select': [2, 4]}, cv=3).fit(X, y)",
    ),
    Task("costs and a budget", "fewest.SubsetSelector(GaussianNB(), search='sfs', costs=list(range(1, 11)), budget=9, cv=5).fit(X, y)"),
    Task(
        "recursive elimination with a forest, best size",
        "fewest.SubsetSelector(RandomForestClassifier(20, random_state=0), search='rfe', cv=5).fit(X, y)",
        "scikit-learn",
        "from sklearn.feature_selection import RFECV\n"
        "RFECV(RandomForestClassifier(20, random_state=0), cv=5).fit(X, y)",
    ),
    Task("the smallest consistent subset, with a proof", "fewest.SubsetSelector('inconsistency', search='exact').fit(X, y).result_.optimal"),
    Task("a run that can be resumed", "fewest.SubsetSelector(GaussianNB(), search='sfs', cv=5, journal='run.jsonl', random_state=0).fit(X, y)"),
    Task(
        "a page for colleagues",
        SELECT + "selector.fit(X, y).result_.write_page('page.html')",
    ),
]  # fmt: skip


def lines(code: str) -> int:
    """The lines of code that are not imports."""
    told = [line for line in code.splitlines() if line.strip()]
    return sum(not line.startswith(("from ", "import ")) for line in told)


def names() -> dict[str, Any]:
    """What both sides start from."""
    found: dict[str, Any] = {}
    exec(SETUP, found)
    return found


def seconds(code: str) -> float:
    """CPU seconds of the second run."""
    given = names()
    for _ in range(2):
        start = time.process_time()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            exec(code, given)
        spent = time.process_time() - start
    return spent


def row(task: Task) -> str:
    """One line of the table."""
    ours = f"| {task.name} | {lines(task.ours)} | {seconds(task.ours):.2f} "
    if not task.peer:
        return ours + "| none | | |"
    theirs = seconds(task.theirs)
    return ours + f"| {task.peer} | {lines(task.theirs)} | {theirs:.2f} |"


HEAD = """# Twenty tasks

To see how much code and time a task takes here and elsewhere, find it in the table: fewest beside the library that does it
with the least code, in lines of code without imports, and CPU seconds without imports and compilation, on one core. The
data are the first ten columns of the breast cancer data of scikit-learn, the model is Gaussian naive Bayes. The code of
both sides is in `benchmarks/tasks.py`; run `python -m benchmarks.tasks` to repeat the measurement.

fewest has a fast version of this model. Models without one are fitted once per fold and subset in every library, so the
times are then similar.

| task | lines | seconds | peer | lines | seconds |
|---|---:|---:|---|---:|---:|
"""


def main() -> None:
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        rows = []
        for task in TASKS:
            rows.append(row(task))
            print(rows[-1], flush=True)
    PAGE.write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
