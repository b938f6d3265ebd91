"""Choose a search when none is named, say why, and start it again while time is left."""

from __future__ import annotations

import importlib.util
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from .._errors import InputError
from .._parameters import whole
from ..data._table import Table
from ..measures._abilities import PROBES
from ..measures._measure import Candidates, Measure, Scorer, Scores
from ._better import Better
from ._population import MOST_UNITS_AT_HALF
from ._search import LearnedGraph, Proposals, Search, Verdict
from ._search_names import search_class
from ._spaces.space import Space

#: At most so many subsets are simply all scored, with a fast measure and with a slow one.
ENUMERABLE_SUBSETS = {True: 2**14, False: 2**8}
#: Up to so many features a criterion of least squares is proven, as a rule within a minute.
PROVABLE_FEATURES = 40
LARGE_N_FEATURES = 5000
#: A search by generations scores about as many candidates; that may take as many seconds.
SCORED_CANDIDATES, PATIENCE_SECONDS = 20_000, 120.0
#: Operations per second that plans reckon with, on any machine.
OPERATIONS_PER_SECOND = 1e9


@dataclass(frozen=True)
class Recommendation:
    """Hold a search by name, its parameters, and the sentence that says why."""

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
    """Choose the search for a problem from what is known before any work.

    n_features: how many features (or groups) are free to be in or out.
    n_rows: how many rows a training sees.
    monotone: whether the measure never falls as features are added.
    estimated: whether the value is an estimate over folds (a wrapper) and not a fact of the data (a
        filter).
    fast: whether thousands of subsets can be scored; see :func:`affords_thousands`.
    seconds: the time budget, if there is one.
    n_subsets: how many subsets there are, where constraints make them fewer than 2^n.
    proves_best: whether the measure can prove its best subset (criteria of least squares).
    judges_sizes: whether the number of features is to come from an honest curve, and the measure
        can rank features inside training parts.

    Where an honest curve chooses the number of features, the cross-fitted path: the best of
    thousands of subsets fits the folds. For monotone measures the guidelines of Dash and Liu
    (2003), section 4.6: a complete search if time is no issue, otherwise QBB. For wrappers UMDA:
    its marginals gained as much as the networks that Inza (2002, thesis), section 6.6, recommends,
    and with votes more than his trees on wide tables, in a study around naive Bayes. Where
    every subset costs a training, a sequential search. For filters best-first search, as Hall
    (2000) does for CFS: their values carry no noise of folds that a population would even out.
    """
    count = 2.0 ** min(n_features, 1000) if n_subsets is None else n_subsets
    if monotone:
        return _for_monotone(n_features, seconds)
    if judges_sizes:
        return Recommendation(
            "path", "its curve shows how many features are enough, on rows that no ranking has seen"
        )
    if count <= ENUMERABLE_SUBSETS[fast]:
        return Recommendation("exhaustive", f"all {count:.0f} subsets can be scored")
    if proves_best and n_features <= PROVABLE_FEATURES:
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
    if n_features <= LARGE_N_FEATURES:
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
    few = "" if n_features <= MOST_UNITS_AT_HALF else ", from a start with few features"
    return Recommendation(
        "umda",
        f"with {n_features} features thousands of subsets can be scored{few}",
    )


