"""Which search to use when none is named, and why, in one sentence."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass, field
from typing import Any

from ..data.table import Table
from ..measures.advice import PROBES
from ..measures.base import Measure, Scorer
from .base import Search
from .evidence import quoted
from .population import MANY
from .registry import search_class
from .spaces.base import Space

#: At most so many subsets are simply all scored, with a fast measure and with a slow one.
FEW = {True: 2**14, False: 2**8}
#: Up to so many features a criterion of least squares is proven, as a rule within a minute.
PROVABLE = 40
LARGE = 5000
#: A search by generations scores about as many candidates; that may take as many seconds.
SCORED_CANDIDATES, PATIENCE_SECONDS = 20_000, 120.0
#: Operations per second that plans reckon with, on any machine.
OPERATIONS_PER_SECOND = 1e9


@dataclass(frozen=True)
class Recommendation:
    """A search by name, its parameters, and the sentence that says why."""

    name: str
    why: str
    parameters: dict[str, Any] = field(default_factory=dict)


def recommend(
    n_features: int,
    n_rows: int = 1000,
    *,
    monotone: bool = False,
    estimated: bool = True,
    fast: bool = True,
    seconds: float | None = None,
    n_subsets: float | None = None,
    proves_best: bool = False,
    judges_sizes: bool = False,
) -> Recommendation:
    """The search for a problem, from what is known before any work.

    Parameters
    ----------
    n_features : int
        How many features (or groups) are free to be in or out.
    n_rows : int
        How many rows a training sees.
    monotone : bool
        Whether the measure never falls as features are added.
    estimated : bool
        Whether the value is an estimate over folds (a wrapper) and not a fact of the data (a
        filter).
    fast : bool
        Whether thousands of subsets can be scored; see :func:`affords_thousands`.
    seconds : float or None
        The time budget, if there is one.
    n_subsets : float or None
        How many subsets there are, where constraints make them fewer than 2^n.
    proves_best : bool
        Whether the measure can prove its best subset (criteria of least squares).
    judges_sizes : bool
        Whether the number of features is to come from an honest curve, and the measure can rank
        features inside training parts.

    Notes
    -----
    Where an honest curve chooses the number of features, the cross-fitted path: the best of
    thousands of subsets fits the folds. For monotone measures the guidelines of Dash and Liu
    (2003), section 4.6: a complete search if time is no issue, otherwise QBB. For wrappers the
    study in the manual: the marginals of UMDA gain as much as the networks that Inza (2002,
    thesis), section 6.6, recommends, and with votes more than his trees on wide tables. Where
    every subset costs a training, a sequential search. For filters best-first search, as Hall
    (2000) does for CFS: their values carry no noise of folds that a population would even out.

    Examples
    --------
    >>> recommend(34).name
    'umda'
    >>> recommend(34, fast=False).why
    'a subset costs too much for a search that scores thousands, and floating forward selection
    needs few of them'
    """
    count = 2.0 ** min(n_features, 1000) if n_subsets is None else n_subsets
    if monotone:
        return _for_monotone(n_features, seconds)
    if judges_sizes:
        return Recommendation(
            "path", "its curve shows how many features are enough, on rows that no ranking has seen"
        )
    if count <= FEW[fast]:
        return Recommendation("exhaustive", f"all {count:.0f} subsets can be scored")
    if proves_best and n_features <= PROVABLE:
        return Recommendation(
            "exact", "the measure excludes many subsets at once, so the best one can be proven"
        )
    if not estimated:
        return _for_filter(n_features)
    if not fast:
        return _for_slow(n_features, n_rows)
    return _for_fast(n_features)


def _for_monotone(n_features: int, seconds: float | None) -> Recommendation:
    # Up to 64 features the proof needs no OR-Tools.
    if n_features <= 64 or importlib.util.find_spec("ortools") is not None:
        return Recommendation(
            "exact", "the measure is monotone, so the smallest subset can be found and proven"
        )
    return Recommendation(
        "qbb",
        "the measure is monotone, and with many features QBB finds small subsets quickly "
        "(install fewest[exact] for proven ones)",
    )


def _for_filter(n_features: int) -> Recommendation:
    if n_features <= LARGE:
        return Recommendation(
            "best-first", "the measure is a filter, and best-first search leaves its local peaks"
        )
    return Recommendation(
        "sfs", "the measure is a filter and there are very many features: one pass forward"
    )


def _for_slow(n_features: int, n_rows: int) -> Recommendation:
    if n_features <= 50 and n_rows <= 20_000:
        return Recommendation(
            "sffs",
            "a subset costs too much for a search that scores thousands, and floating forward "
            "selection needs few of them",
        )
    return Recommendation(
        "sfs",
        "a subset costs too much for a search that scores thousands, and forward selection needs "
        "the fewest of them",
    )


def _for_fast(n_features: int) -> Recommendation:
    few = "" if n_features <= MANY else ", from a start with few features"
    return Recommendation(
        "umda",
        f"with {n_features} features thousands of subsets can be scored{few}, and no search ranked "
        "significantly better in the study of the manual",
    )


def affords_thousands(operations: float, seconds: float | None = None) -> bool:
    """Return whether thousands of candidates can be scored, from what one of them costs.

    Parameters
    ----------
    operations : float
        Number of operations per candidate; see :attr:`fewest.measures.Scorer.operations`.
    seconds : float or None
        The time budget, if there is one. It is a number that the user gave: no clock is read, so
        that the same data and seed have the same plan on every machine.

    Examples
    --------
    >>> affords_thousands(1e5), affords_thousands(1e8), affords_thousands(1e8, seconds=3600.0)
    (True, False, True)
    """
    budget = PATIENCE_SECONDS if seconds is None else seconds
    return operations * SCORED_CANDIDATES <= budget * OPERATIONS_PER_SECOND


def follows_paths(scorer: Scorer, table: Table) -> bool:
    """Return whether a scorer ranks the features of a table inside training parts."""
    return PROBES in scorer.advises and table.n_targets == 1


def recommend_search(
    measure: Measure,
    n_rows: int,
    space: Space,
    seconds: float | None = None,
    *,
    operations: float = 0.0,
    judges_sizes: bool = False,
) -> tuple[Search, str]:
    """Return the search for a measure and a space, ready to run, and the sentence that says why.

    ``operations`` is what a candidate costs; see :func:`affords_thousands`. ``judges_sizes`` is
    that of :func:`recommend`.
    """
    from .exhaustive import count_candidates

    advice = recommend(
        space.n_units,
        n_rows,
        monotone=measure.monotone,
        estimated=measure.estimator is not None,
        fast=affords_thousands(operations, seconds),
        seconds=seconds,
        n_subsets=float(min(count_candidates(space), 2**62)),
        proves_best=measure.proves_best,
        judges_sizes=judges_sizes,
    )
    search = search_class(advice.name)(**advice.parameters)
    shown = quoted(advice.name, n_rows) if measure.estimator is not None else ""
    return search, f"`{advice.name}` was picked: {advice.why}.{shown}"
