"""docs/study.md: the tables of the study."""

from __future__ import annotations

from typing import Any

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
