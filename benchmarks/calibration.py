"""``python -m benchmarks.calibration``: whether the numbers and words that are printed are true.

Tables whose truth is known are drawn in ten settings. On each, the default selection is made and
validated, and every number is compared with what 4,000 new rows show. Further tables show p values
where nothing can be found, and wdbc how far verdicts depend on the seed. ``--quick`` draws few
tables, ``--tables N`` so many per setting; ``--rows FILE`` keeps what was measured, and goes on
from it. Writes ``docs/calibration.md``.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.metrics import get_scorer
from sklearn.model_selection import GroupKFold

import fewest
from fewest.search import Knockoffs

from .calibration_page import NEW_ROWS, page

#: The first seed: tables of those below were looked at while methods were chosen.
FIRST_SEED = 20_000
#: How many of each kind are measured, whole and by ``--quick``: tables per setting, permutation
#: tests on noise, comparisons on noise, tests with groups of one label, seeds on wdbc.
COUNTS = {
    "fit": (20, 1), "permutation": (200, 4), "compare": (20, 1), "labels": (10, 1),
    "wdbc": (12, 1),
}  # fmt: skip
PAGE = Path(__file__).parent.parent / "docs" / "calibration.md"


@dataclass(frozen=True)
class Setting:
    """How tables are drawn: rows, features, relevant ones, and the strength of each."""

    rows: int = 300
    features: int = 40
    relevant: int = 6
    strength: float = 0.8
    kind: str = ""


SETTINGS = {
    "noise": Setting(relevant=0),
    "weak": Setting(strength=0.35),
    "strong": Setting(strength=1.5),
    "correlated": Setting(kind="correlated"),
    "interactions": Setting(kind="interactions"),
    "wide": Setting(rows=100, features=300, relevant=4, strength=1.2),
    "small": Setting(rows=60, features=20, relevant=3, strength=1.2),
    "imbalanced": Setting(kind="imbalanced"),
    "groups": Setting(kind="groups"),
    "regression": Setting(kind="regression"),
}


@dataclass
class Draw:
    """Rows to select on and new rows of the same kind."""

    X: NDArray[np.float64]
    y: NDArray[Any]
    groups: NDArray[np.int64] | None
    new: tuple[NDArray[np.float64], NDArray[Any]]
    relevant: NDArray[np.bool_]

    @property
    def given(self) -> dict[str, Any]:
        """Return what is known of the rows beside X and y."""
        return {} if self.groups is None else {"groups": self.groups}


def draw(name: str, seed: int) -> Draw:
    """Return one table of a setting."""
    s, rng = SETTINGS[name], np.random.default_rng([seed, sorted(SETTINGS).index(name)])
    n, d = s.rows + NEW_ROWS, s.features
    X = rng.standard_normal((n, d))
    relevant = np.arange(d) < s.relevant
    if s.kind == "correlated":
        X = 0.8 * rng.standard_normal((n, d // 4)).repeat(4, axis=1) + 0.6 * X
        relevant = (np.arange(d) % 4 == 0) & (np.arange(d) < 4 * s.relevant)
    groups = np.arange(n) // 5 if s.kind == "groups" else None
    if groups is not None:  # rows of a group are alike
        X = np.sqrt(0.5) * (X + rng.standard_normal((n, d))[groups])
    signal = X @ np.where(relevant, s.strength, 0.0)
    if s.kind == "interactions":
        signal = 2.0 * (X[:, 0] * X[:, 1] + X[:, 2] * X[:, 3]) + s.strength * (X[:, 4] + X[:, 5])
    noise = rng.logistic(size=n)
    y: NDArray[Any] = (signal + noise > 0.0).astype(np.int64)
    if s.kind == "imbalanced":
        y = (signal + noise > np.quantile(signal + noise, 0.85)).astype(np.int64)
    if s.kind == "regression":
        y = signal + 2.0 * noise
    own = slice(0, s.rows)
    grouped = None if groups is None else groups[own]
    return Draw(X[own], y[own], grouped, (X[s.rows :], y[s.rows :]), relevant)


def measured(kind: str, name: str, seed: int) -> dict[str, Any]:
    """Return what one task shows, as plain data."""
    tasks = {
        "fit": _fit, "nested": _nested, "permutation": _permutation, "compare": _compare,
        "labels": _labels, "wdbc": _wdbc,
    }  # fmt: skip
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = tasks[kind](name, seed)
    seconds = time.process_time() - start
    return {"kind": kind, "setting": name, "seed": seed, "seconds": seconds, **found}


def _fit(name: str, seed: int) -> dict[str, Any]:
    """Return every number of one table after ``fit`` beside its truth."""
    table = draw(name, seed)
    selector = fewest.SubsetSelector(random_state=seed).fit(table.X, table.y, **table.given)
    row: dict[str, Any] = {"fit": _kept(selector.result_.honest)}
    row |= {"kept": int(selector.n_features_), "selection": float(selector.score_)}
    row |= _truth(table, selector, row["fit"]["metric"], "")
    row["stand_ins"] = _stand_ins(table, selector, row["fit"]["metric"], row["truth"])
    real = np.isin(selector.result_.names, selector.result_.evidence.real())
    return row | _counts(table, evidence=real, selected=selector.support_)


def _nested(name: str, seed: int) -> dict[str, Any]:
    """Return the same of a validation, with replays of its search, and of knockoffs."""
    table = draw(name, seed)
    model = "linear-regression" if name == "regression" else "naive-bayes"
    quick = _quick(seed, model, 5 if table.groups is None else GroupKFold(5))
    found = fewest.validate(quick, table.X, table.y, random_state=seed, **table.given)
    row: dict[str, Any] = {"nested": _kept(found.to_dict())}
    quick.fit(table.X, table.y, **table.given)
    row |= _truth(table, quick, found.metric, "_quick")
    if table.groups is None:
        again = fewest.corrected_score(quick, table.X, table.y)
        row["replayed"] = (again.score, *again.interval)
    knockoffs = _quick(seed, model).set_params(
        search=Knockoffs(fdr=0.1), min_features=0, refit=False
    )
    return row | _counts(table, knockoffs=knockoffs.fit(table.X, table.y).support_)


def _quick(seed: int, model: str = "naive-bayes", cv: Any = 5) -> Any:
    """Return a selection that takes milliseconds: forward selection by five folds."""
    return fewest.SubsetSelector(model, search="sfs", cv=cv, random_state=seed)


def _permutation(name: str, seed: int) -> dict[str, Any]:
    """Return the p value of a selection on 100 rows and 20 columns of noise, or of a signal."""
    table = draw(name, seed)
    X, y = table.X[:100, :20], table.y[:100]
    selector = _quick(seed).fit(X, y)
    return {"p": fewest.permutation_test(selector, X, y, permutations=19).p_value}


def _compare(name: str, seed: int) -> dict[str, Any]:
    """Return whether a comparison of three searches on 100 rows of noise names a winner."""
    table = draw(name, seed)
    searches = {s: _quick(seed).set_params(search=s) for s in ("sfs", "sbe", "sffs")}
    X, y = table.X[:100, :12], table.y[:100]
    found = fewest.compare(searches, X, y, scheme="1x10cv", random_state=seed)
    return {"winner": len(found.groups[0]) == 1}


def _labels(name: str, seed: int) -> dict[str, Any]:
    """Return the p value of a strong signal where all rows of a group have the same label."""
    rng = np.random.default_rng([seed, 1])
    groups = np.arange(200) // 5
    y = (rng.permutation(40) % 2)[groups]
    X = rng.standard_normal((200, 8))
    X[:, 0] += 2.0 * y
    selector = _quick(seed, cv=GroupKFold(5)).fit(X, y, groups=groups)
    test = fewest.permutation_test(selector, X, y, groups=groups, permutations=39)
    return {"p": test.p_value}


def _wdbc(name: str, seed: int) -> dict[str, Any]:
    """Return the verdict of a selection on wdbc, and its p value."""
    selector = fewest.SubsetSelector(random_state=seed).fit(fewest.load(name))
    found = selector.result_.honest["difference"]
    return {"verdict": found["verdict"], "p": found["p_value"]}


def _kept(validation: dict[str, Any]) -> dict[str, Any]:
    """Return a validation without the features of its folds."""
    dropped = {"supports": [[]] * len(validation["scores"]), "by_generation": [], "names": []}
    return {**validation, **dropped}


def _truth(table: Draw, selector: Any, metric: str, end: str) -> dict[str, Any]:
    """Return the scores on new rows of the model with the selected and with all features."""
    X, y = table.new
    judge = get_scorer({"R²": "r2"}.get(metric, metric))
    own, everything = (
        float(judge(clone(selector.measure_.estimator).fit(table.X[:, m], table.y), X[:, m], y))
        if m.any() else _of_guessing(table.y, y, metric)
        for m in (selector.support_, selector.allowed_)
    )  # fmt: skip
    return {f"truth{end}": own, f"truth_all{end}": everything}


def _stand_ins(table: Draw, selector: Any, metric: str, own: float) -> list[float]:
    """Return what each feature that is named as a stand-in loses on new rows."""
    names = list(selector.result_.names)
    judge = get_scorer({"R²": "r2"}.get(metric, metric))
    losses = []
    for told in selector.result_.extra.get("stand_ins", []):
        mask = selector.support_.copy()
        mask[[names.index(told["feature"]), names.index(told["by"])]] = False, True
        model = clone(selector.measure_.estimator).fit(table.X[:, mask], table.y)
        losses.append(own - float(judge(model, table.new[0][:, mask], table.new[1])))
    return losses


def _of_guessing(y: NDArray[Any], new: NDArray[Any], metric: str) -> float:
    """Return the score of no feature: the most frequent class, or the mean (R² about 0)."""
    if metric == "R²":
        return 0.0
    return float(np.mean(new == np.bincount(y).argmax())) if metric == "accuracy" else 0.5


def _counts(table: Draw, **sets: NDArray[np.bool_]) -> dict[str, int]:
    """Return how many features of each set are relevant, and how many are not."""
    return {
        f"{name}_{what}": int(np.count_nonzero(chosen & side))
        for name, chosen in sets.items()
        for what, side in (("true", table.relevant), ("false", ~table.relevant))
    }


def tasks_of(quick: bool, tables: int | None) -> list[tuple[str, str, int]]:
    """Return what is measured: kind, setting and seed, so that every part of the list has all."""
    counts = {kind: several[quick] for kind, several in COUNTS.items()}
    counts["fit"] = tables or counts["fit"]
    single = [("wdbc", "wdbc"), ("labels", "groups"), ("compare", "noise")]
    once = [(kind, name, k) for kind, name in single for k in range(counts[kind])]
    once += [("permutation", "strong", k) for k in range(counts["labels"])]
    found: list[tuple[str, str, int]] = []
    each = counts["permutation"] // counts["fit"]
    for k in range(counts["fit"]):
        found += [(kind, name, k) for name in SETTINGS for kind in ("fit", "nested")]
        found += [("permutation", "noise", each * k + again) for again in range(each)]
        found, once = [*found, *once], []
    return [(kind, name, FIRST_SEED + k) for kind, name, k in found]


def main() -> None:
    """Measure all settings and write the page."""
    parser = argparse.ArgumentParser(description="Whether the printed numbers are true.")
    parser.add_argument(
        "--quick", action="store_true", help="one table per setting: about two minutes"
    )
    parser.add_argument("--tables", type=int, help="tables per setting")
    parser.add_argument("--rows", type=Path, help="file of measured tables, to go on with")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--page", type=Path, default=PAGE)
    given = parser.parse_args()
    rows = json.loads(given.rows.read_text()) if given.rows and given.rows.exists() else []
    known = {(row["kind"], row["setting"], row["seed"]) for row in rows}
    todo = [task for task in tasks_of(given.quick, given.tables) if task not in known]
    parallel = joblib.Parallel(n_jobs=given.jobs, return_as="generator_unordered")
    for row in parallel(joblib.delayed(measured)(*task) for task in todo):
        rows.append(row)
        if given.rows:
            given.rows.write_text(json.dumps(rows), encoding="utf-8")
    relevant = {name: int(draw(name, 0).relevant.sum()) for name in SETTINGS}
    given.page.write_text(page(rows, relevant), encoding="utf-8")


if __name__ == "__main__":
    main()
