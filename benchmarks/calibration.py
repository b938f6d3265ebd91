"""``python -m benchmarks.calibration``: whether the numbers that are printed are true.

Tables whose truth is known are drawn in ten settings. On each, the default selection is made and
validated, and every number is compared with what 4,000 new rows show. ``--quick`` draws few tables,
``--tables N`` so many per setting; ``--rows FILE`` keeps what was measured, and goes on from it.
Writes ``docs/calibration.md``.
"""

from __future__ import annotations

import argparse
import json
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray
from scipy import stats
from sklearn.base import clone
from sklearn.metrics import get_scorer

import fewest
from fewest._validation.validation import Validation
from fewest.search import Knockoffs

#: Tables per setting, and permutations of the test under the null; of ``--quick`` the second ones.
TABLES, PERMUTATIONS = (20, 1), (39, 19)
NEW_ROWS = 4000
#: The first seed: those below were looked at while methods were chosen.
FIRST_SEED = 100
#: The numbers with intervals: those after ``fit``, those of ``validate``, and the replayed one.
NUMBERS = {
    "honest": "honest", "all": "all features", "difference": "difference",
    "nested": "validate", "nested_difference": "its difference", "replayed": "replayed",
}  # fmt: skip
#: What is validated by the external loop: selections that take milliseconds, for classes and for
#: numbers.
QUICK = ("naive-bayes", "linear-regression")
#: A true difference up to this is none.
POINT = 0.01
#: What the page holds from this line on is written by hand, and kept.
BY_HAND = "## Words, before and after"
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


def measured(name: str, seed: int, permutations: int) -> dict[str, Any]:
    """Return every number of one table beside its truth, as plain data."""
    table = draw(name, seed)
    given: dict[str, Any] = {} if table.groups is None else {"groups": table.groups}
    row: dict[str, Any] = {"setting": name, "seed": seed}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        selector = fewest.SubsetSelector(random_state=seed).fit(table.X, table.y, **given)
        row |= {"kept": int(selector.n_features_), "fit": _kept(selector.result_.honest)}
        row |= _truth(table, selector, row["fit"]["metric"], "")
        row["selection"] = float(selector.score_)
        quick = fewest.SubsetSelector(QUICK[name == "regression"], search="sfs", random_state=seed)
        found = fewest.validate(quick, table.X, table.y, random_state=seed, **given)
        row["nested"] = _kept(found.to_dict())
        quick.fit(table.X, table.y, **given)
        row |= _truth(table, quick, found.metric, "_quick")
        if table.groups is None:
            again = fewest.corrected_score(quick, table.X, table.y)
            row["replayed"] = (again.score, *again.interval)
        row |= _features(table, selector, seed)
        if name in ("noise", "strong"):
            test = fewest.permutation_test(quick, table.X, table.y, permutations=permutations)
            row["p_permutation"] = test.p_value
    return row


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


def _of_guessing(y: NDArray[Any], new: NDArray[Any], metric: str) -> float:
    """Return the score of no feature: the most frequent class, or the mean (R² about 0)."""
    if metric == "R²":
        return 0.0
    return float(np.mean(new == np.bincount(y).argmax())) if metric == "accuracy" else 0.5


def _features(table: Draw, selector: Any, seed: int) -> dict[str, Any]:
    """Return how many features count as real, kept or passed, and how many of them falsely."""
    real = np.isin(selector.result_.names, selector.result_.evidence.real())
    search = Knockoffs(fdr=0.1)
    found = fewest.SubsetSelector(search=search, min_features=0, random_state=seed, refit=False)
    passed = found.fit(table.X, table.y).support_
    sets = {"evidence": real, "knockoffs": passed, "selected": selector.support_}
    return {
        f"{name}_{what}": int(np.count_nonzero(chosen & side))
        for name, chosen in sets.items()
        for what, side in (("true", table.relevant), ("false", ~table.relevant))
    }


