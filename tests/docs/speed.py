"""Write the tables of docs/speed.md from the registry: ``python -m tests.docs.speed``."""

from __future__ import annotations

import importlib
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
CLASSES = ("accuracy", "f1_macro", "roc_auc", "average_precision", "neg_log_loss",
           "neg_brier_score", "top_k_accuracy")  # fmt: skip
NUMBERS = ("r2", "neg_mean_squared_error", "neg_mean_absolute_error", "neg_max_error")
#: Parameters of models that search or prune by themselves unless they are asked not to.
FASTER = {"C45": {"raising": False}, "TableMajority": {"select": False}}
ROWS = 24
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
        lines = [head, ["---"] * len(head), *rows]
        found[name] = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return found


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
