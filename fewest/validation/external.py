"""validate: what a selection is really worth, on rows that it has not seen."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from ..data.feature_names import Features
from ..data.table import Table
from ..errors import InputError
from ..fitting.problem import Problem, make_problem
from ..measures.registry import named_estimator
from ..measures.wrappers.wrapped import WrappedScorer
from ..run.execute import check_workers, inner_threads
from ..seeds import seed_of
from .generations import histories_of, internal_and_external, score_generations
from .schemes import Split, external_splits
from .settings import settings_of
from .stability import jaccard, kuncheva, nogueira
from .tests import f_test_5x2cv, paired_t_test


@dataclass
class Validation:
    """The honest figures of a selection.

    Attributes
    ----------
    accuracy, std : float
        Mean and standard deviation of the scores on rows not seen in the selection.
    scores : array, one an external fold
    selection_score : float or None
        Mean of the scores that guided the selections: the optimistic figure.
    baseline, baseline_std : float
        The same with all features.
    guessing : float
        The same without any feature: the most frequent class, or the mean.
    p_value : float
        Of the test that selection makes no difference (F test for 5×2cv, else paired t test).
    sizes : list of int
        Number of features chosen in each fold.
    supports : bool array of shape (folds, features)
    stability : float
        Nogueira's; ``stabilities`` has Kuncheva's and Jaccard's too.
    settings : dict
        Search, measure, estimator, data and versions: what it takes to repeat it.
    """

    accuracy: float
    std: float
    scores: NDArray[np.float64]
    selection_score: float | None
    baseline: float
    baseline_std: float
    baseline_scores: NDArray[np.float64]
    p_value: float
    sizes: list[int]
    supports: NDArray[np.bool_]
    stability: float
    stabilities: dict[str, float]
    scheme: str
    test: str
    metric: str = "accuracy"
    guessing: float | None = None
    names: list[str] = field(default_factory=list)
    seed: int = 0
    history: list[list[dict[str, Any]]] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def optimism(self) -> float | None:
        """How much the selection score promises above the honest one."""
        return None if self.selection_score is None else self.selection_score - self.accuracy

    def warning(self) -> str | None:
        """A sentence where the selection score must not be believed."""
        if self.optimism is None or self.selection_score is None:
            return None
        error = float(np.std(self.scores, ddof=1)) / np.sqrt(len(self.scores))
        if self.optimism <= max(0.05, 2 * error):
            return None
        guess = self.guessing
        nothing = guess is not None and self.accuracy <= guess + 2 * error
        worth = ", no better than guessing without any feature" if nothing else ""
        return (
            f"The selection score {self.selection_score:.3f} is an illusion of the search: on "
            f"rows it has not seen, expect {self.accuracy:.3f}, "
            f"{self.optimism:.3f} less{worth}."
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        plain = {k: v for k, v in self.__dict__.items() if k != "history"}
        for key in ("scores", "baseline_scores", "supports"):
            plain[key] = getattr(self, key).tolist()
        inner = internal_and_external(self.history, self.selection_score is not None)
        told = {"optimism": self.optimism, "warning": self.warning(), "by_generation": inner}
        return {**plain, **told}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Validation:
        """A validation from the plain data of :meth:`to_dict`."""
        known = {f.name for f in fields(cls)}
        kept = {k: v for k, v in plain.items() if k in known}
        for key in ("scores", "baseline_scores"):
            kept[key] = np.array(kept[key], dtype=float)
        kept["supports"] = np.array(kept["supports"], dtype=bool)
        return cls(**kept, history=histories_of(plain.get("by_generation") or []))


def validate(
    sel: Any,
    X: Any,
    y: Any,
    *,
    estimator: Any = None,
    scheme: Any = "5x2cv",
    scoring: Any = None,
    nominal: Features | None = None,
    n_jobs: int | None = None,
    random_state: Any = None,
    **metadata: Any,
) -> Validation:
    """Select inside every training part, score on the part left out.

    Parameters
    ----------
    sel : SubsetSelector, or any scikit-learn selector
    X, y : the data
    estimator : the classifier or regressor to be judged
        By default the one that the selector's measure wraps, else naive Bayes.
    scheme : str or splitter, default="5x2cv"
        ``"5x2cv"`` is five times two stratified folds; ``"1x10cv"`` one time ten; ...
    scoring : scikit-learn scorer; accuracy for classifiers, R² for regressors by default
    n_jobs : external folds at once; the answer does not depend on it
    random_state : draws the splits and a seed for each selection

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import fewest
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> v = fewest.validate(fewest.SubsetSelector(search="sfs"), X, y, random_state=0)
    >>> round(v.accuracy, 2), len(v.scores)
    (0.95, 10)
    """
    check_workers(n_jobs)
    problem = make_problem(
        X, y, getattr(sel, "measure", "auto"), nominal=nominal, metadata=metadata
    )
    table, estimator = problem.table, judged(problem, estimator)
    seed = seed_of(random_state)
    for_splits, for_folds = np.random.SeedSequence(seed).spawn(2)
    splits = external_splits(scheme, table, np.random.default_rng(for_splits))
    seeds = [int(s.generate_state(1)[0]) for s in for_folds.spawn(len(splits))]
    fold = joblib.delayed(_external_fold)
    with inner_threads(joblib.effective_n_jobs(n_jobs)):
        done = joblib.Parallel(n_jobs=n_jobs, prefer="threads")(
            fold(sel, estimator, table, split, s, scoring, nominal)
            for split, s in zip(splits, seeds, strict=True)
        )
    validation = _gather(done, splits, table, scheme, scoring, seed)
    validation.settings = settings_of(sel, done[0].settings, estimator, scoring, table)
    return validation


def judged(problem: Problem, estimator: Any) -> Any:
    """The estimator whose accuracy is measured: the given, the wrapped, or naive Bayes."""
    if isinstance(estimator, str):
        return named_estimator(estimator)
    if estimator is not None:
        return estimator
    wrapped = getattr(problem.measure, "estimator", None)
    return named_estimator("naive-bayes") if wrapped is None else wrapped


@dataclass
class _Fold:
    score: float
    baseline: float
    guessing: float
    support: NDArray[np.bool_]
    selection_score: float | None
    history: list[dict[str, Any]]
    settings: dict[str, Any]


def _external_fold(
    sel: Any,
    estimator: Any,
    table: Table,
    split: Split,
    seed: int,
    scoring: Any,
    nominal: Features | None,
) -> _Fold:
    train = table.take(split[0])
    selector = clone(sel)
    parameters = selector.get_params(deep=False)
    if parameters.get("journal") is not None:
        raise InputError("`journal` must be None in `validate`: it runs many times, not once.")
    if "random_state" in parameters:
        selector.set_params(random_state=seed)
    extra = dict(train.metadata) | ({} if nominal is None else {"nominal": nominal})
    selector.fit(train.X, train.y, **extra)
    support = np.asarray(selector.get_support(), dtype=bool)
    asked = np.array([support, np.ones_like(support), np.zeros_like(support)])
    judge = WrappedScorer(estimator, table, (split,), scoring)
    scores = judge.score(asked).value
    result = getattr(selector, "result_", None)
    return _Fold(
        float(scores[0]),
        float(scores[1]),
        float(scores[2]),
        support,
        None if result is None or result.folds is None else float(result.score),
        [] if result is None else _judged(result.history, judge),
        {} if result is None else result.settings,
    )


def _judged(history: list[dict[str, Any]], judge: WrappedScorer) -> list[dict[str, Any]]:
    """What the best of each generation is worth on the rows left out, beside what it promised."""
    return score_generations(history, judge.table.n_features, lambda m: judge.score(m).value)


def _gather(
    folds: list[_Fold], splits: list[Split], table: Table, scheme: Any, scoring: Any, seed: int
) -> Validation:
    scores = np.array([f.score for f in folds])
    baseline = np.array([f.baseline for f in folds])
    supports = np.array([f.support for f in folds])
    inner = [f.selection_score for f in folds if f.selection_score is not None]
    if scheme == "5x2cv":
        p_value, test = f_test_5x2cv(scores, baseline), "5×2cv F test"
    else:
        share = len(splits[0][1]) / len(splits[0][0])
        p_value, test = paired_t_test(scores, baseline, share), "corrected paired t test"
    measures = {"nogueira": nogueira, "kuncheva": kuncheva, "jaccard": jaccard}
    stabilities = {name: measure(supports) for name, measure in measures.items()}
    return Validation(
        accuracy=float(scores.mean()),
        std=float(scores.std(ddof=1)),
        scores=scores,
        selection_score=float(np.mean(inner)) if inner else None,
        baseline=float(baseline.mean()),
        baseline_std=float(baseline.std(ddof=1)),
        baseline_scores=baseline,
        guessing=float(np.mean([f.guessing for f in folds])),
        p_value=p_value,
        sizes=supports.sum(axis=1).tolist(),
        supports=supports,
        stability=stabilities["nogueira"],
        stabilities=stabilities,
        scheme=scheme if isinstance(scheme, str) else repr(scheme),
        test=test,
        metric=_metric(scoring, table),
        names=list(table.names),
        seed=seed,
        history=[f.history for f in folds],
    )


def _metric(scoring: Any, table: Table) -> str:
    if scoring is None:
        return "accuracy" if table.classes is not None else "R²"
    return scoring if isinstance(scoring, str) else "score"
