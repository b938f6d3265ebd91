"""docs/study.md: the tables, figures and sentences of the study."""

from __future__ import annotations

from typing import Any

from .methods import JUDGES, MAIN, MODELS
from .rule import MOST_KEPT, leave_one_out
from .sections import (
    budgets,
    consensus_section,
    filters,
    known_relevant,
    models,
    patience,
    per_table,
    safe_section,
    table,
)
from .summary import Row, critical_difference, friedman_p, main_methods, means

HEAD = """# Which search, which choice: a study

Every method selects inside each training half of five times two-fold cross-validation. Its subset
is judged on the other half. *Gain* is the difference in accuracy to all features, in points, mean
over the tables. *Kept* is the share of features in the subset. *Stability* is Nogueira's (1: the
same subset for every half). *Worse* counts the tables on which the subset is significantly worse
than all features. *Rank* is the mean rank by accuracy. *Seconds* is CPU time for one selection.

"Patience 10" stops after ten generations without an improvement and is the default of fewest.
"Significance" is the stopping rule of Inza et al. (2000). "Half-se", "one-se" and "safe" are the
[choice rules](choosing.md); without one, the best subset is taken. "Consensus 20" searches on 20
samples of the rows, "consensus replay" replays the search ten times without a tenth of the rows.

The command `{command}` writes this page. The code and the rows are in `benchmarks/study`. The rows
so far hold {tables} tables, {methods} methods and {evaluations:,.0f} scored subsets, in
{minutes:.0f} CPU minutes. Methods are compared over the tables that all of them have finished.
"""


def page(rows: list[Row], quick: bool, others: list[Row] | None = None) -> str:
    """The page; ``others`` are rows of more tables, on which few methods have finished."""
    command = "python -m benchmarks.study" + (" --quick" if quick else "")
    found = main_methods(rows)
    lines = means(found)
    done = list({row_key(r): r for r in [*(others or []), *rows] if "accuracy" in r}.values())
    parts = [HEAD.format(command=command, **_counts(done))]
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
        "Red methods are beaten by none in both directions.\n",
        patience(found),
        consensus_section(found),
        safe_section(done),
        _left_out(found),
        budgets(rows),
        models(rows, MODELS),
        filters(rows, JUDGES),
        known_relevant(done),
        per_table(found, lines),
    ]
    return "\n".join(part for part in parts if part)


def row_key(row: Row) -> tuple[str, ...]:
    """What tells a row from all others."""
    return tuple(str(row[k]) for k in ("table", "measure", "search", "choose", "judge"))


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


def _left_out(found: dict[str, dict[str, Row]]) -> str:
    """The rule, judged on each table after it was fitted on the others."""
    told = leave_one_out(found)
    picks = sorted(set(told["picks"].values()))
    return (
        "## The rule, leaving one table out\n\n"
        "For every table the rule takes the method with the largest gain on the other tables of "
        f"its kind (below or from 500 rows) that keeps at most {MOST_KEPT:.2f} of the features "
        f"there. Its picks are then worth {told['gain']:+.1f} points with {told['share']:.2f} of "
        f"the features and a stability of {told['stability']:.2f}; worse than all features on "
        f"{told['worse']} tables; mean rank {told['rank']:.1f} among {told['methods']} methods. It "
        f"picked: {', '.join(f'`{p}`' for p in picks)}.\n"
    )
