"""The rule behind the defaults, fitted on all tables but one and judged on that one."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import rankdata, wilcoxon

from benchmarks.study.summary import Found, gain, mean, share

#: The most features that the rule may keep, as a share, on average over the tables it sees.
MOST_KEPT = 0.30
#: What is quoted of tables with fewer rows is told apart.
FEW_ROWS = 500


def fitted(found: Found, tables: list[str], most: float = 1.0) -> str:
    """The method with the largest gain of those that keep at most a share on these tables."""
    seen = {m: {t: by_table[t] for t in tables} for m, by_table in found.items()}
    small = {m: rows for m, rows in seen.items() if mean(rows, share) <= most} or seen
    return max(small, key=lambda m: mean(small[m], gain))


def leave_one_out(found: Found, most: float = 1.0) -> dict[str, Any]:
    """What the rule picks for every table from the others, and what that is worth."""
    tables = list(next(iter(found.values())))
    fixed = {m: rows for m, rows in found.items() if not m.startswith("auto")}
    picks = {
        table: fitted(fixed, [other for other in tables if other != table], most)
        for table in tables
    }
    rows = {table: found[method][table] for table, method in picks.items()}
    names = list(found)
    ranks = []
    for table in tables:
        scores = [found[m][table]["accuracy"] for m in names] + [rows[table]["accuracy"]]
        ranks.append(rankdata(-np.array(scores))[-1])
    return {
        "picks": picks,
        "rows": rows,
        "gain": mean(rows, gain),
        "share": mean(rows, share),
        "stability": mean(rows, lambda r: r["stability"]),
        "worse": sum(r["verdict"] == "worse" for r in rows.values()),
        "rank": float(np.mean(ranks)),
        "methods": len(names),
    }


def duels(found: Found, rows: dict[str, Any]) -> list[dict[str, Any]]:
    """How these rows, one per table, fare against each method: wins, losses, and Wilcoxon's p."""
    lines = []
    for method, others in found.items():
        gaps = np.array([gain(rows[t]) - gain(others[t]) for t in rows])
        lines.append(
            {
                "method": method,
                "difference": float(gaps.mean()),
                "smaller": float(np.mean([share(others[t]) - share(rows[t]) for t in rows])),
                "wins": int((gaps > 0).sum()),
                "losses": int((gaps < 0).sum()),
                "p": 1.0 if not gaps.any() else float(wilcoxon(gaps).pvalue),
            }
        )
    return lines
