"""``python -m benchmarks.witnesses``: accuracies of the classifiers beside other programs.

The same ten folds of each table for ours and theirs. Ripper draws at random: five runs each.
Weka is Debian's 3.6; ``--python PYTHON`` names a Python with Orange3 and imbalanced-learn. Writes
the table of docs/classifiers.md; with ``--tables`` it only prints the one of other data sets.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, cross_val_score

import fewest
from fewest.classifiers import (
    C45,
    CN2,
    IB1,
    ID3,
    PEBLS,
    TAN,
    NaiveBayes,
    NBTree,
    OneR,
    Ripper,
    TableMajority,
)
from fewest.data._dataset import Dataset
from fewest.data._table import Table
from fewest.data._write import write
from papers.domains import labelled

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "classifiers.md"
JAR = "/usr/share/java/weka.jar"
DATA = ("breast-cancer", "heart-statlog", "hepatitis", "lymphography", "votes")
FOLDS, DRAWS, INTERVALS = 10, 5, 5
#: The mark of classifiers that see nothing but labels.
LABELS = "*"
BAYES = "weka.classifiers.bayes"
#: Name: our classifier, and Weka's with its options.
WEKA: dict[str, tuple[Any, str]] = {
    "OneR": (OneR(), "weka.classifiers.rules.OneR"),
    "Ripper": (Ripper(), "weka.classifiers.rules.JRip"),
    "C45": (C45(), "weka.classifiers.trees.J48"),
    "C45, no raising": (C45(raising=False), "weka.classifiers.trees.J48 -S"),
    "C45, no pruning": (C45(pruning=False), "weka.classifiers.trees.J48 -U"),
    "IB1": (IB1(), "weka.classifiers.lazy.IBk -K 1"),
    "NaiveBayes": (NaiveBayes(), "weka.classifiers.bayes.NaiveBayes"),
    "NBTree": (NBTree(), "weka.classifiers.trees.NBTree"),
    "TableMajority": (TableMajority(), "weka.classifiers.rules.DecisionTable"),
    "ID3, no test *": (ID3(significance=1.0), "weka.classifiers.trees.Id3"),
    "TAN, strength ½ *": (
        TAN(strength=0.5),
        f"{BAYES}.BayesNet -D -Q {BAYES}.net.search.local.TAN",
    ),
}
#: Orange's defaults: no test of significance; entropy for ordered rules.
OTHERS: dict[str, tuple[Any, str]] = {
    "CN2, entropy, no test": (CN2(quality="entropy", significance=1.0), "Orange's CN2Learner"),
    "CN2, unordered, no test": (
        CN2(ordered=False, significance=1.0), "Orange's CN2UnorderedLearner",
    ),
    "PEBLS, no weights *": (
        PEBLS(weighting="none"), "imbalanced-learn's ValueDifferenceMetric",
    ),
}  # fmt: skip
Rates = NDArray[np.float64]


def main() -> None:
    """Run everything, print it, and put it into the page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", help="a Python with Orange3 and imbalanced-learn")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--tables", nargs="+", help="other data sets, whose figures are printed")
    given = parser.parse_args()
    names, work = given.tables or DATA, joblib.delayed(one_table)
    found = joblib.Parallel(n_jobs=given.jobs)(work(name, given.python) for name in names)
    lines = [
        " | ".join([f"| {label}", found[0][label][0], *(cells[label][1] for cells in found)]) + " |"
        for label in found[0]
    ]
    head = f"| classifier | witness | {' | '.join(names)} |"
    text = "\n".join([head, "|---|---|" + "---:|" * len(names), *lines])
    print(text)
    if not given.tables:
        page = PAGE.read_text(encoding="utf-8")
        marks = r"(<!-- witnesses -->\n).*(\n<!-- end -->)"
        PAGE.write_text(re.sub(marks, rf"\1{text}\2", page, flags=re.S), encoding="utf-8")


