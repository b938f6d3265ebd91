"""Score estimators by scans of a stored table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, reduce
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

from ..._errors import InputError
from ..._kernels.bayes.class_statistics import class_evidence
from ..._kernels.bayes.hits import count_hits
from ...classifiers._naive_bayes import Evidence, NaiveBayes
from ...data._class_sums import Moments
from ...data._engine.fold_sums import (
    ClassScan,
    FoldedRows,
    RowScan,
    StoredRows,
    check_numbers,
    fold_moments,
)
from ...data._engine.stored import StoredTable
from .._measure import Candidates, Scorer, Scores
from .sources.pipelines import model_of

Floats = NDArray[np.float64]
Masks = NDArray[np.bool_]


class Judge(ABC):
    """Models of all folds: which rows does each subset get right?"""

    @abstractmethod
    def hits(self, candidates: Masks, fold: int, values: Floats, of: Floats, own: Floats) -> Floats:
        """Return the weight of the rows of one fold that each candidate gets right."""


@dataclass(frozen=True, eq=False)
class HitScan(RowScan[Floats]):
    """Scan for the weight of the rows that each candidate gets right, by fold."""

    judge: Judge
    candidates: Masks

    def start(self) -> Floats:
        return np.zeros((len(self.candidates), self.rows.n_folds))

    def add(self, state: Floats, part: StoredRows) -> Floats:
        for fold in np.unique(part.fold).tolist():
            inside = part.fold == fold
            values = np.ascontiguousarray(part.values[inside])
            of, own = part.target[inside], part.weight[inside]
            state[:, fold] += self.judge.hits(self.candidates, fold, values, of, own)
        return state


@dataclass(eq=False)
class HitScorer(Scorer):
    """Counts the rows that each subset gets right, each row by the model of the other folds.

    ``judge_of`` returns the judge of some candidates, before the rows are read.
    """

    rows: FoldedRows
    weight: Floats
    judge_of: Callable[[Masks], Judge]
    batch = 256

    def __post_init__(self) -> None:
        if not self.weight.all():
            raise InputError(
                f"Every one of the {len(self.weight)} folds must have rows, but fold "
                f"{int(np.argmin(self.weight))} has none; use fewer folds."
            )

    def score(self, candidates: Candidates) -> Scores:
        """Return the fold accuracies of every candidate."""
        masks = np.ascontiguousarray(candidates, dtype=bool)
        scan = HitScan(self.rows, self.judge_of(masks), masks)
        folds = self.rows.table.source.reduce(scan) / self.weight
        return Scores(folds.mean(axis=1), folds)


@dataclass(frozen=True, eq=False)
class BayesJudge(Judge):
    """Our own NaiveBayes; ``models`` has one for each fold."""

    models: list[Evidence]

    def of(self, candidates: Masks) -> Judge:
        """Return the judge of any candidates."""
        return self

    def hits(self, candidates: Masks, fold: int, values: Floats, of: Floats, own: Floats) -> Floats:
        """Sum the evidence of the members."""
        model = self.models[fold]
        return np.asarray(count_hits(model.of(values), model.log_prior, of, own, candidates))


@dataclass(frozen=True, eq=False)
class GaussianJudge(BayesJudge):
    """GaussianNB, which widens all variances by a share of the largest in the subset."""

    wide: Floats

    def hits(self, candidates: Masks, fold: int, values: Floats, of: Floats, own: Floats) -> Floats:
        """Candidates with the same widest feature share the densities."""
        model, out = self.models[fold], np.empty(len(candidates))
        widest = np.where(candidates, self.wide[fold], 0.0).max(axis=1)
        for width in np.unique(widest).tolist():
            some = widest == width
            # A subset without any spread has equal values only; they say nothing.
            variance = np.maximum(model.variance + width, 1e-300)
            evidence = class_evidence(values, model.nominal, model.levels, model.mean, variance)
            out[some] = count_hits(evidence, model.log_prior, of, own, candidates[some])
        return out


def scanned_bayes(rows: FoldedRows, estimator: Any) -> HitScorer:
    """Return the scorer of NaiveBayes or GaussianNB."""
    table = rows.table
    sums = table.source.reduce(ClassScan(rows))
    weight = sums.prior.sum(axis=1)
    trained = [sums.training(fold) for fold in range(rows.n_folds)]
    for fold, (prior, _, _) in enumerate(trained):
        if not prior.all():
            assert table.classes is not None
            label = table.classes.tolist()[int(np.argmin(prior))]
            raise InputError(
                f"Every class must have rows outside each fold, but {label!r} has none outside "
                f"fold {fold}; use other folds."
            )
    if type(estimator) is not GaussianNB:
        alpha, floor = float(estimator.alpha), float(estimator.variance_floor)
        models = [Evidence.from_statistics(sums.nominal, *known, alpha, floor) for known in trained]
        return HitScorer(rows, weight, BayesJudge(models).of)
    if estimator.priors is not None:
        raise InputError("`priors` of GaussianNB must be None for a table that stays where it is.")
    check_numbers(table, (sums.weight < sums.prior[:, :, None]).any(axis=(0, 1)))
    models, wide = [], np.empty((rows.n_folds, len(sums.nominal)))
    for fold, (prior, _, (_, mean, variance)) in enumerate(trained):
        wide[fold] = estimator.var_smoothing * variance[-1]
        nothing = np.zeros((len(sums.nominal), 0, len(prior)))
        log_prior = np.log(prior / prior.sum())
        models.append(Evidence(sums.nominal, log_prior, nothing, mean[:-1], variance[:-1]))
    return HitScorer(rows, weight, GaussianJudge(models, wide).of)


@dataclass(eq=False)
class MomentScorer(Scorer):
    """R² or squared errors of linear regression; no row is read after the first scan.

    ``trained`` and ``tested`` are moments of the features and the target, the last column.
    """

    trained: list[Moments]
    tested: list[Moments]
    alpha: float
    scaled: bool
    scoring: str

    def score(self, candidates: Candidates) -> Scores:
        """The fold scores of every candidate."""
        masks = np.asarray(candidates, dtype=bool)
        folds = np.array(
            [[self._fold(mask, f) for f in range(len(self.trained))] for mask in masks]
        )
        return Scores(folds.mean(axis=1), folds)

    def _fold(self, inside: NDArray[np.bool_], fold: int) -> float:
        train, test = self.trained[fold], self.tested[fold]
        own = np.flatnonzero(inside)
        gram, right = train.scatter[0][np.ix_(own, own)], train.scatter[0][own, -1]
        ridge = np.full(len(own), self.alpha)
        if self.scaled:
            ridge = self.alpha * np.diagonal(gram) / train.weight[0]
        rule = np.linalg.lstsq(gram + np.diag(ridge), right, rcond=1e-12)[0]
        away = test.about(train.mean[0])
        products = away[np.ix_(own, own)]
        squares = float(away[-1, -1] - 2.0 * rule @ away[own, -1] + rule @ products @ rule)
        squared = max(0.0, squares) / float(test.weight[0])
        if self.scoring == "neg_mean_squared_error":
            return -squared
        if self.scoring == "neg_root_mean_squared_error":
            return -float(np.sqrt(squared))
        whole = float(test.scatter[0][-1, -1] / test.weight[0])
        return 1.0 - squared / whole if whole > 0.0 else float(squared == 0.0)


def scanned_regression(
    rows: FoldedRows, estimator: Any, scaled: bool, scoring: str | None
) -> MomentScorer:
    """The scorer of LinearRegression or Ridge."""
    if not estimator.fit_intercept or estimator.positive:
        raise InputError(
            f"{type(estimator).__name__} must have an intercept and no sign constraint for a "
            "table that stays where it is."
        )
    moments = fold_moments(rows, by_class=False)
    if not all(own.weight.all() for own in moments):
        raise InputError(f"Every one of the {rows.n_folds} folds must have rows; use fewer folds.")
    alpha = 0.0 if type(estimator) is LinearRegression else float(estimator.alpha)
    trained = [without(moments, fold) for fold in range(len(moments))]
    return MomentScorer(trained, moments, alpha, scaled, scoring or "r2")


def without(moments: list[Moments], fold: int) -> Moments:
    """The moments of all folds but one."""
    return reduce(add, (own for f, own in enumerate(moments) if f != fold))


@dataclass(frozen=True, eq=False)
class LinearJudge(Judge):
    """The class with the largest linear rule.

    ``rules`` has for each fold the weights of every candidate, class and feature, and the offsets
    of every candidate and class.
    """

    rules: list[tuple[Floats, Floats]]

    def hits(self, candidates: Masks, fold: int, values: Floats, of: Floats, own: Floats) -> Floats:
        """Apply the rules."""
        out = np.empty(len(candidates))
        for i, (rule, offset) in enumerate(zip(*self.rules[fold], strict=True)):
            inside = candidates[i]
            said = (values[:, inside] @ rule[:, inside].T + offset).argmax(axis=1)
            out[i] = own[said == of].sum()
        return out


def scanned_discriminant(rows: FoldedRows, estimator: Any) -> HitScorer:
    """The scorer of LinearDiscriminantAnalysis without shrinkage."""
    plain = estimator.shrinkage is None and estimator.priors is None
    if estimator.solver not in ("svd", "lsqr") or not plain:
        raise InputError(
            "`solver` of LinearDiscriminantAnalysis must be svd or lsqr, without shrinkage and "
            "priors, for a table that stays where it is."
        )
    moments = fold_moments(rows, by_class=True)
    weight = np.array([own.weight.sum() for own in moments])
    trained = [without(moments, fold) for fold in range(len(moments))]
    return HitScorer(rows, weight, partial(_discriminants, trained))


def _discriminants(trained: list[Moments], candidates: Masks) -> Judge:
    """Return the judge of LDA: its rules from the moments of the training rows of each fold."""
    return LinearJudge([_rules(train, candidates) for train in trained])


def _rules(train: Moments, candidates: Masks) -> tuple[Floats, Floats]:
    """Weights of shape (candidates, classes, features), and offsets."""
    share = train.weight / train.weight.sum()
    spread = train.within() / train.weight.sum()
    weights = np.zeros((len(candidates), *train.mean.shape))
    offsets = np.empty((len(candidates), len(share)))
    for i, inside in enumerate(candidates):
        own = np.ix_(inside, inside)
        mean = train.mean[:, inside]
        rule = np.linalg.lstsq(spread[own], mean.T, rcond=1e-12)[0].T if inside.any() else mean
        weights[i][:, inside] = rule
        offsets[i] = np.log(share) - 0.5 * (rule * mean).sum(axis=1)
    return weights, offsets


#: Folds of ``cv="auto"``.
FOLDS = 10
CLASSIFIERS = (NaiveBayes, GaussianNB, LinearDiscriminantAnalysis)
REGRESSORS = (LinearRegression, Ridge)
SQUARES = (None, "r2", "neg_mean_squared_error", "neg_root_mean_squared_error")


def has_sums(estimator: Any) -> bool:
    """Return whether the models of all subsets follow from sums over the rows."""
    from .scanned_logistic import newton_scans

    model, scaled = model_of(estimator), estimator is not model_of(estimator)
    scans = type(model) in (*CLASSIFIERS, *REGRESSORS) or newton_scans(model)
    return scans and not (scaled and (type(model) is NaiveBayes or not _is_scaled(estimator)))


def check_scanned(estimator: Any, cv: Any, scoring: Any) -> None:
    """Raise a sentence for folds or a score of an estimator with sums that need the rows."""
    model = model_of(estimator)
    if cv != "auto" and (not isinstance(cv, int) or isinstance(cv, bool) or cv < 2):
        raise InputError(
            '`cv` must be "auto" or a number of folds from 2 on for a table that stays where it '
            f"is (or name a column: `folds`), but is {cv!r}."
        )
    known = SQUARES if type(model) in REGRESSORS else (None, "accuracy")
    if scoring not in known:
        listed = ", ".join(str(name) for name in known[1:])
        raise InputError(
            f"`scoring` must be {listed} for a table that stays where it is, but is {scoring!r}."
        )


def scanned_scorer(estimator: Any, table: StoredTable, cv: Any, scoring: Any) -> Scorer:
    """Return the scorer, after one scan for its sums."""
    return scorer_of(folded(table, FOLDS if cv == "auto" else int(cv)), estimator, scoring)


def folded(table: StoredTable, n_folds: int, salt: int = 0) -> FoldedRows:
    """Return the rows in so many folds, or in those that a column of the table names."""
    known = None if table.folds is None else len(table.tally.found[table.folds])
    return FoldedRows(table, known or n_folds, salt)


def scorer_of(rows: FoldedRows, estimator: Any, scoring: Any) -> Scorer:
    """Return the scorer of an estimator on these folds, after one scan for its sums."""
    table, model = rows.table, model_of(estimator)
    scaled = model is not estimator
    classes = type(model) not in REGRESSORS
    if classes != (table.classes is not None):
        kind, found = ("classes", "numbers") if classes else ("numbers", "classes")
        raise InputError(f"`y` must hold {kind} for {type(model).__name__}, but holds {found}.")
    if type(model) in REGRESSORS:
        return scanned_regression(rows, model, scaled, scoring)
    if type(model) is LinearDiscriminantAnalysis:
        return scanned_discriminant(rows, model)
    if type(model) is LogisticRegression:
        from .scanned_logistic import scanned_logistic

        return scanned_logistic(rows, model, scaled)
    return scanned_bayes(rows, model)


def _is_scaled(estimator: Any) -> bool:
    """Return whether it is a pipeline of a StandardScaler with its defaults and a model."""
    scaler = estimator.steps[0][1]
    plain = type(scaler) is StandardScaler and scaler.with_mean and scaler.with_std
    return bool(plain and len(estimator.steps) == 2)
