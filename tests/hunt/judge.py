"""Whether fewest's fold scores of a case are those of cross_val_score."""

from __future__ import annotations

import traceback
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from inspect import signature
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import sklearn
from scipy import sparse
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import check_scoring, get_scorer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from fewest._errors import InputError
from fewest.data._as_table import as_table
from fewest.measures._steps import Steps
from fewest.measures._wrappers.cross_validated import CrossValidated
from fewest.measures._wrappers.wrapped import WrappedScorer
from tests.hunt.case import Case
from tests.hunt.models import REGRESSORS

#: Scores of labels are equal, but for the order of sums.
EQUAL = 1e-12
#: Rounding moves an answer by at most this many times what it moves scikit-learn's own.
ROUNDING = 10.0
#: Scikit-learn's answer is repeated this often on other orders and on data moved by rounding.
REPEATS = 6


@dataclass
class Outcome:
    """How a case ended: "right", "wrong", "traceback", "refused" or "hang"."""

    status: str = "right"
    words: str = ""
    fast: bool = False
    #: Fold scores of fewest, and those of them that the referee trained for.
    folds: int = 0
    trained: int = 0
    #: Compared fold scores that are those of scikit-learn only up to rounding, or of the ideal.
    rounding: int = 0
    ideal: int = 0
    notes: list[str] = field(default_factory=list)


def judge(case: Case) -> Outcome:
    """Score a case by fewest and by scikit-learn."""
    outcome = Outcome()
    with warnings.catch_warnings(), np.errstate(all="ignore"), _routing(case):
        warnings.simplefilter("ignore")
        try:
            _judge(case, outcome)
        except WrongError as wrong:
            outcome.status, outcome.words = "wrong", str(wrong)
        except InputError as refused:
            outcome.status, outcome.words = _refused(case, str(refused))
        except Exception:
            outcome.status, outcome.words = "traceback", traceback.format_exc()
    return outcome


class WrongError(AssertionError):
    """A score that is not the estimator's."""


def _refused(case: Case, words: str) -> tuple[str, str]:
    """Whether the whole table was refused for a reason: infinite values, or scikit-learn's."""
    infinite = case.table.storage == "array" and np.isinf(case.table.X).any()
    rightly = infinite or train(case, case.masks[0])[1]
    return ("refused" if rightly else "wrong"), f"the table is refused: {words}"


def _judge(case: Case, outcome: Outcome) -> None:
    scorer = bind(case)
    outcome.fast = not isinstance(scorer.scorers[0], WrappedScorer)
    if not outcome.fast:  # the estimator is trained by both: one subset will do
        return _compare(case, case.masks[0], _ask(scorer, case.masks[:1], outcome)[0], outcome, "")
    steps = Steps(case.base, case.units, (~case.base[case.units]).astype(np.int64))
    with _counted(outcome):
        found = [_ask(scorer, case.masks, outcome)[0], *_ask(scorer, steps, outcome)]
    masks = [case.masks[0], *np.asarray(steps, dtype=bool)]
    for number, (mask, folds) in enumerate(zip(masks, found, strict=True)):
        _compare(case, mask, folds, outcome, "steps" if number else "score")


def bind(case: Case) -> Any:
    """Return fewest's scorer of a case."""
    measure = CrossValidated(estimator(case), cv=case.folds, scoring=scorer_of(case))
    table = as_table(case.table.X, case.table.y, metadata=case.metadata, task=measure.task)
    return measure.bind(table)


def _ask(scorer: Any, batch: Any, outcome: Outcome) -> list[Any]:
    """Return fold scores of each candidate; None where it is refused."""
    if not len(batch):
        return []
    call = scorer.score_steps if isinstance(batch, Steps) else scorer.score
    try:
        scores = call(batch)
    except InputError as refused:
        outcome.notes.append(str(refused))
        if len(batch) == 1:
            return [None]
        return [_ask(scorer, batch[i : i + 1], outcome)[0] for i in range(len(batch))]
    outcome.folds += scores.folds.size
    if not np.allclose(scores.value, scores.folds.mean(axis=1), equal_nan=True):
        raise WrongError(f"values {scores.value} are not the means of {scores.folds}")
    return list(scores.folds)


