"""Choose the answer among the scored subsets."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from .._errors import InputError, brief
from ..measures._measure import Scorer
from ..search._better import SAME_SCORE_TOLERANCE, Better
from ..search._pareto import goal_matrix, knee
from ..search._search import VALUE_AND_COST
from .archive import Archive

#: The level of the one-sided test.
TEST_LEVEL = 0.05
LEAST_FOLDS = 3

Floats = NDArray[np.float64]
#: From the gaps to all features (one row per subset, one column per fold) and the costs to a row.
Rule = Callable[[Floats, Floats, float], int | None]


def all_features_row(archive: Archive) -> int | None:
    """Return the row of all features (all that may be chosen), where they were scored."""
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
    """Return the smallest subset that is not worse than all features, else all features.

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
        if found is not None and gap_left_out(rule, gaps, cost, margin) >= -SAME_SCORE_TOLERANCE:
            return int(rows[found])
    if archive.feasible[reference]:
        return reference
    # All features are not allowed: then what loses least.
    return int(rows[best_gap(gaps, cost, margin)])


def smallest_not_worse(gaps: Floats, cost: Floats, margin: float) -> int | None:
    """Return the cheapest subset that the test finds not worse by the margin; of these the best."""
    able = np.flatnonzero(p_loses(gaps, margin) < TEST_LEVEL)
    if not len(able):
        return None
    return int(able[np.lexsort((-gaps[able].mean(axis=1), cost[able]))[0]])


def best_gap(gaps: Floats, cost: Floats, margin: float) -> int:
    """Return the subset that is best on these folds; of equals the cheapest."""
    del margin
    return int(np.lexsort((cost, -np.round(gaps.mean(axis=1), 12)))[0])


def p_loses(gaps: Floats, margin: float) -> Floats:
    """Return One-sided p values that each subset loses the margin or more to all features.

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
    """Return the mean gap on each fold of what the rule picks by the others; 0 without a pick."""
    found = []
    for fold in range(gaps.shape[1]):
        row = rule(np.delete(gaps, fold, axis=1), cost, margin)
        found.append(0.0 if row is None else float(gaps[row, fold]))
    return float(np.mean(found))


CHOICES = ("fewest", "best", "one-se", "half-se", "safe", "knee")
#: Standard errors by which a smaller subset may be below the best.
STANDARD_ERRORS = {"one-se": 1.0, "half-se": 0.5}


def check_choice(choose: object) -> None:
    """Raise a sentence unless ``choose`` is a choice rule."""
    if isinstance(choose, str) and choose in CHOICES:
        return
    if isinstance(choose, bool) or not isinstance(choose, numbers.Real):
        raise InputError(
            f"`choose` must be one of {', '.join(CHOICES)}, a size (a whole number), or a "
            f"tolerance below 1 (a fraction), but is {brief(choose)}."
        )
    whole = isinstance(choose, numbers.Integral) and int(choose) >= 0
    if not whole and not (0 <= float(choose) < 1):
        raise InputError(
            "`choose` as a number must be a size (a whole number of at least 0) or a tolerance "
            f"between 0 and 1, but is {brief(choose)}."
        )


def choose_row(
    archive: Archive,
    rows: NDArray[np.intp],
    choose: object,
    goals: Sequence[str] = VALUE_AND_COST,
) -> int:
    """Return the row of the archive that a choice rule picks among ``rows``.

    ``"best"`` is the best value, and so is ``"fewest"``, which an honest curve decides where there
    is one; ``"one-se"`` and ``"half-se"`` are the smallest within one
    standard error of it, or half of one; ``"safe"`` is the smallest that is not worse than all
    features (see :func:`fewest._run.choose.safe_row`); a fraction the smallest within that
    tolerance; ``"knee"`` the point of the front of ``goals`` farthest from the line through its
    ends; a whole number the best of that size.
    """
    check_choice(choose)
    space, better = archive.space, Better(archive.space)
    candidates, value = archive.candidates[rows], archive.scores.value[rows]
    best = better.best(candidates, value)
    if choose in ("best", "fewest"):
        return int(rows[best])
    if choose == "safe":
        return safe_row(archive, rows)
    cost = archive.cost[rows]
    if choose == "knee":
        scores = archive.scores.take(rows)
        matrix = goal_matrix(space, np.asarray(candidates), scores, goals)
        return int(rows[knee(matrix)])
    if isinstance(choose, numbers.Integral):
        sizes = archive.size[rows]
        pool = np.flatnonzero(sizes == int(choose))
        if not len(pool):
            raise InputError(
                f"`choose` asks for {choose} features, but no subset of that size was scored; "
                f"sizes run from {sizes.min()} to {sizes.max()}. Set min_features and "
                "max_features to that size."
            )
        return int(rows[pool[better.best(candidates[pool], value[pool])]])
    if isinstance(choose, str):
        slack = STANDARD_ERRORS[choose] * _standard_error(archive, int(rows[best]), choose)
    else:
        slack = float(choose)  # type: ignore[arg-type]
    pool = np.flatnonzero(value >= value[best] - slack - SAME_SCORE_TOLERANCE)
    pool = pool[cost[pool] <= cost[pool].min() + SAME_SCORE_TOLERANCE]
    return int(rows[pool[better.best(candidates[pool], value[pool])]])


def _standard_error(archive: Archive, row: int, choose: str) -> float:
    folds = archive.scores.folds
    if folds is None:
        raise InputError(
            f'`choose="{choose}"` needs a measure with folds; this one has none. Use "best" or a '
            "tolerance."
        )
    return float(folds[row].std(ddof=1) / np.sqrt(folds.shape[1]))


def reaching(archive: Archive, rows: NDArray[np.intp], threshold: float) -> NDArray[np.intp]:
    """Return the cheapest of ``rows`` that reach the threshold of a monotone measure."""
    value = archive.scores.value[rows]
    rows = rows[value >= threshold - SAME_SCORE_TOLERANCE]
    cost = archive.cost[rows]
    return rows[cost <= cost.min() + SAME_SCORE_TOLERANCE] if len(rows) else rows
