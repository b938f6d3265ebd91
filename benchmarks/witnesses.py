"""``python -m benchmarks.witnesses``: accuracies of the classifiers beside other programs.

The same ten folds of each table for ours and theirs. Ripper draws at random: five runs each.
Weka is Debian's; ``--orange PYTHON`` names a Python with Orange3, for its CN2. Writes the table
of docs/classifiers.md; with ``--tables`` it only prints the one of other data sets.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from itertools import chain
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, cross_val_score

import fewest
from fewest.classifiers import C45, CN2, IB1, NaiveBayes, NBTree, OneR, Ripper, TableMajority
from fewest.data._dataset import Dataset
from fewest.data._table import Table
from fewest.data._write import write

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "classifiers.md"
JAR = "/usr/share/java/weka.jar"
DATA = ("breast-cancer", "heart-statlog", "hepatitis", "lymphography", "votes")
FOLDS, DRAWS = 10, 5
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
}
#: Orange's defaults: no test of significance; entropy for ordered rules.
ORANGE: dict[str, Any] = {
    "CN2, entropy, no test": CN2(quality="entropy", significance=1.0),
    "CN2, unordered, no test": CN2(ordered=False, significance=1.0),
}
Rates = NDArray[np.float64]


def main() -> None:
    """Run everything, print it, and put it into the page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--orange", help="a Python with Orange3")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--tables", nargs="+", help="other data sets, whose figures are printed")
    given = parser.parse_args()
    names, work = given.tables or DATA, joblib.delayed(one_table)
    found = joblib.Parallel(n_jobs=given.jobs)(work(name, given.orange) for name in names)
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


def one_table(name: str, orange: str | None) -> dict[str, tuple[str, str]]:
    """The witness of each classifier, and its cell of one data set."""
    data = fewest.load(name)
    table = data.table()
    cv = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    splits = list(cv.split(table.values, table.target))
    fold = np.zeros(len(table.target), dtype=int)
    for f, (_, test) in enumerate(splits):
        fold[test] = f
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder)
        np.savetxt(files / "folds", fold, fmt="%d")
        pairs = _weka(files, data)
        if orange:
            pairs |= _orange(files, table, orange)
    return {
        label: (witness, cell(_ours(model, data, splits), theirs))
        for label, (model, witness, theirs) in pairs.items()
    }


def _weka(files: Path, data: Dataset) -> dict[str, tuple[Any, str, Rates]]:
    write(data, files / "data.arff")
    command = ["java", "-cp", JAR, str(HERE / "WekaFolds.java"), str(files / "data.arff")]
    # JRip draws at random; NBTree of Weka has no seed.
    words = {
        label: [f"{theirs} -S {k + 1}" for k in range(DRAWS if theirs.endswith("JRip") else 0)]
        or [theirs]
        for label, (_, theirs) in WEKA.items()
    }
    said = iter(_said([*command, str(files / "folds"), *chain(*words.values())]))
    rates = {label: np.mean([next(said) for _ in own], axis=0) for label, own in words.items()}
    return {
        label: (ours, f"Weka's {theirs.split('.', 3)[3]}", rates[label])
        for label, (ours, theirs) in WEKA.items()
    }


def _orange(files: Path, table: Table, python: str) -> dict[str, tuple[Any, str, Rates]]:
    write_tab(table, files / "data.tab")
    script = str(HERE / "orange_cn2.py")
    said = _said([python, script, str(files / "data.tab"), str(files / "folds")])
    witnesses = ("Orange's CN2Learner", "Orange's CN2UnorderedLearner")
    return {
        label: (ours, witness, rates)
        for (label, ours), witness, rates in zip(ORANGE.items(), witnesses, said, strict=True)
    }


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
