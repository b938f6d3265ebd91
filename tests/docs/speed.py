"""Write the tables of docs/speed.md: ``python -m tests.docs.speed``.

What is fast is asked of the registry; factors are those of ``python -m benchmarks twins``.
"""

from __future__ import annotations

import importlib
import re
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import is_regressor
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from fewest._errors import InputError
from fewest.data._as_table import as_table
from fewest.measures import CrossValidated
from fewest.measures._wrappers.paths import RULES, find_path, rule_of
from tests.docs.pages import ROOT

PAGE = ROOT / "docs" / "speed.md"
FACTORS = ROOT / "docs" / "benchmarks.md"
CLASSES = ("accuracy", "f1_macro", "roc_auc", "average_precision", "neg_log_loss",
           "neg_brier_score", "top_k_accuracy")  # fmt: skip
CALLS = ["1", "10", "100", "1,000"]
NUMBERS = ("r2", "neg_mean_squared_error", "neg_mean_absolute_error", "neg_max_error")
#: Parameters of models that search or prune by themselves unless they are asked not to.
FASTER = {"C45": {"raising": False}, "TableMajority": {"select": False}}
ROWS = 24
#: A share of trained folds from which on a model is listed, in percent.
OFTEN = 3.0
START, END = "<!-- {}: written by python -m tests.docs.speed -->", "<!-- end -->"


def models() -> dict[str, Any]:
    """Return an instance of every model in the registry, by name."""
    found = {}
    for place in RULES:
        module, _, name = place.partition(":")
        options = FASTER.get(name, {})
        words = ", ".join(f"{option}={value}" for option, value in options.items())
        model = getattr(importlib.import_module(module), name)(**options)
        found[f"{name}({words})" if words else name] = model
    return dict(sorted(found.items(), key=lambda item: item[0].lower()))


def storages(model: Any) -> dict[str, tuple[Any, Any]]:
    """Return a table and the estimator for it, by the way in which the table is stored."""
    numbers = np.random.default_rng(0).integers(0, 3, (ROWS, 3)).astype(float)
    frame = pd.DataFrame(numbers, columns=list("abc"))
    mixed = frame.assign(c=frame["c"].map({0.0: "x", 1.0: "y", 2.0: "z"}))
    gaps = frame.mask(frame == 0.0)
    own = bool(rule_of(model) is not None and rule_of(model).takes_tables)  # type: ignore[union-attr]
    encoder = ColumnTransformer(
        [("numbers", StandardScaler(), ["a", "b"]), ("labels", OneHotEncoder(), ["c"])]
    )
    return {
        "array": (numbers, model),
        "float32": (numbers.astype(np.float32), model),
        "frame": (frame, model),
        "mixed": (mixed, model if own else make_pipeline(encoder, model)),
        "gaps": (gaps, model if own else make_pipeline(SimpleImputer(), model)),
        "sparse": (sparse.csr_array(numbers), model),
    }


def cell(model: Any, scoring: str) -> str:
    """Return "fast", "trained", "no" (the model cannot be scored so), or which ones are trained."""
    y = np.arange(ROWS) / 7.0 if is_regressor(model) else np.arange(ROWS) % 2
    trained = []
    for name, (X, estimator) in storages(model).items():
        path = find_path(estimator, as_table(X, y), scoring)
        if "has no predict_proba" in path.why:
            return "no"
        trained += [] if path.fast else [name]
    if len(trained) == len(storages(model)):
        return "trained"
    return f"fast ({', '.join(trained)}: trained)" if trained else "fast"


def scans(model: Any, scoring: str) -> bool:
    """Return whether the rows may stay in a file or a database."""
    try:
        CrossValidated(model, cv=5, scoring=scoring).check_scans()
    except InputError:
        return False
    return True


def tables() -> dict[str, str]:
    """Return the tables of the page, by name."""
    found = {}
    for name, scorings in (("classes", CLASSES), ("numbers", NUMBERS)):
        rows = [
            [model, *(cell(own, s) for s in scorings), _listed(own, scorings)]
            for model, own in models().items()
            if is_regressor(own) == (name == "numbers")
        ]
        head = ["model", *(f"`{s}`" for s in scorings), "in files"]
        found[name] = _table(head, ["---"] * len(head), rows)
    measured = _measured()
    return {**found, "factors": factors(measured), "hindrances": hindrances(measured),
            "trained": often_trained(measured)}  # fmt: skip


def _measured() -> dict[str, str]:
    """Return the notes of the benchmark of fast paths, by what was measured."""
    section = FACTORS.read_text(encoding="utf-8").partition("## twins\n")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line[:2] == "| "]
    return {row[0]: row[-1].lstrip("| ") for row in rows[1:]}


def factors(measured: dict[str, str]) -> str:
    """Return how much faster batches of each size are, by accuracy or R²."""
    rows = []
    for what, note in measured.items():
        model, by, rest = what.partition(" by ")
        scoring, _, table = rest.partition(", ")
        if by and scoring in ("accuracy", "r2") and "×" in note:
            known = dict(re.findall(r"([\d,]+): ([\d,.]+)×", note))
            rows.append([model, table, *(_short(known.get(m)) for m in CALLS)])
    return _table(["model", "table", *CALLS], ["---", "---", *["---:"] * len(CALLS)], rows)


def hindrances(measured: dict[str, str]) -> str:
    """Return the time of tables with other columns or types, beside that of the plain table."""
    known = {}
    for what, note in measured.items():
        model, _, table = what.partition(", 400 × 14, ")
        if table:
            known[table, model] = _short(note.partition("×")[0])
    names = list(dict.fromkeys(model for _, model in known))
    rows = [[t, *(known[t, model] for model in names)] for t in dict.fromkeys(t for t, _ in known)]
    head = ["what the table has besides", *names]
    return _table(head, ["---", *["---:"] * len(names)], rows)


def often_trained(measured: dict[str, str]) -> str:
    """Return the models of which many folds are trained, with what 100 subsets gain."""
    rows = []
    for what, note in measured.items():
        share = re.search(r"trained ([\d.]+) % of the folds", note)
        if share is not None and float(share[1]) >= OFTEN:
            model, _, rest = what.partition(" by ")
            scoring, _, table = rest.partition(", ")
            gain = _short(dict(re.findall(r"([\d,]+): ([\d,.]+)×", note)).get("100"))
            rows.append([model, f"`{scoring}`", table, gain, f"{float(share[1]):.0f} %"])
    head = ["model", "score", "table", "100 subsets", "folds that are trained"]
    return _table(head, ["---", "---", "---", "---:", "---:"], rows)


def _short(factor: str | None) -> str:
    """Return a factor with two digits, or as a whole number."""
    if factor is None:
        return ""
    value = float(factor.replace(",", ""))
    return f"{value:.1f}×" if value < 9.95 else f"{value:,.0f}×"


def _table(head: list[str], rule: list[str], rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *rows))


def _listed(model: Any, scorings: tuple[str, ...]) -> str:
    return ", ".join(f"`{s}`" for s in scorings if scans(model, s)) or "no"


def page(text: str) -> str:
    """Return a page with its tables made anew."""
    for name, made in tables().items():
        start = START.format(name)
        before, _, rest = text.partition(start)
        text = f"{before}{start}\n\n{made}\n\n{END}{rest.partition(END)[2]}"
    return text


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
