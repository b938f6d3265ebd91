"""docs/study.md: the tables of the study."""

from __future__ import annotations

from typing import Any

from .methods import POPULATION
from .run import MEASURES
from .summary import complete, critical_difference, friedman_p, means

HEAD = """# Which search, which stopping rule: a study

Every method selects inside each training half of five times two-fold cross-validation. Its subset
is judged on the other half. *Gain* is the difference in accuracy to all features, in points, mean
over the tables. *Kept* is the share of features in the subset. *Stability* is Nogueira's (1: the
same subset for every half). *Worse* counts the tables on which the subset is significantly worse
than all features. *Rank* is the mean rank by accuracy.

"Significance" is the stopping rule of Inza et al. (2000): a new generation must beat the best
subset significantly. "Patience 10" stops after ten generations without an improvement, and is the
default of fewest. "One-se" takes the smallest subset within one standard error of the best.

The command `{command}` writes this page. The code and the rows are in `benchmarks/study`.
"""


def page(rows: list[dict[str, Any]], quick: bool) -> str:
    """The page."""
    command = "python -m benchmarks.study" + (" --quick" if quick else "")
    parts = [HEAD.format(command=command)]
    for measure in MEASURES[quick]:
        found = complete(rows, measure)
        if not found or len(found) < 3:
            continue
        tables = list(next(iter(found.values())))
        parts += [f"## {measure}, {len(tables)} tables\n", _table(means(found))]
        parts.append(_patience(found))
        difference = critical_difference(len(found), len(tables))
        parts.append(
            f"Friedman's test that all methods are alike: p = {friedman_p(found):.2g}. Mean ranks "
            f"that differ by less than {difference:.1f} are not significantly different "
            f"(Nemenyi).\n\nTables: {', '.join(tables)}.\n"
        )
    filters = sorted({r["measure"] for r in rows} - set(MEASURES[False]))
    lines = [line for m in filters for line in _filter_lines(rows, m)]
    if lines:
        parts += ["## Filters, judged by naive Bayes\n", _table(lines)]
    return "\n".join(parts)


def _patience(found: dict[str, dict[str, dict[str, Any]]]) -> str:
    """What ten generations of patience change, over the searches that were run with both."""
    lines = {line["method"]: line for line in means(found)}
    pairs = [
        (lines[f"{search}, significance"], lines[f"{search}, patience 10"])
        for search in POPULATION
        if {f"{search}, significance", f"{search}, patience 10"} <= set(lines)
    ]
    before, after = ([pair[i] for pair in pairs] for i in (0, 1))

    def mean(rows: list[dict[str, Any]], key: str) -> float:
        return sum(row[key] for row in rows) / len(rows)

    better = sum(b["gain"] > a["gain"] for a, b in pairs)
    return (
        f"Patience gains more than the significance rule in {better} of {len(pairs)} searches: "
        f"{mean(before, 'gain'):+.1f} becomes {mean(after, 'gain'):+.1f} points, with "
        f"{mean(before, 'share'):.2f} and {mean(after, 'share'):.2f} of the features and a "
        f"stability of {mean(before, 'stability'):.2f} and {mean(after, 'stability'):.2f}.\n"
    )


def _filter_lines(rows: list[dict[str, Any]], measure: str) -> list[dict[str, Any]]:
    found = complete(rows, measure)
    return (
        [{**line, "method": f"{measure}, {line['method']}"} for line in means(found)]
        if found
        else []
    )


def _table(lines: list[dict[str, Any]]) -> str:
    head = "| method | gain | kept | stability | worse | rank | CPU seconds |\n"
    body = "".join(
        f"| {x['method']} | {x['gain']:+.1f} | {x['share']:.2f} | {x['stability']:.2f} "
        f"| {x['worse']} | {x['rank']:.1f} | {x['seconds']:.0f} |\n"
        for x in lines
    )
    return head + "|---|---:|---:|---:|---:|---:|---:|\n" + body
