"""Stand-ins: which features could replace which in the chosen subset."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.blocks import row_blocks
from ..data.sparse_values import SparseValues
from ..data.table import Table
from ..measures.base import Scorer
from ..run.result import Result
from ..search.better import SAME
from ..search.spaces.subsets import Subsets

#: No more exchanges of one feature for another are scored than this.
MOST_SWAPS = 500
#: Of a wide table fewer: a filter may count each new feature with all others.
MOST_CELLS = 200_000
#: A stand-in loses at most so many standard errors; of a measure without folds, this share.
ERRORS, SHARE = 0.5, 0.01
#: So many stand-ins are named for a feature.
MOST_EACH = 3

Floats = NDArray[np.float64]


def find_stand_ins(
    result: Result, table: Table, scorer: Scorer, space: Subsets
) -> list[dict[str, Any]]:
    """The features that can replace a chosen one, the smallest loss first.

    Every exchange of a chosen feature for another is scored, of the most correlated first, where
    scoring is fast; otherwise only exchanges among the kept scored subsets are looked at. Groups
    and features that must be in or out stay as they are.

    Returns
    -------
    list of dict
        ``feature``, ``by`` (its stand-in), ``difference`` of the selection scores, and
        ``redundancy``, the absolute correlation of the two.
    """
    single = np.zeros(table.n_features, dtype=bool)
    single[[unit[0] for unit in space.units if len(unit) == 1]] = True
    # A constant replaces nothing: it only shows that the feature is not needed.
    single[table.constants() & ~result.support] = False
    inside = np.flatnonzero(single & result.support).tolist()
    outside = np.flatnonzero(single & ~result.support)
    alike = redundancy(table, inside)
    # All pairs of a wide table would fill the memory: only those that may be scored are made.
    most = min(MOST_SWAPS, MOST_CELLS // max(1, table.n_features))
    each = max(1, most // max(1, len(inside)))
    pairs = [
        (j, k)
        for j in inside
        for k in outside[np.lexsort((outside, -alike[j][outside]))[:each]].tolist()
    ]
    scored = _scored(result, pairs, scorer, single)
    least = result.score - _slack(result) - SAME
    found: dict[int, list[dict[str, Any]]] = {}
    for (j, k), value in sorted(scored.items(), key=lambda item: (-item[1], item[0])):
        if value >= least and len(found.setdefault(j, [])) < MOST_EACH:
            found[j].append(
                {
                    "feature": result.names[j],
                    "by": result.names[k],
                    "difference": round(value - result.score, 9),
                    "redundancy": round(float(alike[j][k]), 4),
                }
            )
    return sorted((e for own in found.values() for e in own), key=lambda e: -e["difference"])


def _scored(
    result: Result, pairs: list[tuple[int, int]], scorer: Scorer, single: NDArray[np.bool_]
) -> dict[tuple[int, int], float]:
    """The selection scores of the exchanges that are known, or that are scored now."""
    values = _known(result, single)
    new = [pair for pair in pairs if pair not in values]
    if scorer.batch > 1 and not result.partial and new:
        masks = np.repeat(result.support[None], len(new), axis=0)
        rows = np.arange(len(new))
        masks[rows, [j for j, _ in new]] = False
        masks[rows, [k for _, k in new]] = True
        values |= dict(zip(new, scorer.score(masks).value.tolist(), strict=True))
    return values


def _known(result: Result, single: NDArray[np.bool_]) -> dict[tuple[int, int], float]:
    """The exchanges of one single feature for another among the kept scored subsets."""
    chosen = set(np.flatnonzero(result.support).tolist())
    values = {}
    for entry in result.archive:
        gone, come = chosen.difference(entry["features"]), set(entry["features"]) - chosen
        if len(gone) == len(come) == 1 and entry["value"] is not None:
            (j,), (k,) = gone, come
            if single[j] and single[k]:
                values[j, k] = float(entry["value"])
    return values


def _slack(result: Result) -> float:
    if result.folds is None:
        return SHARE * abs(result.score)
    return ERRORS * float(np.std(result.folds, ddof=1)) / float(np.sqrt(len(result.folds)))


def redundancy(table: Table, features: list[int]) -> dict[int, Floats]:
    """The absolute correlation of these features with every other; codes stand for categories.

    >>> from fewest.testing import toy_table
    >>> table = toy_table(n_features=3)
    >>> bool(redundancy(table, [1])[1][1] > 0.999)
    True
    """
    if table.sparse is not None:
        return _sparse_redundancy(table.sparse, features)
    centre = _means(table)
    products, squares = np.zeros((len(features), table.n_features)), np.zeros(table.n_features)
    for rows in row_blocks(table.n_rows):
        centred = np.nan_to_num(table.block(rows) - centre)
        products += centred[:, features].T @ centred
        squares += (centred**2).sum(axis=0)
    norms = np.sqrt(np.where(squares > 0, squares, 1.0))
    return {j: np.abs(p / (norms * norms[j])) for j, p in zip(features, products, strict=True)}


def _means(table: Table) -> Floats:
    """Means of the known values; NaN where there is none."""
    total, known = np.zeros((2, table.n_features))
    for rows in row_blocks(table.n_rows):
        part = table.block(rows)
        total += np.nansum(part, axis=0)
        known += (~np.isnan(part)).sum(axis=0)
    mean: Floats = np.divide(total, known, out=np.full(len(total), np.nan), where=known > 0)
    return mean


def _sparse_redundancy(values: SparseValues, features: list[int]) -> dict[int, Floats]:
    """The same from the stored values of a sparse table, unknown ones as zeros."""
    X = values.csc.copy()
    X.data = np.nan_to_num(X.data)
    n, mean = len(values), np.asarray(X.mean(axis=0)).ravel()
    squares = np.asarray(X.multiply(X).sum(axis=0)).ravel() - n * mean**2
    norms = np.sqrt(np.where(squares > 1e-12, squares, np.inf))
    products = {j: X.T @ np.nan_to_num(values[:, j]) - n * mean * mean[j] for j in features}
    return {j: np.abs(product / (norms * norms[j])) for j, product in products.items()}
