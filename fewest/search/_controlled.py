"""Searches with a control against chance: Boruta and knockoffs."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from .._parameters import number, one_of, whole
from ..measures._abilities import IMPORTANCES, KNOCKOFFS
from ..measures._measure import Candidates, Scores
from ._better import Better
from ._questions import Advice
from ._search import Proposals, Search, Verdict
from ._sequential import highest
from ._spaces.space import Space

Mask = NDArray[np.bool_]


@dataclass
class Boruta(Search):
    """Keep every feature that is more important than the best of shuffled copies.

    Parameters
    ----------
    rounds : int
        Largest number of models that are trained.
    alpha : float
        Level of the tests, corrected for the number of features (Bonferroni).
    percentile : float
        Percentile of the importances of the copies that a feature must beat; 100 is the best.
    tentative : "keep", "drop" or "median"
        What happens to features that are undecided after the last round. "median" keeps those
        whose median importance is above the median of the best copies.
    importance : "auto", "model" or "permutation"
        As for :class:`~fewest.search.RFE`.

    Notes
    -----
    Kursa and Rudnicki (2010). In each round the model is trained on the features that are not
    rejected and on one shuffled copy of each. A feature scores a hit where its importance is above
    that of the best copy. Two-sided binomial tests on the hits confirm or reject it. The answer
    are all *relevant* features, also redundant ones, so it is larger than what other searches
    find. Where ``max_features`` or a budget does not allow all of them, those with most hits
    stay. The model should be a forest: ``measure="random-forest"``.

    Examples
    --------
    >>> import fewest
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> data = fewest.load("corral")
    >>> forest = RandomForestClassifier(50, max_depth=5, random_state=0)
    >>> selector = fewest.SubsetSelector(
    ...     forest, search=fewest.search.Boruta(rounds=20), cv=3, random_state=0
    ... ).fit(data.X, data.y)
    >>> "irrelevant" in selector.result_.features
    False
    """

    name: ClassVar[str] = "boruta"
    source: ClassVar[str] = "Kursa and Rudnicki (2010)"
    needs_advice: ClassVar[str] = IMPORTANCES

    rounds: int = whole(100, low=1)
    alpha: float = number(0.01, low=1e-12, high=1.0)
    percentile: float = number(100.0, low=0.0, high=100.0)
    tentative: str = one_of("median", "keep", "drop")
    importance: str = one_of("auto", "model", "permutation")

    def propose_advised(
        self, space: Space, better: Better, rng: np.random.Generator, advice: Advice
    ) -> Proposals:
        """Yield all features first; then the confirmed ones whenever there are more of them."""
        full = np.asarray(highest(space), dtype=bool)
        yield np.array([full, space.repair(full[None].copy(), rng)[0]])
        record = Record(space.n_units)
        while record.round < self.rounds and record.undecided.any() and not record.rejected.all():
            self._round(space, advice, record, rng)
            if record.decide(self.alpha):
                yield fitted(space, record.order(), record.confirmed)[None]
        return (yield from self._answer(space, record))

    def _round(
        self, space: Space, advice: Advice, record: Record, rng: np.random.Generator
    ) -> None:
        """Train once with copies, and note the hits."""
        seed = int(rng.integers(2**31))
        about = {"kind": self.importance, "seed": seed, "shadows": True}
        found = advice.importances([~record.rejected], **about)[0]
        shadows = np.zeros(0) if found.shadows is None else found.shadows
        known = shadows[~np.isnan(shadows)]
        limit = float(np.percentile(known, self.percentile)) if len(known) else np.inf
        record.note(found.values, limit)

    def _answer(self, space: Space, record: Record) -> Generator[Candidates, Scores, Verdict]:
        kept = record.confirmed.copy()
        if self.tentative != "drop":
            kept |= record.undecided & (record.above() if self.tentative == "median" else True)
        answer = fitted(space, record.order(), kept)
        yield answer[None]
        open_left = int(record.undecided.sum())
        return Verdict(
            f"{int(record.confirmed.sum())} confirmed, {int(record.rejected.sum())} rejected, "
            f"{open_left} undecided after {record.round} rounds",
            answer=answer,
        )


class Record:
    """Hits and decisions by unit."""

    def __init__(self, n_units: int) -> None:
        self.hits = np.zeros(n_units, dtype=np.int64)
        self.confirmed, self.rejected = np.zeros((2, n_units), dtype=bool)
        self.history: list[NDArray[np.float64]] = []
        self.limits: list[float] = []

    @property
    def round(self) -> int:
        """Number of rounds so far."""
        return len(self.limits)

    @property
    def undecided(self) -> Mask:
        """Neither confirmed nor rejected."""
        return np.asarray(~self.confirmed & ~self.rejected)

    def note(self, values: NDArray[np.float64], limit: float) -> None:
        """Add one round: the importances, and what had to be beaten."""
        self.hits += (values > limit) & ~self.rejected
        self.history.append(values)
        self.limits.append(limit)

    def decide(self, alpha: float) -> bool:
        """Test the hits; return if a further unit was confirmed."""
        level = alpha / len(self.hits)
        often = binom.sf(self.hits - 1, self.round, 0.5) < level
        seldom = binom.cdf(self.hits, self.round, 0.5) < level
        new, gone = self.undecided & often, self.undecided & seldom
        self.confirmed |= new
        self.rejected |= gone
        return bool(new.any())

    def above(self) -> Mask:
        """Mark the units with a median importance above the median of what had to be beaten."""
        if not self.history:
            return np.zeros(len(self.hits), dtype=bool)
        return np.asarray(np.median(self.history, axis=0) > np.median(self.limits))

    def order(self) -> NDArray[np.intp]:
        """Order the units from the most to the least relevant: by hits, then by mean importance."""
        if not self.history:
            return np.arange(len(self.hits))
        finite = np.where(np.isfinite(self.history), self.history, 0.0)
        return np.lexsort((-finite.mean(axis=0), -self.hits))


def fitted(space: Space, order: NDArray[np.intp], kept: Mask) -> Mask:
    """Return ``kept`` with as little change as the sizes and the budget require, best first."""
    answer = np.zeros(space.n_units, dtype=bool)
    for unit in [*order[kept[order]], *order[~kept[order]]]:
        if not kept[unit] and space.large_enough(answer[None])[0]:
            break
        answer[unit] = True
        answer[unit] = bool(space.small_enough(answer[None])[0])
    if space.feasible(answer[None])[0]:
        return answer
    return np.asarray(space.repair(answer[None], np.random.default_rng(0))[0], dtype=bool)


@dataclass
class Knockoffs(Search):
    """Keep features that beat copies of them, with a bound on the share of false ones.

    Parameters
    ----------
    fdr : float
        The false discovery rate: at most this share of the kept features is irrelevant, on
        average over tables, where the features are about normally distributed.

    Notes
    -----
    Candès et al. (2018), with five copies at once (Gimenez and Zou, 2019), so that two features
    are enough at ``fdr=0.1``; with one copy it takes ten. The copies have the means and
    covariances of the features and do not know the target. A feature scores by its coefficient in
    the lasso beside those of its copies. No feature at all is a possible answer, which
    ``min_features=0`` allows. Only linear effects count.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("wdbc")
    >>> selector = fewest.SubsetSelector(
    ...     "gaussian-nb", search=fewest.search.Knockoffs(fdr=0.2), min_features=0, random_state=0
    ... ).fit(data.X, data.y)
    >>> selector.result_.evaluations
    2
    """

    name: ClassVar[str] = "knockoffs"
    source: ClassVar[str] = "Candès et al. (2018); Gimenez and Zou (2019)"
    needs_advice: ClassVar[str] = IMPORTANCES

    fdr: float = number(0.1, low=0.0, high=1.0)

    def propose_advised(
        self, space: Space, better: Better, rng: np.random.Generator, advice: Advice
    ) -> Proposals:
        """Score all features for comparison, and those that pass."""
        full = np.asarray(highest(space), dtype=bool)
        seed = int(rng.integers(2**31))
        lead = advice.importances([full], kind="knockoffs", seed=seed)[0].values
        lead = np.where(np.isfinite(lead), lead, 0.0)
        passed = _passed(lead, self.fdr)
        answer = fitted(space, np.argsort(-lead, kind="stable"), passed)
        yield np.array([answer, space.repair(full[None].copy(), rng)[0]])
        reason = f"{int(passed.sum())} features beat their knockoffs at a rate of {self.fdr:g}"
        if not passed.any():
            reason = f"no feature beats its knockoffs at a rate of {self.fdr:g}"
        return Verdict(reason, answer=answer)


def _passed(lead: NDArray[np.float64], fdr: float) -> NDArray[np.bool_]:
    """Which features lead their copies by so much that few lose by as much."""
    for limit in np.unique(np.abs(lead[lead != 0.0])):
        lost = (1 + np.count_nonzero(lead <= -limit)) / KNOCKOFFS
        if lost <= fdr * np.count_nonzero(lead >= limit):
            return np.asarray(lead >= limit)
    return np.zeros(len(lead), dtype=bool)
