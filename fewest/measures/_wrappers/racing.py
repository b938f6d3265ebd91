"""Racing: stop the cross-validation of a subset when it cannot catch up with the best one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from .._measure import Candidates, Scorer, Scores

if TYPE_CHECKING:
    from .cross_validated import RepeatedScorer


Floats = NDArray[np.float64]

#: A subset is dropped where it would catch up with a chance below 1 - this.
CONFIDENCE = 0.999
#: Differences are taken to spread by at least this share of their mean, so that a few folds that
#: agree by accident do not decide; with it at least four folds are needed.
SPREAD = 0.125
#: The goal that tells how many folds of the first repetition were run.
FOLDS_RUN = "folds_run"


def cannot_catch_up(differences: Floats, folds: int) -> bool:
    """Whether the mean over all folds will stay below 0, with a confidence of 99.9 %.

    Parameters
    ----------
    differences : float64 array
        Score minus that of the best subset, on the folds run so far.
    folds : int
        Number of all folds.

    Notes
    -----
    The mean over the folds to come is predicted from those that were run (Student's t; the
    differences are taken to be normal and independent). With f of k folds run, mean m and
    standard deviation s, the mean over all reaches 0 only if t with f - 1 degrees of freedom
    exceeds -m √(f k / (k - f)) / s. The idea is that of Maron and Moore (1994).

    Examples
    --------
    >>> cannot_catch_up(np.array([-0.1, -0.12, -0.09, -0.11]), 10)
    True
    >>> cannot_catch_up(np.array([-0.1, 0.12, -0.09, -0.11]), 10)
    False
    """
    f = len(differences)
    mean = float(differences.mean())
    if f < 2 or f >= folds or not mean < 0.0:
        return False
    spread = max(float(differences.std(ddof=1)), SPREAD * -mean)
    distance = -mean * np.sqrt(f * folds / (folds - f)) / spread
    return bool(distance > stdtrit(f - 1, CONFIDENCE))


class RacedScorer(Scorer):
    """Scores candidates fold by fold, and drops those that cannot catch up with a leader.

    The leader is the best subset before the batch, so that a score does not depend on the order
    or on the number of workers. A dropped candidate gets the value of the leader plus its mean
    difference on the folds that it ran, and such fold values for the others.
    """

    def __init__(self, whole: RepeatedScorer, value: float, folds: Floats) -> None:
        self.whole = whole
        self.value = value
        self.folds = folds
        self.batch, self.prefer = whole.batch, whole.prefer
        self.goal_names = whole.goal_names

    def score(self, candidates: Candidates) -> Scores:
        """The scores; ``goals["folds_run"]`` tells how many folds each ran."""
        return Scores.join([self._one(c) for c in np.asarray(candidates, dtype=bool)])

    def _one(self, candidate: NDArray[np.bool_]) -> Scores:
        if not candidate.any():
            return self.whole.score(candidate[None])
        own, count = np.empty(len(self.folds)), len(self.folds)
        for f in range(count):
            own[f] = self.whole.first_fold(candidate, f)
            behind = own[: f + 1] - self.folds[: f + 1]
            if cannot_catch_up(behind, count):
                own[f + 1 :] = self.folds[f + 1 :] + behind.mean()
                goals = {FOLDS_RUN: np.array([f + 1.0])}
                return Scores(np.array([self.value + behind.mean()]), own[None], goals)
        return self.whole.completed(candidate[None], own[None])


def told_of_race(goals: Mapping[str, Floats], folds: int) -> list[str]:
    """What a result says of a race.

    >>> told_of_race({"folds_run": np.array([4.0, 10.0])}, 10)
    ['Racing dropped 1 of 2 subsets before their last fold: 14 of 20 folds were run. The scores of
    dropped subsets are estimates.']
    """
    run = goals.get(FOLDS_RUN)
    if run is None:
        return []
    dropped = int((run < folds).sum())
    return [
        f"Racing dropped {dropped:,} of {len(run):,} subsets before their last fold: "
        f"{int(run.sum()):,} of {folds * len(run):,} folds were run. The scores of dropped "
        "subsets are estimates."
    ]