def affords_thousands(operations: float, seconds: float | None = None) -> bool:
    """Return whether thousands of candidates can be scored, from what one of them costs.

    operations: number of operations per candidate; see :attr:`fewest.measures.Scorer.operations`.
    seconds: the time budget, if there is one. It is a number that the user gave: no clock is read,
        so that the same data and seed have the same plan on every machine.

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
    from ._exhaustive import count_candidates

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
    return search, f"`{advice.name}` was picked: {advice.why}."


#: Least features of a problem of large scale (Inza, 2002, section 6.2).
LARGE_SCALE_FEATURES = 50
#: Most features for models of pairs; beyond, they take long to learn (Inza, 2002, section 6.6).
MOST_PAIRWISE_FEATURES = 1000
#: Least seconds for branch and bound.
LEAST_SECONDS_FOR_BRANCHES = 1.0


def guidelines(
    n_features: int,
    *,
    monotone: bool = False,
    seconds: float | None = None,
    needed: int | None = None,
    correlated: bool = True,
) -> Recommendation:
    """Choose the search for a problem by the guidelines of the source documents.

    n_features: how many features (or groups) are free to be in or out: N.
    monotone: whether the measure never falls as features are added.
    seconds: the time budget; None is no limit.
    needed: how many features are needed, M, where that is known.
    correlated: whether features may be correlated with each other.

    Monotone measures: Dash and Liu (2003), section 4.6. Where time is no issue a complete search:
    FocusM where M is small, ABB where N - M is; they cross where as many subsets have at most M
    features as have at least M. Without knowledge of M the paper runs both side by side until one
    ends; ``exact`` gives what either would give. Where time is limited, SetCover if features are
    known not to be correlated, LVF to have small subsets very quickly, otherwise QBB.

    Other measures: Inza (2002, thesis), section 6.2. EBNA for small and medium scale, simpler
    models from 50 features on: TREE, and beyond 1,000 features, where learning pairs takes long
    (section 6.6), BSC if time is limited.
    """
    if monotone and seconds is None:
        return _complete(n_features, needed)
    if monotone:
        return _in_limited_time(seconds or 0.0, correlated)
    if n_features < LARGE_SCALE_FEATURES:
        why = "Bayesian networks are proposed below 50 features (Inza, 2002, section 6.2)"
        return Recommendation("ebna", why)
    if n_features > MOST_PAIRWISE_FEATURES and seconds is not None:
        why = "models of pairs take long beyond 1,000 features (Inza, 2002, sections 6.2 and 6.6)"
        return Recommendation("bsc", why)
    why = "simpler models than Bayesian networks are proposed from 50 features on"
    return Recommendation("tree", f"{why} (Inza, 2002, section 6.2)")


def _complete(n_features: int, needed: int | None) -> Recommendation:
    where = "(Dash and Liu, 2003, section 4.6)"
    if needed is None:
        return Recommendation(
            "exact",
            "time is not limited and the number of features needed is not known: a complete "
            f"search that needs no such knowledge {where}",
        )
    below = sum(comb(n_features, k) for k in range(needed + 1))
    above = sum(comb(n_features, k) for k in range(needed, n_features + 1))
    if below < above:
        why = f"time is not limited and {needed} of {n_features} features needed are few"
        return Recommendation("focus-m", f"{why} {where}")
    why = f"time is not limited and {needed} of {n_features} features needed are many"
    return Recommendation("abb", f"{why} {where}")


def _in_limited_time(seconds: float, correlated: bool) -> Recommendation:
    where = "(Dash and Liu, 2003, section 4.6)"
    if not correlated:
        why = "time is limited and the features are not correlated"
        return Recommendation("set-cover", f"{why} {where}")
    if seconds < LEAST_SECONDS_FOR_BRANCHES:
        why = "there is very little time, and LVF finds small subsets quickly"
        return Recommendation("lvf", f"{why} {where}")
    return Recommendation("qbb", f"time is limited, and QBB is the robust choice {where}")


@dataclass(frozen=True, kw_only=True)
class Guidelines:
    """Choose a search by the guidelines of Dash and Liu, with what is known of the problem.

    needed: how many features are needed, M, where that is known.
    correlated: whether features may be correlated with each other.

    Examples
    --------
    >>> import fewest
    >>> from fewest.search import Guidelines
    >>> data = fewest.load("monks-1")
    >>> search = Guidelines(needed=3)
    >>> selector = fewest.SubsetSelector("inconsistency", search=search).fit(data.X, data.y)
    >>> selector.result_.features
    ['a1', 'a2', 'a5']
    """

    needed: int | None = None
    correlated: bool = True

    def check_parameters(self) -> None:
        """Refuse a number of features that is none."""
        if self.needed is not None and not self.needed >= 1:
            raise InputError(f"`needed` of Guidelines must be at least 1, but is {self.needed!r}.")

    def search(
        self, measure: Measure, space: Space, seconds: float | None = None
    ) -> tuple[Search, str]:
        """Return the search for a measure and a space, and the sentence that says why."""
        self.check_parameters()
        advice = guidelines(
            space.n_units, monotone=measure.monotone, seconds=seconds, needed=self.needed,
            correlated=self.correlated,
        )  # fmt: skip
        return search_class(advice.name)(), f"`{advice.name}` follows the guidelines: {advice.why}."


@dataclass
class Restarts(Search):
    """Start a search by generations again and again, each time with twice the population.

    search: a search by generations.
    patience: a start ends after this many generations without an improvement of its own best value.
    rounds: the search ends after this many starts in a row that found nothing better.

    With a time budget, ``stop="auto"`` runs searches by generations like this, so that the time
    is used. Results and reports go by the name of the search itself.
    """

    source: ClassVar[str] = "restarts with growing populations"
    generational: ClassVar[bool] = True
    ends: ClassVar[bool] = True

    search: Any = None
    patience: int = whole(10, low=1)
    rounds: int = whole(5, low=1)

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name of the search itself."""
        return str(self.search.name)

    @property
    def spaces(self) -> tuple[str, ...]:  # type: ignore[override]
        """Kinds of space that the search itself can handle."""
        return tuple(self.search.spaces)

    def check_parameters(self) -> None:
        """Check the parameters of its own and of the search."""
        super().check_parameters()
        self.search.check_parameters()

    def goal_names(self) -> Sequence[str]:
        goals: Sequence[str] = self.search.goal_names()
        return goals

    def learned_graph(
        self, candidates: Candidates, value: NDArray[np.float64], space: Space
    ) -> LearnedGraph | None:
        found: LearnedGraph | None = self.search.learned_graph(candidates, value, space)
        return found

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """Yield the batches of one start after the other."""
        best, idle, starts = float("nan"), 0, 0
        while idle < self.rounds:
            own = yield from self._start(starts, space, better, rng)
            idle = 0 if better.improves(own, best) else idle + 1
            best = own if better.improves(own, best) else best
            starts += 1
        return Verdict(f"the last {self.rounds} starts found nothing better ({starts} in all)")

    def _start(
        self, number: int, space: Space, better: Better, rng: np.random.Generator
    ) -> Generator[Candidates, Scores, float]:
        """Run one start and return its best value."""
        best, idle = float("nan"), 0
        proposals = self._grown(number).propose(space, better, rng)
        try:
            batch = next(proposals)
            while idle < self.patience:
                scores = yield batch
                own = _best(scores)
                idle = 0 if better.improves(own, best) else idle + 1
                best = own if better.improves(own, best) else best
                batch = proposals.send(scores)
        except StopIteration:
            pass
        finally:
            proposals.close()
        return best

    def _grown(self, number: int) -> Search:
        """Return the search with its population doubled this often, where it has one."""
        grown: Search = clone(self.search)
        if "population" in grown.get_params(deep=False):
            size = getattr(grown, "size", None) or grown.get_params(deep=False)["population"]
            grown.set_params(population=size * 2**number)
        return grown


def _best(scores: Scores) -> float:
    known = scores.value[~np.isnan(scores.value)]
    return float(known.max()) if len(known) else float("nan")
