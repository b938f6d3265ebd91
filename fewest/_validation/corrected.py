"""The corrected score: the whole search again on part of the rows, judged on the other rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from .._errors import InputError
from .._fitting.consensus import ConsensusPlan
from .._fitting.plan import Plan, make_problem
from .._fitting.requests import given_metadata
from .._parameters import seed_of
from .._run.result_format import CorrectedFigures
from .._run.stop_rules import Evaluations, Seconds, Stop, StopKind
from ..data._feature_names import Features
from ..measures._wrappers.cross_validated import RepeatedScorer
from ..measures._wrappers.splits import pooled_r2
from .schemes import external_splits, metric_name, own_scoring, within_range
from .significance import Difference, Overlap, Split, difference, interval, share_error

#: Into how many parts the rows are cut; each is left out once.
REPLAYS = 10
#: Degrees of freedom of an interval, however few rows a part has.
LEAST_FREEDOM = 3
#: Where whole folds are left out, there must be so many of them.
LEAST_FOLDS, MOST_FOLDS = 3, 20


class NoReplayError(InputError):
    """Error of a scorer that cannot leave rows out without training its models again."""


@dataclass
class Corrected:
    """Selection score that is corrected for the search.

    Attributes
    ----------
    score : float
        The mean over the parts left out.
    scores : list of float, one per part
    optimism : float
        The selection score minus the corrected score.
    replayed : "search" or "hits"
        Whether the search was run again with or without training its models on the rows kept.
    share : float
        Rows left out over rows kept, in each replay.
    all_scores : list of float or None
        The scores of all features on the same parts.
    metric : str or None
        What the scores are.
    rows : int or None
        How many rows are in a part.

    Notes
    -----
    The interval of ten parts of six rows covers too seldom with nine degrees of freedom (92 % in
    simulations). There are no more of them than rows in a part. Stratified parts hide how uncertain
    the class frequencies are, so the error of an accuracy is at least that of a share of rows.
    """

    score: float
    scores: list[float]
    optimism: float
    replayed: str
    share: float
    all_scores: list[float] | None = None
    metric: str | None = None
    rows: int | None = None

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the corrected score, within the range of the metric."""
        freedom, least = None, 0.0
        if self.rows is not None:
            freedom = max(LEAST_FREEDOM, self.rows)
            least = share_error(self.score, self.rows * len(self.scores), self.metric)
        found = interval(self.scores, Overlap(self.share), freedom, least)
        return within_range(self.metric, *found)

    @property
    def difference(self) -> Difference | None:
        """Return the difference to all features, where they were judged too."""
        if self.all_scores is None:
            return None
        return difference(self.scores, self.all_scores, Overlap(self.share))

    def to_dict(self) -> CorrectedFigures:
        """Return plain data, ready for JSON."""
        return cast(CorrectedFigures, {**asdict(self), "interval": list(self.interval)})

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Corrected:
        """Return a corrected score from the plain data of a result."""
        return cls(**{f.name: plain[f.name] for f in fields(cls) if f.name in plain})


def corrected_score(
    selector: Any,
    X: Any,
    y: Any,
    *,
    replays: int = REPLAYS,
    keep_models: bool = False,
    nominal: Features | None = None,
    task: str | None = None,
    **metadata: Any,
) -> Corrected:
    """Correct the selection score of a fitted selector by replaying its search.

    Parameters
    ----------
    selector : fitted SubsetSelector
        Its ``result_.corrected`` is set as well.
    X, y, nominal, task, **metadata : what it was fitted with
    replays : int, default=10
        The rows are cut into so many parts, and each is left out once: 10 keeps 90 % of the
        rows in each replay, 5 keeps 80 %.
    keep_models : bool, default=False
        Whether the fold models stay as they are, also those that were trained on rows left out.
        Then a replay sees only other hits, and rows left out leak into the search through the
        models: on noise this makes the score too high by up to 0.06.

    Notes
    -----
    In each replay the same search, from the same seed and over the same folds, sees the rows
    kept; its answer is judged on the rows left out, by the fold models that predict them. It is
    made for measures whose models are trained for all subsets at once (see ``fast`` of
    :class:`fewest.measures.CrossValidated`), so that leaving rows out costs nothing.

    Scores that are no share of rows, such as the area under the ROC curve, leave out whole folds.
    Where subsets have to be scored by training the estimator, there is no replay: use
    :func:`fewest.validate`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import fewest
    >>> X, y = load_iris(return_X_y=True)
    >>> selector = fewest.SubsetSelector("naive-bayes", search="sfs", random_state=0).fit(X, y)
    >>> corrected = fewest.corrected_score(selector, X, y)
    >>> corrected.replayed, round(corrected.score, 2)
    ('search', 0.95)
    """
    check_is_fitted(selector, "result_")
    result = selector.result_
    fresh = clone(selector).set_params(random_state=result.seed, journal=None, verbose=0)
    problem = make_problem(
        X, y, fresh.measure, cv=fresh.cv, scoring=fresh.scoring, nominal=nominal,
        metadata=given_metadata(fresh, metadata), task=task,
    )  # fmt: skip
    if problem.table.fingerprint != result.settings["data"]:
        raise InputError(
            "`X` and `y` must be the data that `selector` was fitted with, but differ."
        )
    plan = fresh.plan(problem)
    plan = replace(plan, rules=without_clock(plan.rules, result.evaluations))
    found = replay_search(plan, replays, seed=result.seed, keep_models=keep_models)
    if found is None:
        raise NoReplayError(
            f"The measure `{result.measure}` cannot be replayed: its models are trained for every "
            "subset, or it has no folds. Use fewest.validate."
        )
    metric = metric_name(own_scoring(fresh, problem.measure), problem.table)
    optimism = result.score - found["score"]
    corrected = Corrected.from_dict({**found, "optimism": optimism, "metric": metric})
    selector.result_ = replace(result, corrected=corrected.to_dict())
    return corrected


