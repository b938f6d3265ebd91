"""Three lists of section 5.4 of the thesis: in how many networks an independence holds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from .experiment import Cell, mean_std
from .joint import HALF, LISTS, READINGS, RECOVERED
from .paper import Paper

RANKS = "5.4 ranks"


def independences(paper: Paper, cells: list[Cell]) -> list[Cell]:
    """Return counts over the domains, mean and range over the splits, and rank correlations."""
    found: list[Cell] = []
    readings = [cell for cell in cells if cell.table == READINGS]
    for kind, table in LISTS.items():
        for way in (RECOVERED, HALF):
            own = [cell for cell in readings if cell.method == f"{kind}, {way}"]
            if own:
                found += _list(paper, table, way, own)
    return found


def _list(paper: Paper, table: str, way: str, own: list[Cell]) -> list[Cell]:
    listed = list(paper.tables[table]["rows"])
    counts = _counts(own, len(listed))
    cells = []
    for k, name in enumerate(listed):
        low, high = counts[:, k].min(), counts[:, k].max()
        note = f"{low:.0f} to {high:.0f} of {_networks(own, k, len(listed))} networks"
        cells.append(Cell(table, name, way, *mean_std(counts[:, k]), note))
    printed = [paper.figure(table, name, way) for name in listed]
    theirs = np.array([np.nan if figure is None else figure[0] for figure in printed])
    return [*cells, _ranks(table, way, theirs, counts)]


def _counts(own: list[Cell], n: int) -> NDArray[np.float64]:
    """Count the networks with each independence, shape (splits, n)."""
    read = np.stack([np.reshape(cell.each, (-1, n)) for cell in own])
    counts: NDArray[np.float64] = (read == 1.0).sum(axis=0).astype(np.float64)
    return counts


def _networks(own: list[Cell], k: int, n: int) -> int:
    """Count the domains in which something was asked for at all."""
    return sum(bool(np.any(np.reshape(cell.each, (-1, n))[:, k] >= 0.0)) for cell in own)


def _ranks(table: str, way: str, theirs: NDArray[np.float64], counts: NDArray[np.float64]) -> Cell:
    """Return Spearman's correlation of the thesis' counts with the mean counts, also by split."""
    whole = correlation(theirs, counts.mean(axis=0))
    single = [correlation(theirs, one) for one in counts]
    note = (
        f"one split alone: {np.mean(single):.2f} on average, {np.min(single):.2f} to "
        f"{np.max(single):.2f}"
    )
    return Cell(RANKS, table, way, whole, None, note)


def correlation(one: NDArray[np.float64], two: NDArray[np.float64]) -> float:
    """Return Spearman's rank correlation; 0 where one of them is constant.

    >>> correlation(np.array([1.0, 2.0, 3.0]), np.array([10.0, 30.0, 20.0]))
    0.5
    """
    if np.ptp(one) == 0.0 or np.ptp(two) == 0.0:
        return 0.0
    return round(float(spearmanr(one, two).statistic), 10)
