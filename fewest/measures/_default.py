"""Which measure to use when none is named: a model that deserves the table, and why."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from ..data._table import Table
from ._models_by_name import named_estimator

#: The models that are compared, the cheapest first, and what they are called: for classes, and
#: for numbers.
FOR_CLASSES = {
    "naive-bayes": "naive Bayes",
    "logistic-regression": "logistic regression",
    "k-nn": "nearest neighbours",
    "hist-gradient-boosting": "gradient boosting",
}
FOR_NUMBERS = {"ridge": "ridge regression", "hist-gradient-boosting-regressor": "gradient boosting"}
#: What is picked without a comparison: for numbers, and for classes.
PICKED = ("linear-regression", "naive-bayes")
#: Models are compared on a stratified sample of so many rows, and boosting, which trains a tree
#: per class and round, on no more classes than this.
MOST_ROWS, MOST_CLASSES = 4000, 10
#: A cheaper model is picked within this distance of the best one (for losses: as a share of the
#: loss without features), or within this share of the standard error of the difference.
EQUIVALENT, ERRORS = 0.005, 0.5
#: Rows from which a model can be picked: for classes, and for numbers, where R² needs two rows in
#: each of ten folds.
LEAST_FOR_CLASSES, LEAST_FOR_NUMBERS = 8, 20


@dataclass(frozen=True, eq=False)
class Compared:
    """Hold the models compared with all features on the same folds, and the one picked.

    Parameters
    ----------
    name : str
        The model that is selected for.
    estimator : estimator
    scores : dict of name to fold scores, the cheapest model first
    rows : int
        Number of rows that they were compared on.
    unit : float
        What the scores are measured in: 1, or for a loss its value without features.
    """

    name: str
    estimator: Any
    scores: dict[str, NDArray[np.float64]]
    rows: int
    unit: float = 1.0

    @property
    def optimism(self) -> float:
        """Return by how much the choice of the model flatters its score.

        The score of the model minus the score on each fold of the one picked by the other folds.
        """
        count = len(self.scores[self.name])
        if count < 2:
            return 0.0
        parts = [{n: np.delete(s, k) for n, s in self.scores.items()} for k in range(count)]
        others = [self.scores[_cheapest(part, self.unit)][k] for k, part in enumerate(parts)]
        return float(self.scores[self.name].mean() - np.mean(others))

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ready for JSON."""
        means = {name: float(folds.mean()) for name, folds in self.scores.items()}
        return {
            "picked": self.name, "scores": means, "rows": self.rows, "optimism": self.optimism,
        }  # fmt: skip

    def why(self, percent: bool, loss: bool = False) -> str:
        """Return which model was picked, in a sentence with the scores of all of them.

        Shares are written in per cent, losses without their minus sign.
        """
        words = {**FOR_CLASSES, **FOR_NUMBERS}
        means = {name: float(folds.mean()) for name, folds in self.scores.items()}
        sign = -1.0 if loss else 1.0
        told = {n: f"{words[n]} {_written(sign * mean, percent)}" for n, mean in means.items()}
        others = sorted((n for n in told if n != self.name), key=lambda n: -means[n])
        listed = f" ({', '.join(told[n] for n in others)})" if others else ""
        return f"The model selected for, with all features: {told[self.name]}{listed}."


def _written(mean: float, percent: bool) -> str:
    return f"{100 * mean:.1f} %" if percent else f"{mean:.4g}"


def compare_models(
    table: Table, allowed: NDArray[np.bool_], *, cv: Any = "auto", scoring: Any = None
) -> Compared:
    """Compare models with all allowed features on the same folds, and pick one.

    The best one is picked, or the cheapest that is within half a point of it or within half a
    standard error of the difference (corrected for folds that share training rows).
    """
    if isinstance(cv, str) and cv == "auto":
        table = table.take(table.sampled(np.arange(table.n_rows), MOST_ROWS, 0))
    models = {name: _model(name, table) for name in _names(table)}
    with warnings.catch_warnings():
        # What is odd about the table is reported when the folds of the run are made.
        warnings.simplefilter("ignore")
        scores, unit = _scores(models, table, allowed, cv, scoring)
    # Where none can be scored, the run with the first of them says why.
    name = _cheapest(scores, unit) if scores else next(iter(models))
    return Compared(name, models[name], scores, table.n_rows, unit)


def check_rows(table: Table, scoring: Any) -> None:
    """Refuse a table that is too small for every model, in one sentence."""
    numbers = table.classes is None
    least = LEAST_FOR_NUMBERS if numbers and scoring is None else LEAST_FOR_CLASSES
    if table.n_rows < least:
        rows = "1 row is" if table.n_rows == 1 else f"{table.n_rows} rows are"
        kind = "numbers" if numbers else "classes"
        raise InputError(
            f"{rows} too few to select anything; at least {least} rows are needed to predict "
            f"{kind}, and 100 or more to be sure of the answer."
        )


def _names(table: Table) -> list[str]:
    """Return the models for the kind of the target; without boosting where classes are many."""
    names = list(FOR_NUMBERS if table.classes is None else FOR_CLASSES)
    return names if table.n_classes <= MOST_CLASSES else names[:-1]


def _model(name: str, table: Table) -> Any:
    """Return the model; boosting takes labels as dummies, and unknown numbers as they are."""
    model = named_estimator(name)
    if "boosting" not in name or not (table.nominal.any() or table.sparse is not None):
        return model
    from sklearn.pipeline import make_pipeline

    return make_pipeline(*named_estimator("ridge")[:-1], model)


def _scores(
    models: dict[str, Any], table: Table, allowed: NDArray[np.bool_], cv: Any, scoring: Any
) -> tuple[dict[str, NDArray[np.float64]], float]:
    """Return the fold scores of the models that can be scored, and what they are measured in."""
    from ._wrappers.cross_validated import CrossValidated, RepeatedScorer
    from ._wrappers.splits import given_splits, repeated_splits

    rng = np.random.default_rng(0)
    if isinstance(cv, str) and cv == "auto":
        splits = repeated_splits(table, rng, trained=True)[0]
    else:
        splits = given_splits(table, cv, rng, table.classes is not None)
    scores, unit = {}, 1.0
    for name, model in models.items():
        try:
            # A single subset is trained: the statistics of a fast path are for many of them.
            alone = CrossValidated(model, scoring=scoring, fast=False)
            scorer = RepeatedScorer(alone, table, (splits,))
            folds = scorer.score(allowed[None]).folds
            unit = scorer.unit
        except InputError:
            continue
        if folds is not None and np.isfinite(folds).all():
            scores[name] = folds[0]
    return scores, unit


def _cheapest(scores: dict[str, NDArray[np.float64]], unit: float) -> str:
    """Return the first model that is not worse than the best by more than noise."""
    best = max(scores.values(), key=lambda folds: float(folds.mean()))
    count = len(best)
    for name, folds in scores.items():
        gaps = best - folds
        shared = 1.0 / count + 1.0 / max(count - 1, 1)
        error = float(np.sqrt(shared * gaps.var(ddof=1))) if count > 1 else 0.0
        if gaps.mean() <= max(EQUIVALENT * unit, ERRORS * error) + 1e-12:
            return name
    raise AssertionError("the best model is not worse than itself")


def default_estimator(table: Table) -> Any:
    """Return the model that judges a selection which was made without one."""
    return named_estimator(PICKED[table.classes is not None])