def _compare(case: Case, mask: Any, found: Any, outcome: Outcome, way: str) -> None:
    """Raise WrongError unless these are the scores of scikit-learn or of the ideal."""
    expected, failed = train(case, mask)
    if found is None:
        if failed or np.isnan(expected).any():
            return
        raise WrongError(_words(case, mask, way, "refused", expected, outcome.notes[-1:]))
    away, labels = _away(found, expected), of_labels(case)
    near = away <= (EQUAL if labels else case.model.tolerance)
    if near.all():
        return
    spread = _spread(case, mask, expected)
    if not labels and (away <= np.maximum(case.model.tolerance, ROUNDING * spread)).all():
        outcome.rounding += int((~near).sum())
        return
    if _is_ideal(case, mask, found, near):
        outcome.ideal += int((~near).sum())
        return
    raise WrongError(_words(case, mask, way, found, expected, [f"moved by rounding: {spread}"]))


def _words(case: Case, mask: Any, way: str, found: Any, told: Any, extra: list[str]) -> str:
    with np.printoptions(precision=10, threshold=20):
        lines = [f"by {way}, columns {np.flatnonzero(mask).tolist()}", f"fewest       {found}"]
        return "\n  ".join([*lines, f"scikit-learn {told}", *extra])


def _away(found: Any, expected: Any) -> Any:
    """Return distances relative to max(1, |score|); infinite where only one is NaN or infinite."""
    same = (found == expected) | (np.isnan(found) & np.isnan(expected))
    away = np.abs(found - expected) / np.maximum(1.0, np.abs(expected))
    return np.where(same, 0.0, np.where(np.isfinite(away), away, np.inf))


def of_labels(case: Case) -> bool:
    """Whether the score is one of predicted classes."""
    if case.name in REGRESSORS:
        return False
    scorer = check_scoring(case.estimator, scoring=case.scoring)
    return getattr(scorer, "_response_method", "predict") == "predict"


def _is_ideal(case: Case, mask: Any, found: Any, near: Any) -> bool:
    """Whether every fold has the score of scikit-learn (``near``) or of the ideal."""
    model = case.model
    ideal = None if model.ideal is None else model.ideal(case.last)
    if ideal is None:
        return False
    expected, _ = train(case, mask, ideal=ideal)
    moved = np.zeros(len(found))
    for seed in range(REPEATS if model.jitter else 0):
        other, _ = train(case, mask, ideal=model.ideal(case.last, model.jitter, seed))
        moved = np.maximum(moved, _away(other, expected))
    slack = (EQUAL if of_labels(case) else model.tolerance) + 2.0 * moved
    return bool((near | (_away(found, expected) <= slack)).all())


def _spread(case: Case, mask: Any, expected: Any) -> Any:
    """Return how far other orders, moved data and a wider type bring scikit-learn's own scores."""
    others = [train(case, mask, moved=seed)[0] for seed in range(REPEATS)]
    X = case.table.X
    if case.table.storage == "array" and X.dtype == np.float32:
        # Probabilities near 1 are rounded alike, whatever the order of the sums.
        wider = replace(case, table=replace(case.table, X=X.astype(np.float64)))
        others.append(train(wider, mask)[0])
    return np.max([_away(other, expected) for other in others], axis=0)


def train(case: Case, mask: Any, *, ideal: Any = None, moved: int | None = None) -> Any:
    """Return scores of cross_val_score, and whether a training failed.

    ``ideal`` takes the place of the model. ``moved`` is a seed: training rows are in another
    order, and numbers are moved by rounding. Without routing fewest also scores with weights where
    the score takes them, as scikit-learn does where they are routed to both.
    """
    if case.routed is None and case.table.weight is not None:
        takes = "sample_weight" in signature(_plain_scorer(case)._score_func).parameters
        with sklearn.config_context(enable_metadata_routing=True):
            return train(replace(case, routed=(True, takes)), mask, ideal=ideal, moved=moved)
    X, y, folds = case.table.columns(mask), case.table.y, case.folds
    own = requested(case, case.narrowed(mask, ideal))
    if sparse.issparse(X) and (ideal is not None or not get_tags(own).input_tags.sparse):
        X = X.toarray()
    if moved is not None:
        rng = np.random.default_rng(moved)
        folds = [(rng.permutation(a), b) for a, b in folds]
        y = _rounded(y, X, rng) if case.name in REGRESSORS else y
        X = _moved(X, moved) if moved % 2 else _shuffled(X, own, rng)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            scores = cross_val_score(
                own, X, y, cv=folds, scoring=scorer_of(case),
                params=case.metadata, error_score=np.nan,
            )  # fmt: skip
        except ValueError as error:
            if "fits failed" not in str(error):
                raise
            return np.full(len(folds), np.nan), True
    return scores, any(issubclass(w.category, FitFailedWarning) for w in caught)


