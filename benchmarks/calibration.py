"""``python -m benchmarks.calibration``: whether the numbers that are printed are true.

Tables whose truth is known are drawn in ten settings. On each, the default selection is made and
validated, and every number is compared with what 4,000 new rows show. ``--quick`` draws few tables,
``--tables N`` so many per setting. Writes ``docs/calibration.md``.
"""

from __future__ import annotations

import argparse
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray
from scipy import stats
from sklearn.base import clone

import fewest
from fewest._validation.schemes import within_range
from fewest.search import Knockoffs

#: Tables per setting, and permutations of the test under the null; of ``--quick`` the second ones.
TABLES, PERMUTATIONS = (20, 1), (39, 19)
NEW_ROWS = 4000
#: A true difference up to this is none.
POINT = 0.01
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


def measured(name: str, seed: int, search: str, permutations: int) -> dict[str, Any]:
    """Return every number of one table beside its truth."""
    table = draw(name, seed)
    given: dict[str, Any] = {} if table.groups is None else {"groups": table.groups}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        selector = fewest.SubsetSelector(search=search, random_state=seed)
        fresh = clone(selector)
        selector.fit(table.X, table.y)
        v = fewest.validate(fresh, table.X, table.y, random_state=seed, **given)
        row = {"setting": name, "metric": v.metric, "kept": int(selector.n_features_)}
        row |= _against_truth(table, selector, v)
        if table.groups is None:
            found = fewest.corrected_score(selector, table.X, table.y)
            row["replayed"] = (found.score, *found.interval)
        row |= _features(table, selector, seed)
        if name in ("noise", "strong"):
            quick = fewest.SubsetSelector(search="sfs", random_state=seed).fit(table.X, table.y)
            test = fewest.permutation_test(quick, table.X, table.y, permutations=permutations)
            row["p_permutation"] = test.p_value
    return row


def _against_truth(table: Draw, selector: Any, v: Any) -> dict[str, Any]:
    """Return the honest numbers, and the scores of the models on new rows."""
    allowed, (X, y) = selector.allowed_, table.new
    own, everything = (
        float(clone(selector.estimator_).fit(table.X[:, m], table.y).score(X[:, m], y))
        if m.any() else _of_guessing(table.y, y)
        for m in (selector.support_, allowed)
    )  # fmt: skip
    return {
        "truth": own, "truth_all": everything,
        "honest": (v.score, *v.interval),
        "all": (v.baseline, *within_range(v.metric, *_interval(v))),
        "difference": (v.difference.mean, v.difference.low, v.difference.high),
        "verdict": v.difference.verdict, "p": v.p_value,
        "selection": (selector.score_, np.nan, np.nan),
    }  # fmt: skip


def _of_guessing(y: NDArray[Any], new: NDArray[Any]) -> float:
    """Return the score of no feature: the most frequent class, or the mean (R² about 0)."""
    return float(np.mean(new == np.bincount(y).argmax())) if y.dtype.kind == "i" else 0.0


def _interval(v: Any) -> tuple[float, float]:
    from fewest._validation.significance import interval

    return interval(v.baseline_scores, v.splits_overlap)


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
        "| setting | selection score, bias | honest, bias | covers | all features, bias | covers | "
        "difference, bias | covers | replayed, bias | covers |",
        "|---|" + "---:|" * 9,
    ]
    for name, rows in _and_all(by_setting).items():
        cells = [_cell(rows, "selection", "truth", False), _cell(rows, "honest", "truth")]
        cells.append(_cell(rows, "all", "truth_all"))
        cells.append(_cell(rows, "difference", "true_difference"))
        replayed = [r for r in rows if "replayed" in r]
        cells.append(_cell(replayed, "replayed", "truth") if replayed else " | ")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def _and_all(by_setting: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    return {**by_setting, "**all**": [r for rows in by_setting.values() for r in rows]}


def _cell(rows: list[dict[str, Any]], what: str, truth: str, covers: bool = True) -> str:
    known = np.array([r[what] for r in rows], dtype=float)
    right = np.array([r[truth] for r in rows])
    bias = f"{np.mean(known[:, 0] - right):+.3f}"
    inside = (known[:, 1] <= right) & (right <= known[:, 2])
    return f"{bias} | {inside.mean():.0%}" if covers else bias


def verdicts_table(by_setting: dict[str, list[dict[str, Any]]]) -> list[str]:
    """Verdicts beside the true difference, and how many of them are false."""
    words = ("better", "not worse", "equivalent", "equal", "undecided", "worse")
    head = f"| setting | true difference | {' | '.join(words)} | false |"
    lines = [head, "|---|---:|" + "---:|" * (len(words) + 1)]
    for name, rows in _and_all(by_setting).items():
        true = np.mean([r["true_difference"] for r in rows])
        counts = [sum(r["verdict"] == w for r in rows) for w in words]
        false = sum(_is_false(r["verdict"], r["true_difference"]) for r in rows)
        lines.append(f"| {name} | {true:+.3f} | {' | '.join(map(str, counts))} | {false} |")
    return lines


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


def page(rows: list[dict[str, Any]], tables: int, search: str) -> str:
    """Return the page."""
    by_setting = {name: [r for r in rows if r["setting"] == name] for name in SETTINGS}
    for own in by_setting.values():
        # What the procedure gains over all features is a property of the setting, not of a table.
        gain = float(np.mean([r["truth"] - r["truth_all"] for r in own]))
        for row in own:
            row["true_difference"] = gain
    parts = [
        "# Calibration",
        f"Whether the numbers that fewest prints are true: {tables} tables of each of ten "
        f"settings, `SubsetSelector(search={search!r})`, truth on {NEW_ROWS:,} new rows. Written "
        f"by `python -m benchmarks.calibration --tables {tables}`. With so many tables, a share "
        f"has a standard error of up to {100 * np.sqrt(0.25 / tables):.0f} points.",
        "## Scores\n\nBias is the mean of the number minus the truth; covers is the share of 95 % "
        "intervals that hold the truth.",
        "\n".join(numbers_table(by_setting)),
        "## Verdicts\n\nThe selection against all features. False is a verdict that the true "
        f"difference of the procedure contradicts (within {POINT} is no difference).",
        "\n".join(verdicts_table(by_setting)),
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
    parser.add_argument("--search", default="auto")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--page", type=Path, default=PAGE)
    given = parser.parse_args()
    tables = given.tables or TABLES[given.quick]
    todo = [(name, seed) for seed in range(tables) for name in SETTINGS]
    rows = joblib.Parallel(n_jobs=given.jobs, verbose=5)(
        joblib.delayed(measured)(name, seed, given.search, PERMUTATIONS[given.quick])
        for name, seed in todo
    )
    given.page.write_text(page(rows, tables, given.search), encoding="utf-8")


if __name__ == "__main__":
    main()
