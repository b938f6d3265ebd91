"""Stand-ins: which features could replace which in the chosen subset."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from .._run.result import Result
from .._run.result_format import StandIn
from ..data._rows import row_blocks
from ..data._sparse_values import SparseValues
from ..data._table import Table
from ..measures._measure import Scorer
from ..search._better import SAME_SCORE_TOLERANCE
from ..search._spaces.subsets import Subsets

#: No more exchanges of one feature for another are scored than this.
MOST_SWAPS = 500
#: Of a wide table fewer: a filter may count each new feature with all others.
MOST_CELLS = 200_000
#: A loss of this share of the unit of the score, or more, must be ruled out at this level.
MARGIN, LEVEL = 0.01, 0.05
#: Half of the folds choose stand-ins and half judge them, so there must be so many.
LEAST_FOLDS = 4
#: So many stand-ins are named for a feature.
MOST_EACH = 3

Floats = NDArray[np.float64]


def find_stand_ins(result: Result, table: Table, scorer: Scorer, space: Subsets) -> list[StandIn]:
    """Return the features that can replace a chosen one, the smallest loss first.

    Exchanges of a chosen feature for another are scored, of the most correlated first, where
    scoring is fast. One half of the folds chooses the stand-ins of each feature, the other half
    judges them: what is best of many by chance is not so again. Groups and features that must be
    in or out stay as they are.

    Returns
    -------
    list of dict
        ``feature``, ``by`` (its stand-in), ``difference`` of the scores on the judging folds, and
        ``redundancy``, the absolute correlation of the two.
    """
    single = np.zeros(table.n_features, dtype=bool)
    single[[unit[0] for unit in space.units if len(unit) == 1]] = True
    # A constant replaces nothing: it only shows that the feature is not needed.
    single[table.constants() & ~result.support] = False
    inside = np.flatnonzero(single & result.support).tolist()
    outside = np.flatnonzero(single & ~result.support)
    if not (inside and len(outside)) or scorer.batch <= 1 or result.partial:
        return []
    alike = redundancy(table, inside)
    # All pairs of a wide table would fill the memory: only those that may be scored are made.
    most = min(MOST_SWAPS, MOST_CELLS // max(1, table.n_features))
    each = max(1, most // max(1, len(inside)))
    near = {j: outside[np.lexsort((outside, -alike[j][outside]))[:each]].tolist() for j in inside}
    pairs = [(j, k) for j in inside for k in near[j]]
    picked, judged = _gaps(result, pairs, scorer)
    found: list[StandIn] = []
    for j in inside:
        rows = [row for row, pair in enumerate(pairs) if pair[0] == j]
        for row in sorted(rows, key=lambda r: (-picked[r], r))[:MOST_EACH]:
            if _small_loss(judged[row], MARGIN * scorer.unit):
                found.append(
                    {
                        "feature": result.names[j],
                        "by": result.names[pairs[row][1]],
                        "difference": round(float(judged[row].mean()), 9),
                        "redundancy": round(float(alike[j][pairs[row][1]]), 4),
                    }
                )
    return sorted(found, key=lambda e: -e["difference"])


def _gaps(result: Result, pairs: list[tuple[int, int]], scorer: Scorer) -> tuple[Floats, Floats]:
    """Return what each exchange changes: the mean of half of the folds, and the judging ones.

    Without folds, or with few of them, the value of the measure is both.
    """
    masks = np.repeat(result.support[None], len(pairs) + 1, axis=0)
    rows = np.arange(1, len(pairs) + 1)
    masks[rows, [j for j, _ in pairs]] = False
    masks[rows, [k for _, k in pairs]] = True
    scores = scorer.score(masks)
    if scores.folds is None or scores.folds.shape[1] < LEAST_FOLDS:
        gaps = scores.value[1:] - scores.value[0]
        return gaps, gaps[:, None]
    gaps = scores.folds[1:] - scores.folds[0]
    return gaps[:, ::2].mean(axis=1), gaps[:, 1::2]


def _small_loss(gaps: Floats, margin: float) -> bool:
    """Return whether a loss of the margin is ruled out, by the test of Nadeau and Bengio."""
    count = len(gaps)
    if count < 2:
        return bool(gaps[0] >= -margin - SAME_SCORE_TOLERANCE)
    error = np.sqrt(gaps.var(ddof=1) * (1 / count + 1 / (2 * count - 1)))
    return bool(
        gaps.mean() - stdtrit(count - 1, 1 - LEVEL) * error >= -margin - SAME_SCORE_TOLERANCE
    )


def redundancy(table: Table, features: list[int]) -> dict[int, Floats]:
    """Correlate these features with every other, in absolute numbers; categories by code.

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
    """Return the same from the stored values of a sparse table, unknown ones as zeros."""
    X = values.csc.copy()
    X.data = np.nan_to_num(X.data)
    n, mean = len(values), np.asarray(X.mean(axis=0)).ravel()
    squares = np.asarray(X.multiply(X).sum(axis=0)).ravel() - n * mean**2
    norms = np.sqrt(np.where(squares > 1e-12, squares, np.inf))
    products = {j: X.T @ np.nan_to_num(values[:, j]) - n * mean * mean[j] for j in features}
    return {j: np.abs(product / (norms * norms[j])) for j, product in products.items()}