def numbers_table(by_setting: dict[str, list[dict[str, Any]]]) -> list[str]:
    """Bias and coverage of the printed numbers."""
    lines = [
        "| setting | metric | selection score, bias | "
        + " | ".join(f"{title}, bias | covers" for title in NUMBERS.values())
        + " |",
        "|---|---|---:|" + "---:|" * 2 * len(NUMBERS),
    ]
    for name, rows in _and_all(by_setting).items():
        metric = rows[0]["metric"] if len({row["metric"] for row in rows}) == 1 else ""
        cells = [name, metric, _cell(rows, "selection")]
        cells += [_cell(rows, number) for number in NUMBERS]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _numbers(row: dict[str, Any], gains: tuple[float, float]) -> dict[str, Any]:
    """Return every printed number with its interval, and the truth."""
    fit, nested = (Validation.from_dict(row[key]) for key in ("fit", "nested"))
    known = {
        "selection": (row["selection"], np.nan, np.nan, row["truth"]),
        "honest": (fit.accuracy, *fit.interval, row["truth"]),
        "all": (fit.baseline, *fit.baseline_interval, row["truth_all"]),
        "difference": (*_gap(fit), gains[0]),
        "nested": (nested.accuracy, *nested.interval, row["truth_quick"]),
        "nested_difference": (*_gap(nested), gains[1]),
    }
    if "replayed" in row:
        known["replayed"] = (*row["replayed"], row["truth_quick"])
    verdicts = {"verdict": fit.difference.verdict, "nested_verdict": nested.difference.verdict}
    return {**row, **known, **verdicts, "metric": fit.metric, "gains": gains}


def _gap(validation: Validation) -> tuple[float, float, float]:
    found = validation.difference
    return found.mean, found.low, found.high


