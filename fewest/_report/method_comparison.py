"""A comparison of methods: numbers, words, charts and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._validation.significance import LEVEL
from .chart import Axis, Chart, Mark, Points, Spans
from .facts import difference_in_words
from .units import Unit, unit

if TYPE_CHECKING:
    from .._validation.comparison import Comparison


Plain = dict[str, Any]

#: How a verdict on a method against all features is marked in the chart.
MARKS = {"better": "+", "worse": "−"}


def summarize_comparison(comparison: Comparison) -> Plain:
    """Return one row per method with its interval and its mark, the best first; all features last.

    The mark is ``+`` or ``−`` where a method differs significantly from all features.
    """
    found = comparison.validations
    first = next(iter(found.values()))
    rows = []
    for row in comparison.table:
        validation = found.get(row["method"])
        scores = first.baseline_scores if validation is None else validation.scores
        low, high = first.interval_of(scores)
        sure = row["p_value"] is not None and row["p_value"] < LEVEL
        mark = MARKS.get(validation.difference.verdict, "") if sure and validation else ""
        rows.append(
            {
                **row,
                "low": low,
                "high": high,
                "mark": mark,
                "folds": scores.tolist(),
                "baseline": validation is None,
            }
        )
    rows.sort(key=lambda r: (r["baseline"], -r["score"], r["size"]))
    pairs = [{"a": a, "b": b, "p": p} for (a, b), p in comparison.p_values.items()]
    return {
        "rows": rows,
        "pairs": pairs,
        "metric": first.metric,
        "scheme": first.scheme,
        "test": first.test,
        "features": int(first.supports.shape[1]),
    }


def comparison_answer(comparison: Comparison) -> Plain:
    """Return which method is best on new data, and whether that is significant."""
    summary = summarize_comparison(comparison)
    methods, words = [r for r in summary["rows"] if not r["baseline"]], unit(summary["metric"])
    best, baseline = methods[0], summary["rows"][-1]
    flattered = [n for n, v in comparison.validations.items() if v.misleading]
    warnings = [_illusions(flattered, methods, words)] if flattered else []
    return {
        "headline": _headline(comparison, best, words),
        "features": [],
        "figures": [
            {
                "value": words.score(best["score"]),
                "label": f"{best['method']}, {words.name} on new data",
                "role": "honest",
            },
            {
                "value": f"{best['size']:.1f} of {summary['features']}",
                "label": "features on average",
                "role": "chosen",
            },
            {
                "value": words.score(baseline["score"]),
                "label": "with all features",
                "role": "all",
            },
        ],
        "sentences": [
            {"label": "", "text": text}
            for text in (*_sentences(comparison, summary, methods), *_twins(comparison))
        ],
        "warnings": warnings,
    }


def _illusions(names: list[str], methods: list[Plain], words: Unit) -> dict[str, str]:
    told = "; ".join(
        f"{m['method']} promised {words.score(m['selection_score'])}, expect "
        f"{words.score(m['accuracy'])}"
        for m in methods
        if m["method"] in names
    )
    return {"title": "Do not believe the selection scores", "text": f"On new data: {told}."}


def _headline(comparison: Comparison, best: Plain, words: Unit) -> str:
    """Who is best, where anybody is."""
    first = comparison.groups[0]
    leader = comparison.validations[first[0]]
    if leader.worthless:
        return "No method is better on new data than guessing without any feature"
    if len(first) == 1:
        return f"{first[0]} is best on new data: {words.score(best['accuracy'])}"
    among = "all methods" if len(first) == len(comparison.validations) else _listed(first)
    return f"No winner: {among} cannot be told apart on new data"


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def _sentences(comparison: Comparison, summary: Plain, methods: list[Plain]) -> list[str]:
    best, words = methods[0], unit(summary["metric"])
    found = comparison.validations[best["method"]].difference
    these, those = f"The features of {best['method']}", f"all {summary['features']} features"
    lines = [difference_in_words(found, words, these, those)]
    groups = comparison.groups
    if len(groups[0]) > 1:
        size = {m["method"]: m["size"] for m in methods}
        fewest = min(groups[0], key=lambda name: size[name])
        lines.append(
            f"{_listed(groups[0])} do not differ significantly on these splits, which does not "
            f"show that they are equal. Of these, {fewest} keeps the fewest features "
            f"({size[fewest]:.1f} on average)."
        )
    lines += [f"Significantly worse than {groups[0][0]}: {_listed(g)}." for g in groups[1:]]
    return lines


def _twins(comparison: Comparison) -> list[str]:
    """Methods that picked the very same subsets: often all of them stopped where they began."""
    told: dict[bytes, list[str]] = {}
    for name, validation in comparison.validations.items():
        told.setdefault(validation.supports.tobytes(), []).append(name)
    return [
        f"{' and '.join(names)} selected the same features in every fold."
        for names in told.values()
        if len(names) > 1
    ]


def comparison_charts(comparison: Comparison) -> list[Chart]:
    """Honest scores with intervals and marks; size against honest score."""
    summary = summarize_comparison(comparison)
    return [methods_chart(summary), trade_chart(summary)]


def methods_chart(summary: Plain) -> Chart:
    """Return the methods with 95 % intervals, their folds, and marks of the test."""
    rows, marks = summary["rows"], list[Mark]()
    for y, row in enumerate(rows):
        role = "all" if row["baseline"] else "honest"
        tips = [f"{row['method']}: fold {i + 1}, {f:.4f}" for i, f in enumerate(row["folds"])]
        marks.append(
            Points(row["folds"], [y] * len(tips), "muted", tips=tips, marker="ring", size=3)
        )
        tip = f"{row['method']}: {row['accuracy']:.4f}, 95 % {row['low']:.4f} to {row['high']:.4f}"
        marks.append(Spans([row["low"]], [y], role, tips=[tip], high=[row["high"]]))
        marks.append(Points([row["score"]], [y], role, tips=[tip], size=6))
        if row["selection_score"] is not None:
            tip = f"{row['method']}: selection score {row['selection_score']:.4f}"
            marks.append(
                Points(
                    [row["selection_score"]], [y], "selection", tips=[tip], marker="ring", size=6
                )
            )
    names = [f"{row['method']} {row['mark']}".strip() for row in rows]
    return Chart(
        "methods",
        "The methods on new data",
        "Dots are means, bars 95 % intervals, small rings the external folds, large rings the "
        "optimistic selection scores. + and − mark methods that are significantly better or worse "
        f"than all features ({summary['test']}, p < {LEVEL}).",
        Axis(summary["metric"]),
        Axis(categories=names),
        marks,
    )


def trade_chart(summary: Plain) -> Chart:
    """Honest score against the mean number of features."""
    marks: list[Mark] = []
    # Methods at the same place share a dot and its words.
    places: dict[tuple[float, float], list[Plain]] = {}
    for row in summary["rows"]:
        places.setdefault((row["size"], row["score"]), []).append(row)
    for (size, accuracy), rows in places.items():
        names = ", ".join(row["method"] for row in rows)
        tip = f"{names}: {size:.1f} features, {accuracy:.4f}"
        role = "all" if rows[0]["baseline"] else "honest"
        marks.append(Points([size], [accuracy], role, tips=[tip], size=6, words=[names]))
    return Chart(
        "trade",
        "Features against worth",
        "Mean number of features against the honest score: upper left is best.",
        Axis("mean number of features"),
        Axis(summary["metric"]),
        marks,
    )


def comparison_tables(comparison: Comparison) -> list[Plain]:
    """Return the methods, and the tests between every two."""
    summary = summarize_comparison(comparison)
    head = [
        "method",
        f"honest {summary['metric']}",
        "std",
        "selection score",
        "features",
        "stability",
        "p against all",
    ]
    rows = [
        [
            r["method"],
            _cell(r["score"]),
            _cell(r["std"]),
            _cell(r["selection_score"]),
            f"{r['size']:.1f}",
            f"{r['stability']:.2f}",
            _p_cell(r["p_value"]),
        ]
        for r in summary["rows"]
    ]
    tables = [{"title": "The methods", "note": "", "head": head, "rows": rows}]
    if summary["pairs"]:
        pairs = [[f"{q['a']} against {q['b']}", _p_cell(q["p"])] for q in summary["pairs"]]
        note = (
            f"{summary['test']} on the same splits, corrected for the number of pairs (Holm); "
            f"below {LEVEL} is significant."
        )
        tables.append(
            {"title": "Tests between methods", "note": note, "head": ["pair", "p"], "rows": pairs}
        )
    return tables


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _p_cell(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