def replay_search(
    plan: Plan, replays: int = REPLAYS, *, seed: Any = 0, keep_models: bool = False
) -> dict[str, Any] | None:
    """Replay the search without each part of the rows; None where the scorer cannot."""
    every = np.ones(plan.table.n_rows, dtype=bool)
    # In time, a part that is left out would be judged by rows that are later.
    if "time" in plan.table.metadata or plan.scorer.on_rows(every) is None:
        return None
    parts = _parts(plan, replays, np.random.default_rng([seed_of(seed), 1]))
    if parts is None:
        return None
    both = [_replay(plan, _mask(left, plan.table.n_rows), keep_models) for _, left in parts]
    pairs, scorer = np.array(both).T, plan.scorer
    if isinstance(scorer, RepeatedScorer):
        pairs = pooled_r2(pairs, scorer.measure.scoring, plan.table, parts)
    scores, everything = pairs.tolist()
    share, replayed = Overlap.of(parts).share, "hits" if keep_models else "search"
    return {
        "replayed": replayed, "score": float(np.mean(scores)), "scores": scores, "share": share,
        "all_scores": everything, "rows": min(len(left) for _, left in parts),
    }  # fmt: skip


def _parts(plan: Plan, replays: int, rng: np.random.Generator) -> list[Split] | None:
    """Rows to keep and rows to leave out, in each replay.

    A score that is no share of rows needs many rows at once: then whole folds are left out,
    where there are neither too few nor too many of them.
    """
    scorer = plan.scorer
    if not isinstance(scorer, RepeatedScorer) or scorer.counts_rows:
        return external_splits(f"1x{replays}cv", plan.table, rng)
    if not LEAST_FOLDS <= len(scorer.splits) <= MOST_FOLDS:
        return None
    every = np.arange(plan.table.n_rows)
    return [(np.setdiff1d(every, test), test) for _, test in scorer.splits]


def _replay(plan: Plan, left: NDArray[np.bool_], keep_models: bool) -> tuple[float, float]:
    """Score, on the rows left out, what the search finds on the others, and all features."""
    judge = plan.scorer.on_rows(left)
    assert judge is not None
    replayed = _without(plan, left, keep_models)
    outcome = replayed.run()
    if outcome.reason.kind is StopKind.INTERRUPT:
        raise KeyboardInterrupt
    subset = replayed.chosen(outcome)
    allowed = np.ones_like(subset)
    allowed[list(getattr(plan.space, "exclude", ()))] = False
    subsets = np.array([subset, allowed])
    if isinstance(judge, RepeatedScorer) and judge.counts_rows:
        own, everything = judge.mean_over_rows(subsets)
    else:
        if isinstance(judge, RepeatedScorer):
            judge = RepeatedScorer(judge.measure, judge.table, judge.parts[:1])
        own, everything = judge.score(subsets).value
    return float(own), float(everything)


def _without(plan: Plan, left: NDArray[np.bool_], keep_models: bool) -> Plan:
    """Return the plan on the rows kept; resamples of a consensus are drawn from these."""
    if isinstance(plan, ConsensusPlan):
        return plan.on_table(plan.table.take(np.flatnonzero(~left)))
    scorer = plan.scorer.on_rows(~left, None if keep_models else ~left)
    assert scorer is not None
    return replace(plan, scorer=scorer)


def without_clock(rules: tuple[Stop, ...], evaluations: int) -> tuple[Stop, ...]:
    """Put the number of subsets in place of a time budget, so that replays are repeatable."""
    kept = tuple(rule for rule in rules if not isinstance(rule, Seconds))
    return kept if len(kept) == len(rules) else (*kept, Evaluations(evaluations))


def _mask(rows: NDArray[np.intp], n_rows: int) -> NDArray[np.bool_]:
    mask = np.zeros(n_rows, dtype=bool)
    mask[rows] = True
    return mask
