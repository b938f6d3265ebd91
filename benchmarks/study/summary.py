"""From the rows of the study to means, ranks and critical differences."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
from scipy.stats import friedmanchisquare, rankdata, studentized_range

Row = dict[str, Any]


def complete(rows: list[Row], measure: str) -> dict[str, dict[str, Row]]:
    """Method to table to row, over the tables that every method has finished."""
    found: dict[str, dict[str, Row]] = defaultdict(dict)
    for row in rows:
        if row["measure"] == measure and "accuracy" in row:
            found[row["method"]][row["table"]] = row
    shared = set.intersection(*(set(by_table) for by_table in found.values())) if found else set()
    return {m: {t: by_table[t] for t in sorted(shared)} for m, by_table in found.items()}


def means(by_method: dict[str, dict[str, Row]]) -> list[Row]:
    """One line per method: gain in points, share kept, stability, rank, seconds, losses."""
    ranks = mean_ranks(by_method)
    lines = []
    for method, by_table in by_method.items():
        rows = list(by_table.values())
        lines.append(
            {
                "method": method,
                "gain": 100.0 * float(np.mean([r["accuracy"] - r["all"] for r in rows])),
                "share": float(np.mean([r["size"] / r["features"] for r in rows])),
                "stability": float(np.mean([r["stability"] for r in rows])),
                "rank": ranks[method],
                "worse": sum(r["verdict"] == "worse" for r in rows),
                "seconds": float(np.sum([r["seconds"] for r in rows])),
            }
        )
    return sorted(lines, key=lambda line: line["rank"])


def mean_ranks(by_method: dict[str, dict[str, Row]]) -> dict[str, float]:
    """The mean rank of each method over the tables, by honest accuracy; 1 is best."""
    names = list(by_method)
    tables = list(next(iter(by_method.values())))
    scores = np.array([[by_method[m][t]["accuracy"] for m in names] for t in tables])
    ranks = np.array([rankdata(-row) for row in scores])
    return dict(zip(names, ranks.mean(axis=0).tolist(), strict=True))


def critical_difference(n_methods: int, n_tables: int, level: float = 0.05) -> float:
    """Mean ranks that differ by less are not significantly different (Nemenyi; Demšar, 2006).

    >>> round(critical_difference(5, 30), 3)
    1.114
    """
    q = studentized_range.ppf(1.0 - level, n_methods, np.inf) / np.sqrt(2.0)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6.0 * n_tables)))


def friedman_p(by_method: dict[str, dict[str, Row]]) -> float:
    """The p value of Friedman's test that all methods are alike."""
    tables = list(next(iter(by_method.values())))
    columns = [[by_method[m][t]["accuracy"] for t in tables] for m in by_method]
    return float(friedmanchisquare(*columns).pvalue)