def one_table(name: str, python: str | None) -> dict[str, tuple[str, str]]:
    """The witness of each classifier, and its cell of one data set."""
    data = fewest.load(name)
    labels = in_labels(data)
    table = data.table()
    cv = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    splits = list(cv.split(table.values, table.target))
    fold = np.zeros(len(table.target), dtype=int)
    for f, (_, test) in enumerate(splits):
        fold[test] = f
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder)
        np.savetxt(files / "folds", fold, fmt="%d")
        rates = _weka(files, data, labels)
        if python:
            rates |= _others(files, data, labels, python)
    return {
        label: (
            re.sub(r"^weka\.\w+\.\w+\.", "Weka's ", re.sub(r" -D -Q .*\.", ", ", witness)),
            cell(_ours(model, labels if label.endswith(LABELS) else data, splits), rates[label]),
        )
        for label, (model, witness) in {**WEKA, **OTHERS}.items()
        if label in rates
    }


def in_labels(data: Dataset) -> Dataset:
    """Intervals with equally many rows instead of numbers; an unknown value is a label as well."""
    X = data.X.copy()
    for name, kind in data.kinds.items():
        if kind == "continuous":
            values = np.asarray(X[name], dtype=float)
            cuts = np.unique(np.nanquantile(values, np.arange(1, INTERVALS) / INTERVALS))
            X[name] = np.where(np.isnan(values), np.nan, np.searchsorted(cuts, values))
    return labelled(replace(data, X=X))


def _weka(files: Path, data: Dataset, labels: Dataset) -> dict[str, Rates]:
    rates: dict[str, Rates] = {}
    for mark, own in (("", data), (LABELS, labels)):
        write(own, files / "data.arff")
        command = ["java", "-cp", JAR, str(HERE / "WekaFolds.java"), str(files / "data.arff")]
        # JRip draws at random; NBTree of Weka has no seed.
        words = {
            label: [f"{theirs} -S {k + 1}" for k in range(DRAWS if theirs.endswith("JRip") else 0)]
            or [theirs]
            for label, (_, theirs) in WEKA.items()
            if label.endswith(LABELS) == bool(mark)
        }
        said = iter(_said([*command, str(files / "folds"), *chain(*words.values())]))
        rates |= {name: np.mean([next(said) for _ in runs], axis=0) for name, runs in words.items()}
    return rates


def _others(files: Path, data: Dataset, labels: Dataset, python: str) -> dict[str, Rates]:
    write_tab(data.table(), files / "data.tab")
    write_tab(labels.table(), files / "labels.tab")
    names = ("data.tab", "labels.tab", "folds")
    script = str(HERE / "other_programs.py")
    said = _said([python, script, *(str(files / name) for name in names)])
    return dict(zip(OTHERS, said, strict=True))


def _said(command: list[str]) -> list[Rates]:
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [np.array(line.split(), dtype=float) for line in text.splitlines()]


def write_tab(table: Table, path: Path) -> None:
    """The table as Orange reads it: names, kinds and the class in three header lines."""
    kinds = ["c" if levels is None else "d" for levels in table.levels]
    lines = ["\t".join([*table.names, "class"]), "\t".join([*kinds, "d"])]
    lines.append("\t".join([""] * len(kinds) + ["class"]))
    assert table.classes is not None
    for row, label in zip(table.values, table.target, strict=True):
        cells = [
            "?" if np.isnan(v) else f"{v!r}" if levels is None else f"v{int(v)}"
            for v, levels in zip(row.tolist(), table.levels, strict=True)
        ]
        lines.append("\t".join([*cells, f"c{label}"]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _ours(model: Any, data: Dataset, splits: list[Any]) -> Rates:
    y = np.asarray(data.y)
    drawn = range(DRAWS) if hasattr(model, "random_state") else ()
    models = [clone(model).set_params(random_state=seed) for seed in drawn] or [model]
    return np.mean([cross_val_score(m, data.X, y, cv=splits) for m in models], axis=0)


def cell(ours: Rates, theirs: Rates) -> str:
    """Our accuracy and the difference; ▲ ▼ above the standard error of theirs over the folds."""
    error, mean = 100 * float(theirs.std(ddof=1)) / np.sqrt(len(theirs)), 100 * ours.mean()
    gap = mean - 100 * theirs.mean()
    mark = "" if abs(gap) <= error else " ▲" if gap > 0 else " ▼"
    return f"{mean:.1f} ({gap:+.1f}{mark})"


if __name__ == "__main__":
    main()
