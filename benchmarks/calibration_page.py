"""The page of :mod:`benchmarks.calibration`: what was measured, in tables and sentences."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from fewest._validation.validation import Validation

#: Rows on which the truth is measured.
NEW_ROWS = 4000
#: The numbers with intervals: those after ``fit``, those of ``validate``, and the replayed one.
NUMBERS = {
    "honest": "honest", "all": "all features", "difference": "difference",
    "nested": "validate", "nested_difference": "its difference", "replayed": "replayed",
}  # fmt: skip
#: A true difference up to this is none.
POINT = 0.01
#: What is aimed at: bias of a number at most, coverage of an interval of 95 %, false features among
#: the real ones and among knockoffs, tables of noise where nothing is kept.
BIAS, COVERED, FALSE_REAL, FALSE_KNOCKOFFS, NONE_KEPT = 0.01, (0.93, 0.97), 0.05, 0.1, 0.95
#: Errors of the difference that are tried, as shares of its corrected variance.
SHARES = (0.475, 0.66, 0.8, 1.0)

Floats = NDArray[np.float64]
Tables = dict[str, list[dict[str, Any]]]


def numbers_table(by_setting: Tables) -> list[str]:
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
        "honest": (fit.score, *fit.interval, row["truth"]),
        "all": (fit.baseline, *fit.baseline_interval, row["truth_all"]),
        "difference": (*_gap(fit), gains[0]),
        "nested": (nested.score, *nested.interval, row["truth_quick"]),
        "nested_difference": (*_gap(nested), gains[1]),
    }
    if "replayed" in row:
        known["replayed"] = (*row["replayed"], row["truth_quick"])
    verdicts = {"verdict": fit.difference.verdict, "nested_verdict": nested.difference.verdict}
    return {**row, **known, **verdicts, "metric": fit.metric, "gains": gains}


def _gap(validation: Validation) -> tuple[float, float, float]:
    found = validation.difference
    return found.mean, found.low, found.high


def _and_all(by_setting: Tables) -> Tables:
    return {**by_setting, "**all**": [r for rows in by_setting.values() for r in rows]}


def _judged(rows: list[dict[str, Any]], what: str) -> tuple[float, float, float]:
    """Return the bias of a number, its standard error, and how often its interval holds."""
    known = np.array([r[what] for r in rows if what in r], dtype=float)
    if not len(known):
        return 0.0, 0.0, 0.0
    gaps = known[:, 0] - known[:, 3]
    inside = (known[:, 1] <= known[:, 3]) & (known[:, 3] <= known[:, 2])
    error = gaps.std() / np.sqrt(max(len(gaps) - 1, 1))
    return float(gaps.mean()), float(error), float(inside.mean())


def _cell(rows: list[dict[str, Any]], what: str) -> str:
    if not any(what in r for r in rows):
        return " | "
    bias, error, inside = _judged(rows, what)
    covered = "" if what == "selection" else f" | {inside:.0%}"
    return f"{bias:+.3f} ± {error:.3f}{covered}"


def verdicts_table(by_setting: Tables, key: str, of: int) -> list[str]:
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


def found(by_setting: Tables, key: str, of: int) -> str:
    """Return in how many tables a true difference is found."""
    rows = [r for own in by_setting.values() for r in own if abs(r["gains"][of]) > POINT]
    right = sum(r[key] == ("better" if r["gains"][of] > 0 else "worse") for r in rows)
    return f"{right} of {len(rows)} tables"


def _is_false(verdict: str, true: float) -> bool:
    return {
        "better": true <= 0, "worse": true >= 0, "not worse": true < -POINT,
        "equivalent": abs(true) > POINT, "equal": abs(true) > POINT,
    }.get(verdict, False)  # fmt: skip


def features_table(by_setting: Tables, relevant: dict[str, int]) -> list[str]:
    """How many features are kept, and how many of them are irrelevant."""
    lines = [
        "| setting | kept | false | none kept | real at .95 | false | found | knockoffs at 10 % | "
        "false | found |",
        "|---|" + "---:|" * 9,
    ]
    for name, rows in _and_all(by_setting).items():
        there = max(1.0, np.mean([relevant[r["setting"]] for r in rows]))
        cells = [f"{np.mean([r['kept'] for r in rows]):.1f}", _false(rows, "selected")]
        cells.append(f"{np.mean([r['kept'] == 0 for r in rows]):.0%}")
        for kind in ("evidence", "knockoffs"):
            total = [r[f"{kind}_true"] + r[f"{kind}_false"] for r in rows]
            found = np.mean([r[f"{kind}_true"] for r in rows]) / there
            cells += [f"{np.mean(total):.1f}", _false(rows, kind), f"{found:.0%}"]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def _false(rows: list[dict[str, Any]], kind: str) -> str:
    return f"{_false_share(rows, kind):.0%}"


def _false_share(rows: list[dict[str, Any]], kind: str) -> float:
    """Return the mean share of irrelevant features, 0 where there is none at all."""
    pairs = [(r[f"{kind}_false"], r[f"{kind}_true"] + r[f"{kind}_false"]) for r in rows]
    return float(np.mean([false / max(1, total) for false, total in pairs]))


def shorter_table(by_setting: Tables) -> list[str]:
    """What intervals of the difference after ``fit`` would be worth if they were shorter."""
    rows = _and_all(by_setting)["**all**"]
    lines = [
        "| variance, as a share of the corrected one | covers | covers the table's own | false | "
        "found |",
        "|---|---:|---:|---:|---:|",
    ]
    for share in SHARES:
        held, own, false, found, there = [], [], [], [], 0
        for r in rows:
            mean, low, high, true = r["difference"]
            reach, this = np.sqrt(share) * (high - low) / 2, r["truth"] - r["truth_all"]
            held.append(abs(mean - true) <= reach)
            own.append(abs(mean - this) <= reach)
            sign = np.sign(mean) if abs(mean) > reach else 0
            false.append(sign != 0 and sign * true <= 0)
            there += abs(true) > POINT
            found.append(abs(true) > POINT and sign == np.sign(true))
        lines.append(
            f"| {share:.2f} | {np.mean(held):.0%} | {np.mean(own):.0%} | {sum(false)} | "
            f"{sum(found)} of {there} |"
        )
    return lines


def p_sentences(rows: list[dict[str, Any]]) -> list[str]:
    """P values where there is nothing to find, and where there is much."""
    p = _noise_p(rows)
    signal = [r["p"] for r in rows if _is(r, "permutation", "strong")]
    labels = [r["p"] for r in rows if r["kind"] == "labels"]
    return [
        f"{len(p)} permutation tests (19 permutations) of forward selection on 100 rows and 20 "
        f"columns of noise: mean p {p.mean():.2f}, .05 or less in {np.mean(p < 0.051):.1%} (5 % "
        f"is right; standard error {100 * np.sqrt(0.0475 / len(p)):.1f} points), .25 or less in "
        f"{np.mean(p < 0.251):.0%}, .5 or less in {np.mean(p < 0.501):.0%}; test of uniformity "
        f"over the 20 possible values: p = {_uniformity(p):.2g}.",
        f"On a signal the p value was .05, the smallest possible, in "
        f"{sum(q < 0.051 for q in signal)} of {len(signal)} tables; with groups of one label "
        f"each and 39 permutations at most .05 in {sum(q < 0.051 for q in labels)} of "
        f"{len(labels)}.",
    ]


def _noise_p(rows: list[dict[str, Any]]) -> Floats:
    return np.array([r["p"] for r in rows if _is(r, "permutation", "noise")])


def _uniformity(p: Floats) -> float:
    """Return the p value that p values of 19 permutations are uniform over .05, .10, ..., 1."""
    counts = np.bincount(np.rint(20 * p).astype(int) - 1, minlength=20)
    return float(stats.chisquare(counts).pvalue)


def words_table(by_setting: Tables, rows: list[dict[str, Any]]) -> list[str]:
    """What was said before, and what is said now, each with what this run measured."""
    tables = _and_all(by_setting)["**all**"]
    undecided = sum(r["verdict"] == "undecided" for r in tables)
    seeds = Counter(r["verdict"] for r in rows if r["kind"] == "wdbc")
    p = [r["p"] for r in rows if r["kind"] == "wdbc"]
    noise, small = by_setting["noise"], by_setting["small"]
    empty = sum(r["kept"] == 0 for r in noise)
    losses = [loss for r in tables for loss in r["stand_ins"]]
    irrelevant = sum(r["evidence_false"] for r in tables)
    real = irrelevant + sum(r["evidence_true"] for r in tables)
    winners = [r["winner"] for r in rows if r["kind"] == "compare"]
    labels = [r["p"] for r in rows if r["kind"] == "labels"]
    covered = _cell(small, "replayed").split(" | ")[1]
    told = ", ".join(f"{count} {verdict}" for verdict, count in seeds.most_common())
    said = [
        ('"Undecided" in 355 of 364 tables; three verdicts of twelve seeds on wdbc',
         f"undecided after `fit` in {undecided} of {len(tables)} tables, and then the number of "
         f"rows that would decide is given; twelve seeds on wdbc: {told} (p {min(p):.2g} to "
         f"{max(p):.2g})"),
        ('"Corrected score" after `fit`: 0.967 on noise, intervals beyond 1',
         f"the honest score of the whole procedure: on noise {_mean(noise, 'honest', 0):.3f} "
         f"(truth {_mean(noise, 'honest', 3):.3f}); intervals end where the metric does; the "
         'number from replays is called "replayed"'),
        ("a replayed interval of 95 % that covers .85 to .89 on 60 rows",
         f"covers {covered} of the {len(small)} tables of 60 rows"),
        ('"Votes 100 %", of features that were false in 54 to 61 %; 11.5 features kept on noise',
         f"votes are counts; `result_.evidence` has probabilities, and of {real} features from "
         f".95 on {irrelevant} were irrelevant; on noise nothing was kept in {empty} of "
         f"{len(noise)} tables"),
        ('"x4 can replace x1": 24 % of such sentences lost more than a point',
         f"half of the folds chooses stand-ins and the other half judges them; {len(losses)} were "
         f"named in {len(tables)} tables, and {sum(loss > POINT for loss in losses)} of them lose "
         "more than a point on new rows"),
        ('"so other features may serve as well as these" at low stability',
         "only where no single feature is in nearly all folds (a test of the report holds it)"),
        ('`compare`: "sffs wins" on noise, in 3 of 4 tables',
         f"a winner in {sum(winners)} of {len(winners)} tables of noise (100 × 12, three "
         "searches); p values are corrected (Holm)"),
        ("permutation test with groups of one label: p = 1.0 for a strong signal",
         f"groups exchange their labels: p {min(labels):.3f} to {max(labels):.3f} in "
         f"{len(labels)} tables"),
        ('"no method was significantly more accurate" of 86 near-copies',
         "the sentence is gone; the {doc}`study` compares a few methods with all features by a "
         "hierarchical model, and counts families of tables once"),
    ]  # fmt: skip
    return ["| it said | now |", "|---|---|", *(f"| {before} | {now} |" for before, now in said)]


def conclusions(by_setting: Tables, rows: list[dict[str, Any]]) -> list[str]:
    """Return what was aimed at beside what was measured, what is missed in bold."""
    tables = _and_all(by_setting)["**all**"]
    lines = ["| what | aim | measured | |", "|---|---|---|---|"]
    for what, name in NUMBERS.items():
        bias, error, covered = _judged(tables, what)
        worst = max(by_setting, key=lambda s: abs(_judged(by_setting[s], what)[0]))
        off = f"largest in *{worst}*: {_cell(by_setting[worst], what).split(' | ')[0]}"
        told = f"{bias:+.3f} ± {error:.3f} over all settings ({off})"
        lines.append(_line(f"{name}: bias", f"at most {BIAS}", told, abs(bias) <= BIAS))
        told, low, high = f"{covered:.1%} of {sum(what in r for r in tables)}", *COVERED
        aim = f"{low:.0%} to {high:.0%}"
        lines.append(_line(f"{name}: coverage", aim, told, low <= round(covered, 2) <= high))
    for key, name in (("verdict", "after `fit`"), ("nested_verdict", "`validate`")):
        false = sum(_is_false(r[key], r["gains"][key != "verdict"]) for r in tables)
        said = sum(r[key] not in ("undecided", "equal") for r in tables)
        told = f"{false} of {said} in {len(tables)} tables"
        few = false <= FALSE_REAL * len(tables)
        lines.append(_line(f"false verdicts, {name}", f"{FALSE_REAL:.0%} of tables", told, few))
    for kind, name, most in (
        ("evidence", "false among features that are real at .95", FALSE_REAL),
        ("knockoffs", "false among knockoffs at 10 %", FALSE_KNOCKOFFS),
    ):
        false_share = _false_share(tables, kind)
        told = f"{false_share:.1%} (mean over tables)"
        lines.append(_line(name, f"at most {most:.0%}", told, false_share <= most))
    noise = [r["kept"] == 0 for r in by_setting["noise"]]
    told = f"{sum(noise)} of {len(noise)} tables"
    aim = f"{NONE_KEPT:.0%} of tables"
    lines.append(_line("nothing kept on noise", aim, told, float(np.mean(noise)) >= NONE_KEPT))
    p = _uniformity(_noise_p(rows))
    lines.append(_line("p values on noise are uniform", "p ≥ .05", f"p = {p:.2g}", p >= 0.05))
    seeds = Counter(r["verdict"] for r in rows if r["kind"] == "wdbc")
    other = seeds.total() - max(seeds.values())
    told = f"{other} of {seeds.total()}"
    lines.append(_line("verdicts on wdbc that depend on the seed", "at most 1", told, other <= 1))
    return lines


def _line(what: str, aim: str, told: str, met: bool) -> str:
    return f"| {what} | {aim} | {told} | {'met' if met else '**missed**'} |"


def _mean(rows: list[dict[str, Any]], what: str, place: int) -> float:
    return float(np.mean([r[what][place] for r in rows]))


def _is(row: dict[str, Any], kind: str, name: str) -> bool:
    return bool(row["kind"] == kind and row["setting"] == name)


def page(rows: list[dict[str, Any]], relevant: dict[str, int]) -> str:
    """Return the page; ``relevant`` is the number of relevant features of each setting."""
    fit, nested = (
        {(r["setting"], r["seed"]): r for r in rows if r["kind"] == kind}
        for kind in ("fit", "nested")
    )
    tables = [{**nested[key], **row} for key, row in fit.items() if key in nested]
    by_setting = {}
    for name in relevant:
        own = [r for r in tables if r["setting"] == name]
        # What a procedure gains over all features is a property of the setting, not of a table:
        # nothing where no feature is relevant, else the mean.
        gains = tuple(
            float(np.mean([r[f"truth{end}"] - r[f"truth_all{end}"] for r in own]))
            if relevant[name]
            else 0.0
            for end in ("", "_quick")
        )
        by_setting[name] = [_numbers(row, gains) for row in own]  # type: ignore[arg-type]
    each = [len(own) for own in by_setting.values()]
    often = f"{min(each)}" if min(each) == max(each) else f"{min(each)} to {max(each)}"
    minutes = sum(row["seconds"] for row in rows) / 60
    parts = [
        "# Calibration",
        f"Whether the numbers and words that fewest prints are true: {often} tables of each of "
        f"ten settings ({len(tables)} in all), truth on {NEW_ROWS:,} new rows. Written by `python "
        f"-m benchmarks.calibration`; it took {minutes:.0f} minutes of CPU. The methods were "
        "chosen on tables of other seeds. A share of one setting has a standard error of up to "
        f"{100 * np.sqrt(0.25 / min(each)):.0f} points; a coverage of 95 % over all settings one "
        f"of {100 * np.sqrt(0.0475 / len(tables)):.1f}.",
        "\n".join(conclusions(by_setting, rows)),
        f"A true difference of more than {POINT} is found (*better* or *worse*) in "
        f"{found(by_setting, 'verdict', 0)} after `fit` and in "
        f"{found(by_setting, 'nested_verdict', 1)} by `validate`. Elsewhere the verdict is *not "
        "worse* or *undecided*, the latter with the number of rows that would decide.",
        "## Scores\n\nHonest score, all features and difference are what `SubsetSelector().fit` "
        "reports. `validate` judges forward selection for naive Bayes (linear regression for "
        "numbers) with five folds by its default scheme, and the replayed score is that of the "
        "same selection. Bias is the mean of the number minus the truth, with its standard error; "
        "covers is the share of 95 % intervals that hold the truth.",
        "\n".join(numbers_table(by_setting)),
        NOT_FLATTERED,
        "## Verdicts\n\nThe selection against all features. False is a verdict that the true "
        f"difference of the procedure contradicts (within {POINT} is no difference). After "
        "`fit`:",
        "\n".join(verdicts_table(by_setting, "verdict", 0)),
        "By `validate`:",
        "\n".join(verdicts_table(by_setting, "nested_verdict", 1)),
        SHORTER,
        "\n".join(shorter_table(by_setting)),
        "## Features\n\nFalse is the share of irrelevant features, found that of relevant ones.",
        "\n".join(features_table(by_setting, relevant)),
        "## p values",
        "\n\n".join(p_sentences(rows)),
        "## Words, before and after",
        "\n".join(words_table(by_setting, rows)),
    ]
    return "\n\n".join(parts) + "\n"


NOT_FLATTERED = """\
What keeps the honest score from being flattered: random halves of the folds choose the size and
the others judge it (all other folds would choose nearly what all folds do, because they share
training rows); what the choice of the model by `measure="auto"` flatters is estimated by leaving
each fold out of that choice, and taken off; and where the answer is no feature, the class that is
guessed is chosen on half of the rows and judged on the other half. R² is in units of the variance
of all rows. Intervals are wide rather than narrow: repeated folds add no rows, and an accuracy has
at least the error of a share of rows."""
SHORTER = """\
Why there is not more power: intervals of the difference after `fit` with a smaller variance find
more, and hold less. The corrected variance of ten folds is 2.1 times that of the paired losses of
independent rows, which is the first line of this table. Other training rows choose other features,
so that the losses of the rows know too little, and tables of 60 to 300 rows do not decide
differences of a few points."""
