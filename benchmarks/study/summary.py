"""From the rows of the study to means, ranks and critical differences."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
from scipy.stats import friedmanchisquare, rankdata, studentized_range

from benchmarks.study.evaluate import method_of
from benchmarks.study.methods import FILTERS, MAIN, TEN

Row = dict[str, Any]
#: Method to table to row.
Found = dict[str, dict[str, Row]]


def gain(row: Row) -> float:
    """The difference in accuracy to all features, in points."""
    return 100.0 * (float(row["accuracy"]) - float(row["all"]))


def share(row: Row) -> float:
    """The share of the features that is kept."""
    return float(row["size"]) / float(row["features"])


def grouped(rows: list[Row], measures: tuple[str, ...], judge: str) -> Found:
    """The rows of these measures, as judged by one classifier."""
    found: Found = defaultdict(dict)
    for row in rows:
        if row["measure"] in measures and row.get("judge") == judge:
            found[method_of(row)][row["table"]] = row
    return dict(found)


def complete(found: Found) -> Found:
    """The methods and tables that make the largest whole comparison: all of these on all of those.

    A method that has finished on few tables would leave only these for all others.
    """
    best: tuple[int, list[str], set[str]] = (0, [], set())
    for least in {len(by_table) for by_table in found.values()}:
        kept = [m for m, by_table in found.items() if len(by_table) >= least]
        shared = set.intersection(*(set(found[m]) for m in kept))
        best = max(best, (len(kept) * len(shared), kept, shared), key=lambda entry: entry[0])
    _, kept, shared = best
    return {m: {t: found[m][t] for t in sorted(shared)} for m in kept}


def main_methods(rows: list[Row]) -> Found:
    """Everything judged by naive Bayes that can be compared: searches over it, and filters."""
    return complete(without_budgets(grouped(rows, (MAIN, *FILTERS), MAIN)))


def without_budgets(found: Found) -> Found:
    """Without the methods that end after so many evaluations, but for random search."""
    return {
        m: v for m, v in found.items() if " evaluations" not in m or m.startswith("random, 1000 ")
    }


def on_ten(rows: list[Row]) -> Found:
    """The methods that have finished on all ten tables of the quick version, peers as well."""
    found = without_budgets(grouped(rows, (MAIN, *FILTERS, "peer"), MAIN))
    kept = {m: {t: v[t] for t in sorted(TEN)} for m, v in found.items() if set(TEN) <= set(v)}
    return kept


def mean(by_table: dict[str, Row], what: Any) -> float:
    """The mean over the tables of a function of the row."""
    return float(np.mean([what(row) for row in by_table.values()]))


def means(found: Found) -> list[Row]:
    """One line per method: gain in points, share kept, stability, rank, seconds, losses."""
    ranks = mean_ranks(found)
    lines = [
        {
            "method": method,
            "gain": mean(by_table, gain),
            "share": mean(by_table, share),
            "stability": mean(by_table, lambda r: r["stability"]),
            "rank": ranks[method],
            "worse": sum(r["verdict"] == "worse" for r in by_table.values()),
            "seconds": mean(by_table, lambda r: r["seconds"]) / 10,
        }
        for method, by_table in found.items()
    ]
    return sorted(lines, key=lambda line: line["rank"])


def mean_ranks(found: Found) -> dict[str, float]:
    """The mean rank of each method over the tables, by honest accuracy; 1 is best."""
    names = list(found)
    tables = list(next(iter(found.values())))
    scores = np.array([[found[m][t]["accuracy"] for m in names] for t in tables])
    ranks = np.array([rankdata(-row) for row in scores])
    return dict(zip(names, ranks.mean(axis=0).tolist(), strict=True))


def critical_difference(n_methods: int, n_tables: int, level: float = 0.05) -> float:
    """Mean ranks that differ by less are not significantly different (Nemenyi; Demšar, 2006).

    >>> round(critical_difference(5, 30), 3)
    1.114
    """
    q = studentized_range.ppf(1.0 - level, n_methods, np.inf) / np.sqrt(2.0)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6.0 * n_tables)))


def friedman_p(found: Found) -> float:
    """The p value of Friedman's test that all methods are alike."""
    tables = list(next(iter(found.values())))
    columns = [[found[m][t]["accuracy"] for t in tables] for m in found]
    return float(friedmanchisquare(*columns).pvalue)


def front(lines: list[Row], key: str, high: bool) -> set[str]:
    """The methods that no other beats in both gain and ``key`` (high or low is good)."""
    sign = 1 if high else -1

    def beats(a: Row, b: Row) -> bool:
        more = a["gain"] >= b["gain"] and sign * a[key] >= sign * b[key]
        return more and (a["gain"] > b["gain"] or sign * a[key] > sign * b[key])

    return {b["method"] for b in lines if not any(beats(a, b) for a in lines)}
