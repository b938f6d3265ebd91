"""Boruta: all features that beat shuffled copies of the features."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from ...measures.advice import IMPORTANCES
from ...measures.base import Candidates, Scores
from ...parameters import number, one_of, whole
from ..advice import Advice
from ..base import Proposals, Search, Verdict
from ..better import Better
from ..sequential.steps import highest
from ..spaces.base import Space

Mask = NDArray[np.bool_]


@dataclass
class Boruta(Search):
    """Keep every feature that is more important than the best of shuffled copies.

    Parameters
    ----------
    rounds : int
        How many models are trained at most.
    alpha : float
        The level of the tests, corrected for the number of features (Bonferroni).
    percentile : float
        Which percentile of the importances of the copies a feature must beat; 100 is the best.
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
        """All features first; then the confirmed ones whenever there are more of them."""
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
        told = advice.importances([~record.rejected], kind=self.importance, seed=seed, shadows=True)
        shadows = told[0].shadows
        known = np.zeros(0) if shadows is None else shadows[~np.isnan(shadows)]
        limit = float(np.percentile(known, self.percentile)) if len(known) else np.inf
        record.note(told[0].values, limit)

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
        """How many rounds there were."""
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
        """Test the hits; whether a further unit was confirmed."""
        level = alpha / len(self.hits)
        often = binom.sf(self.hits - 1, self.round, 0.5) < level
        seldom = binom.cdf(self.hits, self.round, 0.5) < level
        new, gone = self.undecided & often, self.undecided & seldom
        self.confirmed |= new
        self.rejected |= gone
        return bool(new.any())

    def above(self) -> Mask:
        """Which units have a median importance above the median of what had to be beaten."""
        if not self.history:
            return np.zeros(len(self.hits), dtype=bool)
        return np.asarray(np.median(self.history, axis=0) > np.median(self.limits))

    def order(self) -> NDArray[np.intp]:
        """Units from the most to the least relevant: by hits, then by mean importance."""
        if not self.history:
            return np.arange(len(self.hits))
        finite = np.where(np.isfinite(self.history), self.history, 0.0)
        return np.lexsort((-finite.mean(axis=0), -self.hits))


def fitted(space: Space, order: NDArray[np.intp], kept: Mask) -> Mask:
    """``kept`` with as little change as the sizes and the budget ask for, best units first."""
    answer = np.zeros(space.n_units, dtype=bool)
    for unit in [*order[kept[order]], *order[~kept[order]]]:
        if not kept[unit] and space.large_enough(answer[None])[0]:
            break
        answer[unit] = True
        answer[unit] = bool(space.small_enough(answer[None])[0])
    if space.feasible(answer[None])[0]:
        return answer
    return np.asarray(space.repair(answer[None], np.random.default_rng(0))[0], dtype=bool)
