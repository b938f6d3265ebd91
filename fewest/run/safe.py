"""The safe choice: the smallest subset that is not worse than all features, else all of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from ..errors import InputError
from ..measures.base import Scorer
from ..search.better import SAME
from .archive import Archive

#: The level of the one-sided test.
LEVEL = 0.05
LEAST_FOLDS = 3

Floats = NDArray[np.float64]
#: From the gaps to all features (one row per subset, one column per fold) and the costs to a row.
Rule = Callable[[Floats, Floats, float], int | None]


def all_features_row(archive: Archive) -> int | None:
    """The row of all features (all that may be chosen), where they were scored."""
    everything = np.ones((1, archive.space.n_units), dtype=bool)
    identity = archive.space.identities(everything)[0]
    return int(archive.rows([identity])[0]) if identity in archive else None


def score_all_features(archive: Archive, scorer: Scorer) -> None:
    """Add all features to the archive, unless they are there."""
    if archive.space.kind != "subsets":
        raise InputError(
            '`choose="safe"` compares subsets with all features, but the space is of '
            f'{archive.space.kind}: choose "best".'
        )
    if len(archive) and all_features_row(archive) is None:
        everything = np.ones((1, archive.space.n_units), dtype=bool)
        scores = scorer.score(archive.space.expand(everything))
        archive.add(everything, scores, 0, archive.space.identities(everything))


def safe_row(archive: Archive, rows: NDArray[np.intp]) -> int:
    """The smallest subset that is not worse than all features; if there is none, all features.

    Notes
    -----
    A subset is not worse if a one-sided paired t test over the folds, with the correction of
    Nadeau and Bengio (2003), excludes a loss of one standard error of all features or more. The
    smallest of thousands of subsets may pass by luck. So the choice is made again without each
    fold, and must on average not lose on the folds left out. If it does, the best subset is tried
    in the same way, and then all features are kept.
    """
    reference, folds = all_features_row(archive), archive.scores.folds
    if folds is None or folds.shape[1] < LEAST_FOLDS or reference is None:
        raise InputError(
            f'`choose="safe"` needs a measure with at least {LEAST_FOLDS} folds; this one has '
            'fewer or none. Use "best".'
        )
    rows = rows[~np.isnan(folds[rows]).any(axis=1)]
    own = folds[reference]
    gaps, margin = folds[rows] - own, float(own.std(ddof=1) / np.sqrt(len(own)))
    cost = archive.cost[rows]
    for rule in (smallest_not_worse, best_gap):
        found = rule(gaps, cost, margin)
        if found is not None and gap_left_out(rule, gaps, cost, margin) >= -SAME:
            return int(rows[found])
    if archive.feasible[reference]:
        return reference
    # All features are not allowed: then what loses least.
    return int(rows[best_gap(gaps, cost, margin)])


def smallest_not_worse(gaps: Floats, cost: Floats, margin: float) -> int | None:
    """The cheapest subset that the test finds not worse by the margin; of these the best."""
    able = np.flatnonzero(p_loses(gaps, margin) < LEVEL)
    if not len(able):
        return None
    return int(able[np.lexsort((-gaps[able].mean(axis=1), cost[able]))[0]])


def best_gap(gaps: Floats, cost: Floats, margin: float) -> int:
    """The subset that is best on these folds; of equals the cheapest."""
    del margin
    return int(np.lexsort((cost, -np.round(gaps.mean(axis=1), 12)))[0])


def p_loses(gaps: Floats, margin: float) -> Floats:
    """One-sided p values that each subset loses the margin or more to all features.

    >>> p_loses(np.array([[0.0, 0.0, 0.0], [-0.1, 0.1, -0.3]]), 0.01).round(2).tolist()
    [0.0, 0.66]
    """
    k = gaps.shape[1]
    mean = gaps.mean(axis=1) + margin
    error = gaps.std(axis=1, ddof=1) * np.sqrt(1 / k + 1 / (k - 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = mean / error
    t = np.where(error > 0, t, np.where(mean > 0, np.inf, -np.inf))
    return np.asarray(stats.t.sf(t, k - 1))


def gap_left_out(rule: Rule, gaps: Floats, cost: Floats, margin: float) -> float:
    """The mean gap on each fold of what the rule picks by the others; 0 where it picks none."""
    found = []
    for fold in range(gaps.shape[1]):
        row = rule(np.delete(gaps, fold, axis=1), cost, margin)
        found.append(0.0 if row is None else float(gaps[row, fold]))
    return float(np.mean(found))