def _shuffled(X: Any, own: Any, rng: Any) -> Any:
    """Return the columns in another order, unless the estimator knows them by position."""
    if isinstance(own, Pipeline) and isinstance(own.steps[0][1], ColumnTransformer):
        return X
    order = rng.permutation(X.shape[1])
    return X.iloc[:, order] if isinstance(X, pd.DataFrame) else X[:, order.tolist()]


def _moved(X: Any, seed: int) -> Any:
    """Return fractions that are moved by rounding; equal columns stay equal."""
    if isinstance(X, pl.DataFrame):
        return X
    if isinstance(X, pd.DataFrame):
        return X.assign(**{c: _moved_column(X[c].to_numpy(), seed) for c in X
                           if X[c].dtype.kind == "f"})  # fmt: skip
    if sparse.issparse(X):
        return X
    if X.dtype.kind != "f":
        return X
    return np.column_stack([_moved_column(column, seed) for column in X.T])


def _rounded(y: Any, X: Any, rng: Any) -> Any:
    """Return a target that is moved by rounding to the type of the columns."""
    kinds = X.dtypes.tolist() if isinstance(X, pd.DataFrame) else [getattr(X, "dtype", None)]
    unit = np.finfo(np.float32 if np.float32 in kinds else np.float64).eps
    return y * (1.0 + unit * rng.uniform(-1, 1, len(y)))


def _moved_column(column: Any, seed: int) -> Any:
    known = column[np.isfinite(column)]
    if (known == np.round(known)).all():
        return column
    own = np.random.default_rng([seed, zlib.crc32(column.tobytes())])
    unit = 2.0 * np.finfo(column.dtype).eps
    return (column * (1.0 + unit * own.uniform(-1, 1, len(column)))).astype(column.dtype)


def scorer_of(case: Case) -> Any:
    """Return the scoring, with a request for weights if they are routed to it."""
    if case.routed is None:
        return case.scoring
    return _plain_scorer(case).set_score_request(sample_weight=case.routed[1])


def _plain_scorer(case: Case) -> Any:
    scoring = case.scoring or ("r2" if case.name in REGRESSORS else "accuracy")
    return get_scorer(scoring) if isinstance(scoring, str) else scoring


def estimator(case: Case) -> Any:
    """Return the estimator, with a request for weights if they are routed to it."""
    return requested(case, case.narrowed(np.ones(case.table.shape[1], dtype=bool)))


def requested(case: Case, own: Any) -> Any:
    """Set what the parts of an estimator get if weights are routed."""
    if case.routed is None:
        return own
    last = own.steps[-1][1] if isinstance(own, Pipeline) else own
    if hasattr(last, "set_fit_request"):
        last.set_fit_request(sample_weight=case.routed[0])
    for part in own.get_params(deep=True).values():
        if part is not last and hasattr(part, "set_fit_request"):
            part.set_fit_request(sample_weight=False)
    return own


@contextmanager
def _routing(case: Case) -> Iterator[None]:
    with sklearn.config_context(enable_metadata_routing=case.routed is not None):
        yield


@contextmanager
def _counted(outcome: Outcome) -> Iterator[None]:
    """Count the folds that estimators are trained on."""
    fold = WrappedScorer.fold

    def counting(self: Any, *arguments: Any) -> float:
        outcome.trained += 1
        return fold(self, *arguments)

    WrappedScorer.fold = counting  # type: ignore[method-assign]
    try:
        yield
    finally:
        WrappedScorer.fold = fold  # type: ignore[method-assign]
