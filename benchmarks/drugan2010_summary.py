"""Table 4 of Drugan and Wiering (2010): means, wins and losses of MDL-FS, and ranks."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.stats import rankdata, wilcoxon

KEYS = ("selected", "accuracy", "call")
#: Fewer features are better, more accuracy and more CALL too.
SIGNS = np.array([-1.0, 1.0, 1.0])


def wins_and_losses(rows: list[dict[str, Any]], method: str, classifier: str) -> list[str]:
    """For each figure, on how many data sets MDL-FS wins and loses (Wilcoxon, p < 0.05)."""
    counts = np.zeros((3, 2), dtype=int)
    mine = _each(rows, "mdl-fs", classifier)
    theirs = _each(rows, method, classifier)
    for data in mine:
        for k in range(3):
            gap = SIGNS[k] * (mine[data][:, k] - theirs[data][:, k])
            if _differs(gap):
                counts[k, 0 if gap.mean() > 0 else 1] += 1
    return [f"{win}-{loss}" for win, loss in counts]


def _each(rows: list[dict[str, Any]], method: str, classifier: str) -> dict[str, Any]:
    return {
        row["data"]: np.array(row["each"])
        for row in rows
        if (row["method"], row["classifier"]) == (method, classifier)
    }


def _differs(gap: np.ndarray) -> bool:
    if not gap.any() or len(gap) < 2:
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return bool(wilcoxon(gap).pvalue < 0.05)


def mean_ranks(rows: list[dict[str, Any]], methods: list[str], classifier: str) -> Any:
    """Rank of each method by each figure, averaged over the data sets; 1 is best."""
    tables = [_each(rows, method, classifier) for method in methods]
    ranks = []
    for data in tables[0]:
        means = np.array([table[data].mean(axis=0) for table in tables])
        ranks.append(rankdata(-SIGNS * means, axis=0, method="min"))
    return np.mean(ranks, axis=0)


def summary(rows: list[dict[str, Any]], methods: list[str]) -> list[str]:
    """Lines in print, a line a classifier and method."""
    lines = []
    for classifier in sorted({row["classifier"] for row in rows}):
        ranks = mean_ranks(rows, methods, classifier)
        for method, rank in zip(methods, ranks, strict=True):
            each = _each(rows, method, classifier)
            mean = np.mean([figures.mean(axis=0) for figures in each.values()], axis=0)
            wins = [""] * 3
            if method != "mdl-fs":
                wins = wins_and_losses(rows, method, classifier)
            lines.append(
                f"{classifier:4} {method:14} mean {mean[0]:5.0f} {mean[1]:5.0f} {mean[2]:6.2f}   "
                f"wins of MDL-FS {' '.join(f'{w:>5}' for w in wins)}   "
                f"rank {' '.join(f'{r:5.2f}' for r in rank)}"
            )
    return lines
