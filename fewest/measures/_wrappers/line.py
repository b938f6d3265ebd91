"""The scoring line: source, statistics, rule, responses and metric, with a referee for doubts."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from copy import copy
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from ...data._table import Table
from .._abilities import Audit
from .._measure import Candidates, Scorer, Scores, short_batch
from .._steps import Steps
from .metrics.metric import Truth
from .paths import ScoringPath, find_path
from .splits import Splits
from .wrapped import WrappedScorer


class LineScorer(Scorer):
    """Scores batches by a rule and a metric; folds in doubt are trained by the referee.

    A fold of a candidate is in doubt where rounding could change the answer for a row, where the
    rule cannot take a feature, or where the fold lacks a class that the metric needs.

    Parameters
    ----------
    path : ScoringPath
        The rule, the metric and the weights; see :func:`~.registry.find_path`.
    referee : WrappedScorer
        Trains the estimator; it also has the table, the folds and the scoring.
    """

    prefer = "threads"

    def __init__(self, path: ScoringPath, referee: WrappedScorer) -> None:
        assert path.metric is not None
        assert path.weights is not None
        table, splits = referee.table, referee.splits
        self.referee, self.metric = referee, path.metric
        self.rule = path.bind(table, splits)
        self.batch = short_batch(self.rule.batch, path.operations)
        self.notes = self.rule.notes
        self.goal_names = self.rule.goal_names
        self.truths = [self._truth(fold, path.weights.test) for fold in range(len(splits))]
        # What a metric is of rows that weigh nothing is for scikit-learn to say.
        self.lacking = np.array(
            [self.metric.lacks(truth) or not truth.weight.sum() > 0.0 for truth in self.truths]
        )
        self.sizes = np.array([len(test) for _, test in splits], dtype=np.float64)
        self.counts = self.metric.name == "accuracy_score" and path.weights.test is None

    def score(self, candidates: Candidates | Steps) -> Scores:
        """Return the fold scores of every candidate; neighbours of one may share its solution."""
        steps = isinstance(candidates, Steps)
        batch: Any = candidates if steps else np.ascontiguousarray(candidates, dtype=bool)
        some = batch.sizes() > 0 if steps else batch.any(axis=1)
        if not some.all():
            return self._with_empty(batch, some)
        counted = self.rule.count(batch) if self.counts else None
        if counted is not None:
            # In the memory by candidates: the order of the sums of their means depends on it.
            folds = np.ascontiguousarray((counted.right / self.sizes[:, None]).T)
            doubts = counted.doubtful.T > 0
        else:
            folds = np.zeros((len(batch), len(self.truths)))
            doubts = np.ones(folds.shape, dtype=bool)
            for fold in np.flatnonzero(~self.lacking).tolist():
                folds[:, fold], doubts[:, fold] = self.rule.judge(
                    fold, batch, self.metric, self.truths[fold]
                )
        doubts[self.rule.source.refused(batch)] = True
        for i in np.flatnonzero(doubts.any(axis=1)):
            open_folds = np.flatnonzero(doubts[i])
            folds[i, open_folds] = self.referee.folds_of(batch[i], open_folds.tolist())
        return Scores(folds.mean(axis=1), folds, {} if counted is None else counted.goals)

    def _with_empty(self, batch: Any, some: NDArray[np.bool_]) -> Scores:
        """Score the empty subset as a dummy; other quantities of it are 0."""
        folds = np.empty((len(batch), len(self.truths)))
        folds[~some] = [self.referee.empty(fold) for fold in range(len(self.truths))]
        goals = {name: np.zeros(len(batch)) for name in self.goal_names}
        if some.any():
            scored = self.score(batch[some])
            assert scored.folds is not None
            folds[some] = scored.folds
            for name, goal in scored.goals.items():
                goals[name][some] = goal
        return Scores(folds.mean(axis=1), folds, goals)

    def score_steps(self, steps: Steps) -> Scores:
        """As :meth:`score`, for neighbours of one candidate."""
        return self.score(steps)

    def folds_of(self, candidate: NDArray[np.bool_], folds: Iterable[int]) -> list[float]:
        """Return the scores of one candidate on some folds; rules that count do so on all."""
        if self.rule.counts_only:
            scored = self.score(candidate[None]).folds
            assert scored is not None
            return [float(scored[0, fold]) for fold in folds]
        alone, refused = candidate[None], self.rule.source.refused(candidate[None])[0]
        found = []
        for fold in folds:
            value, doubtful = np.nan, bool(refused or self.lacking[fold])
            if not doubtful:
                values, doubts = self.rule.judge(fold, alone, self.metric, self.truths[fold])
                value, doubtful = float(values[0]), bool(doubts[0])
            found.append(self.referee.folds_of(candidate, [fold])[0] if doubtful else value)
        return found

    def audit(self, candidates: NDArray[np.bool_]) -> Audit:
        """Compare the fold scores of some candidates with those of the trained estimator."""
        fast = self.score(candidates).folds
        with warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("always")
            trained = self.referee.score(candidates).folds
        assert fast is not None
        assert trained is not None
        early = any(issubclass(one.category, ConvergenceWarning) for one in raised)
        free = np.stack([self._free(fold, candidates) for fold in range(len(self.truths))], axis=1)
        return Audit(fast, trained, self.rule.tolerance(self.metric), early, free)

    def _free(self, fold: int, candidates: NDArray[np.bool_]) -> NDArray[np.bool_]:
        if self.lacking[fold]:
            return np.zeros(len(candidates), dtype=bool)
        return self.rule.free(fold, candidates, self.metric, self.truths[fold])

    def _truth(self, fold: int, weight: NDArray[np.float64] | None) -> Truth:
        table, test = self.referee.table, self.referee.splits[fold][1]
        own = np.ones(len(test)) if weight is None else np.ascontiguousarray(weight[test])
        target = np.ascontiguousarray(table.target[test])
        return Truth(target, own, self.rule.labels(fold), table.n_classes)

    def doubted(self, candidates: Candidates) -> float:
        """Return the share of the folds of these candidates that go to the referee."""
        asked: list[int] = []

        def folds_of(candidate: NDArray[np.bool_], folds: list[int]) -> float:
            asked.extend(folds)
            return 0.0

        watched: Any = copy(self)
        watched.referee = SimpleNamespace(folds_of=folds_of)
        size = int(watched.score(candidates).folds.size)
        return len(asked) / size


def fast_scorer(
    estimator: Any, table: Table, splits: Splits, scoring: Any = None
) -> LineScorer | None:
    """Return the scorer of an estimator on these folds without training; None where it must."""
    path = find_path(estimator, table, scoring, len(splits))
    if not path.fast:
        return None
    return LineScorer(path, WrappedScorer(estimator, table, splits, scoring))