def _and_all(by_setting: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    return {**by_setting, "**all**": [r for rows in by_setting.values() for r in rows]}


def _cell(rows: list[dict[str, Any]], what: str) -> str:
    known = np.array([r[what] for r in rows if what in r], dtype=float)
    if not len(known):
        return " | "
    bias = f"{np.mean(known[:, 0] - known[:, 3]):+.3f}"
    if np.isnan(known[0, 1]):
        return bias
    inside = (known[:, 1] <= known[:, 3]) & (known[:, 3] <= known[:, 2])
    return f"{bias} | {inside.mean():.0%}"


def verdicts_table(by_setting: dict[str, list[dict[str, Any]]], key: str, of: int) -> list[str]:
    """Verdicts beside the true difference, and how many of them are false."""
    words = ("better", "not worse", "equivalent", "equal", "undecided", "worse")
    head = f"| setting | true difference | {' | '.join(words)} | false |"
    lines = [head, "|---|---:|" + "---:|" * (len(words) + 1)]
    for name, rows in _and_all(by_setting).items():
        true = np.mean([r["gains"][of] for r in rows])
        counts = [sum(r[key] == w for r in rows) for w in words]
        false = sum(_is_false(r[key], r["gains"][of]) for r in rows)
        lines.append(f"| {name} | {true:+.3f} | {' | '.join(map(str, counts))} | {false} |")
    return lines


def power(by_setting: dict[str, list[dict[str, Any]]], key: str, of: int) -> str:
    """Return how often a true difference is found, in a sentence."""
    rows = [r for own in by_setting.values() for r in own if abs(r["gains"][of]) > POINT]
    found = sum(r[key] == ("better" if r["gains"][of] > 0 else "worse") for r in rows)
    return (
        f"Where the true difference is more than {POINT:.0%}, it is found (better or worse) in "
        f"{found} of {len(rows)} tables."
    )


def _is_false(verdict: str, true: float) -> bool:
    return {
        "better": true <= 0, "worse": true >= 0, "not worse": true < -POINT,
        "equivalent": abs(true) > POINT, "equal": abs(true) > POINT,
    }.get(verdict, False)  # fmt: skip


def features_table(by_setting: dict[str, list[dict[str, Any]]]) -> list[str]:
    """How many features are kept, and how many of them are irrelevant."""
    lines = [
        "| setting | kept | false | none kept | real at .95 | false | found | knockoffs at 10 % | "
        "false | found |",
        "|---|" + "---:|" * 9,
    ]
    for name, rows in by_setting.items():
        relevant = max(1, int(draw(name, 0).relevant.sum()))
        cells = [f"{np.mean([r['kept'] for r in rows]):.1f}", _false(rows, "selected")]
        cells.append(f"{np.mean([r['kept'] == 0 for r in rows]):.0%}")
        for kind in ("evidence", "knockoffs"):
            total = [r[f"{kind}_true"] + r[f"{kind}_false"] for r in rows]
            found = np.mean([r[f"{kind}_true"] for r in rows]) / relevant
            cells += [f"{np.mean(total):.1f}", _false(rows, kind), f"{found:.0%}"]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def _false(rows: list[dict[str, Any]], kind: str) -> str:
    """Return the mean share of irrelevant features, 0 where there is none at all."""
    pairs = [(r[f"{kind}_false"], r[f"{kind}_true"] + r[f"{kind}_false"]) for r in rows]
    return f"{np.mean([false / max(1, total) for false, total in pairs]):.0%}"


def p_sentences(by_setting: dict[str, list[dict[str, Any]]]) -> list[str]:
    """P values where there is nothing to find, and where there is much."""
    told = []
    for name, what in (("noise", "on noise (they should be uniform)"), ("strong", "on a signal")):
        p = [r["p_permutation"] for r in by_setting[name]]
        uniform = stats.kstest(p, "uniform").pvalue
        told.append(
            f"Permutation tests {what}: mean p {np.mean(p):.2f}, at or below .05 in "
            f"{np.mean(np.array(p) <= 0.05):.0%}; test of uniformity p = {uniform:.2g}."
        )
    return told


def page(rows: list[dict[str, Any]]) -> str:
    """Return the page."""
    by_setting = {}
    for name in SETTINGS:
        own = [r for r in rows if r["setting"] == name]
        # What a procedure gains over all features is a property of the setting, not of a table.
        gains = tuple(
            float(np.mean([r[f"truth{end}"] - r[f"truth_all{end}"] for r in own]))
            for end in ("", "_quick")
        )
        by_setting[name] = [_numbers(row, gains) for row in own]  # type: ignore[arg-type]
    tables = len(rows) // len(SETTINGS)
    parts = [
        "# Calibration",
        f"Whether the numbers that fewest prints are true: {tables} tables of each of ten "
        f"settings, truth on {NEW_ROWS:,} new rows. Written by `python -m benchmarks.calibration "
        f"--tables {tables}`. A share of one setting has a standard error of up to "
        f"{100 * np.sqrt(0.25 / tables):.0f} points; a coverage of 95 % over all settings one of "
        f"{100 * np.sqrt(0.0475 / len(rows)):.1f}.",
        "## Scores\n\nHonest score, all features and difference are what `SubsetSelector().fit` "
        "reports. `validate` judges forward selection for naive Bayes (linear regression for "
        "numbers) by its default scheme, and the replayed score is that of the same selection. "
        "Bias is the mean of the number minus the truth; covers is the share of 95 % intervals "
        "that hold the truth.",
        "\n".join(numbers_table(by_setting)),
        "## Verdicts\n\nThe selection against all features. False is a verdict that the true "
        f"difference of the procedure contradicts (within {POINT} is no difference). After "
        f"`fit`: {power(by_setting, 'verdict', 0)}",
        "\n".join(verdicts_table(by_setting, "verdict", 0)),
        f"By `validate`: {power(by_setting, 'nested_verdict', 1)}",
        "\n".join(verdicts_table(by_setting, "nested_verdict", 1)),
        "## Features\n\nFalse is the share of irrelevant features, found that of relevant ones.",
        "\n".join(features_table(by_setting)),
        "## p values",
        "\n".join(p_sentences(by_setting)),
    ]
    return "\n\n".join(parts) + "\n"


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
    tables = given.tables or TABLES[given.quick]
    rows = json.loads(given.rows.read_text()) if given.rows and given.rows.exists() else []
    known = {(row["setting"], row["seed"]) for row in rows}
    seeds = range(FIRST_SEED, FIRST_SEED + tables)
    todo = [(name, seed) for seed in seeds for name in SETTINGS if (name, seed) not in known]
    parallel = joblib.Parallel(n_jobs=given.jobs, return_as="generator_unordered")
    each = (joblib.delayed(measured)(*one, PERMUTATIONS[given.quick]) for one in todo)
    for row in parallel(each):
        rows.append(row)
        if given.rows:
            given.rows.write_text(json.dumps(rows), encoding="utf-8")
    before = given.page.read_text(encoding="utf-8") if given.page.exists() else ""
    by_hand = before[before.find(BY_HAND) :] if BY_HAND in before else ""
    given.page.write_text("\n".join([page(rows), by_hand]), encoding="utf-8")


if __name__ == "__main__":
    main()
