"""docs/study.md: the tables, figures and sentences of the study."""

from __future__ import annotations

from typing import Any

from benchmarks.study.methods import JUDGES, MAIN, MODELS
from benchmarks.study.rule import MOST_KEPT, duels, leave_one_out
from benchmarks.study.run import coverage, large_tables
from benchmarks.study.sections import (
    archive_section,
    budgets,
    consensus_section,
    filters,
    known_relevant,
    large_section,
    models,
    patience,
    per_table,
    safe_section,
    table,
    ten_section,
    unfinished,
)
from benchmarks.study.summary import (
    Row,
    critical_difference,
    friedman_p,
    grouped,
    main_methods,
    means,
    on_ten,
)

HEAD = """# Which search, which choice: a study

Every method selects inside each training half of five times two-fold cross-validation. Its subset
is judged on the other half. *Gain* is the difference in accuracy to all features, in points, mean
over the tables. *Kept* is the share of features in the subset. *Stability* is Nogueira's (1: the
same subset for every half). *Worse* counts the tables on which the subset is significantly worse
than all features. *Rank* is the mean rank by accuracy. *Seconds* is CPU time for one selection.

"Patience 10" stops after ten generations without an improvement and is the default of fewest.
"Significance" is the stopping rule of Inza et al. (2000). "Half-se", "one-se" and "safe" are the
[choice rules](choosing.md); without one, the best subset is taken. "Consensus 20" searches on 20
samples of the rows, "consensus replay" replays the search ten times without a tenth of the rows,
"consensus archive" lets the best subsets of all sizes vote that one search has scored. `auto` is
what you get without naming a search: all subsets up to 14 features, `umda` beyond, both with
the votes of the archive.

The command `python -m benchmarks.study` writes this page. The code and the rows are in
`benchmarks/study`. The rows hold {tables} tables, {methods} methods (measures, searches, stops and
choices) and {evaluations:,.0f} scored subsets, in {minutes:.0f} CPU minutes. Methods are compared
over the tables that all of them have finished.
"""


def page(rows: list[Row]) -> str:
    """The page, from all rows."""
    found = main_methods(rows)
    lines = means(found)
    done = [row for row in rows if "accuracy" in row]
    parts = [HEAD.format(**_counts(done))]
    parts += ["## What to use when\n", _advice({line["method"]: line for line in lines})]
    difference = critical_difference(len(found), len(next(iter(found.values()))))
    parts += [
        f"## All methods over {MAIN}\n",
        table(lines),
        "![Mean ranks](_static/study-ranks.svg)\n",
        f"Friedman's test that all methods are alike: p = {friedman_p(found):.2g}. Mean ranks "
        f"that differ by less than {difference:.1f} are not significantly different "
        f"(Nemenyi).\n\nTables: {', '.join(next(iter(found.values())))}.\n",
        "![Gain against size, stability and time](_static/study-pareto.svg)\n",
        "Red methods, named by number, are beaten by none in both directions.\n",
        patience(found),
        consensus_section(grouped(rows, (MAIN,), MAIN)),
        archive_section(found),
        safe_section(done),
        _duels(found),
        _left_out(found, difference),
        ten_section(on_ten(rows)),
        large_section(done, large_tables()),
        budgets(rows),
        models(rows, MODELS),
        filters(rows, JUDGES),
        known_relevant(done),
        per_table(found, lines),
        unfinished(rows, coverage(rows)),
    ]
    return "\n".join(part for part in parts if part)


def _counts(done: list[Row]) -> dict[str, Any]:
    runs = {(r["table"], r["measure"], r["search"]): r for r in done}
    return {
        "tables": len({r["table"] for r in done}),
        "methods": len({(r["measure"], r["search"], r["choose"]) for r in done}),
        "evaluations": sum(10 * r.get("evaluations", 0) for r in runs.values()),
        "minutes": sum(r["seconds"] for r in runs.values()) / 60,
    }


def _advice(lines: dict[str, Row]) -> str:
    """Plain sentences, from the figures of this run."""
    best = max(lines.values(), key=lambda line: line["gain"])
    small = [line for line in lines.values() if line["share"] <= MOST_KEPT]
    stable = max(lines.values(), key=lambda line: line["stability"])
    few = max(small or [best], key=lambda line: line["gain"])
    cheap = min(
        (line for line in lines.values() if line["gain"] >= best["gain"] - 0.5),
        key=lambda line: line["seconds"],
    )
    says = [
        f"The largest gain: {_said(best)}.",
        f"Few features (at most {MOST_KEPT:.2f} of them): {_said(few)}.",
        f"The same features on other rows: {_said(stable)}.",
        f"Little time, within half a point of the largest gain: {_said(cheap)}.",
    ]
    return "\n".join(f"- {text}" for text in says) + "\n"


def _said(line: Row) -> str:
    return (
        f"`{line['method']}`, {line['gain']:+.1f} points with {line['share']:.2f} of the features, "
        f"stability {line['stability']:.2f}, {line['seconds']:.2f} s"
    )


def _left_out(found: dict[str, dict[str, Row]], difference: float) -> str:
    """The rule, judged on each table after it was fitted on the others."""
    parts = [
        "## The rule, leaving one table out\n",
        "For every table the rule takes the fixed method (not `auto`) with the largest gain on all "
        "other tables. It is judged on the table that was left out.\n",
        "| rule | gain | kept | stability | worse | rank | picks |\n"
        "|---|---:|---:|---:|---:|---:|---|",
    ]
    for most, name in ((1.0, "largest gain"), (MOST_KEPT, f"keeps at most {MOST_KEPT:.2f}")):
        told = leave_one_out(found, most)
        picks = ", ".join(f"`{p}`" for p in sorted(set(told["picks"].values())))
        parts.append(
            f"| {name} | {told['gain']:+.1f} | {told['share']:.2f} | {told['stability']:.2f} "
            f"| {told['worse']} | {told['rank']:.1f} of {told['methods']} | {picks} |"
        )
    best = min(line["rank"] for line in means(found))
    parts.append(
        f"\nThe best mean rank of a fixed method, seen afterwards, is {best:.1f}; ranks within "
        f"{difference:.1f} of it are tied.\n"
    )
    return "\n".join(parts)


def _duels(found: dict[str, dict[str, Row]]) -> str:
    """``auto`` against every main method, table by table."""
    if "auto" not in found:
        return ""
    others = {m: rows for m, rows in found.items() if not m.startswith("auto")}
    lines = duels(others, found["auto"])
    body = "".join(
        f"| {x['method']} | {x['difference']:+.2f} | {x['smaller']:+.2f} | {x['wins']} : "
        f"{x['losses']} | {x['p']:.3f} |\n"
        for x in sorted(lines, key=lambda x: x["difference"])
        if not x["method"].endswith(("one-se", "safe"))
    )
    return (
        "## The default against every method\n\nGain of `auto` minus gain of the method in "
        "points, share of features that the method keeps minus that of `auto`, tables won and "
        "lost by `auto`, p of Wilcoxon's test over the tables.\n\n"
        "| method | difference | more features | won : lost | p |\n|---|---:|---:|---:|---:|\n"
        + body
    )
