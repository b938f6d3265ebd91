"""Importances of features to any scikit-learn estimator: its own, or by permutation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.pipeline import Pipeline

from ..._errors import InputError
from ...data._rows import take_rows
from ...data._table import Table
from .._abilities import ALL_ROWS, Importances, Question
from .._probes import entries
from .splits import Splits
from .wrapped import WrappedScorer

Floats = NDArray[np.float64]

#: So often is each feature shuffled for its permutation importance.
REPEATS = 5
#: Where features are few, their shuffled copies are repeated up to so many.
LEAST_SHADOWS = 5


def model_importances(
    estimator: Any, table: Table, splits: Splits, scoring: Any, question: Question
) -> Importances:
    """Train on the rows of the question, and read or measure the importances.

    Importances by permutation are measured on test rows; for all rows, they are the mean over
    the folds.
    """
    if question.shadows:
        return _with_shadows(estimator, table, splits, scoring, question)
    slow = WrappedScorer(_seeded(estimator, question.seed, False), table, _rows(splits), scoring)
    fold = len(splits) if question.fold == ALL_ROWS else question.fold
    values, score = _asked(slow, question, fold)
    return Importances(values, None, float("nan") if question.fold == ALL_ROWS else score)


def l1_importances(table: Table, question: Question) -> Importances:
    """Return how early each feature enters the path of a linear model with an L1 penalty."""
    inside = np.flatnonzero(question.subset)
    values = np.full(table.n_features, np.nan)
    values[inside] = entries(replace(table, X=None).keep(inside))
    return Importances(values)


def proxy_measure(table: Table, singular: bool = False) -> Any:
    """Return the measure that stands in for a slow model: discriminant analysis, or ridge.

    Discriminant analysis is judged by its log loss, which tells more than labels do. Full sets of
    dummies depend on each other, which costs it much: tables with labels get naive Bayes. Half of
    the features must not outnumber the rows either, nor may columns depend on each other within
    rounding (``singular``): such tables get ridge regression on the labels.
    """
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import Ridge, RidgeClassifier
    from sklearn.pipeline import make_pipeline

    from ...classifiers._encoder import TableEncoder
    from ...classifiers._naive_bayes import NaiveBayes
    from .cross_validated import CrossValidated

    if table.classes is None:
        return CrossValidated(make_pipeline(TableEncoder(), Ridge()))
    if table.nominal.any():
        return CrossValidated(NaiveBayes(), scoring="neg_log_loss")
    if singular or 2 * table.n_features > table.n_rows:
        return CrossValidated(make_pipeline(TableEncoder(), RidgeClassifier()))
    model = make_pipeline(TableEncoder(), LinearDiscriminantAnalysis())
    return CrossValidated(model, scoring="neg_log_loss")


def _rows(splits: Splits) -> Splits:
    """The folds, and last all rows that some fold trains on."""
    every = np.unique(np.concatenate([train for train, _ in splits]))
    return (*splits, (every, every))


def _asked(slow: WrappedScorer, question: Question, fold: int) -> tuple[Floats, float]:
    """The importances over all features, and the score on the test rows of the fold."""
    X = slow.columns(question.subset)
    model = slow._trained(X, question.subset, fold)
    values = np.full(len(question.subset), np.nan)
    if model is None:
        return values, slow.empty(fold)
    if question.kind == "contributions":
        rows = take_rows(X, slow.splits[fold][1])
        values[question.subset] = contributions(model, rows)
        return values, slow._scored(model, X, slow.splits[fold][1], question.subset)
    own = None if question.kind == "permutation" else own_importances(model)
    if own is None and question.kind in ("model", "ranking"):
        raise InputError(
            f'`importance` must be "permutation" for {type(slow.estimator).__name__}, which has '
            'neither `coef_` nor `feature_importances_`, but is "model".'
        )
    if own is None or len(own) != int(question.subset.sum()):
        values[question.subset] = _by_permutation(slow, question, fold)
    else:
        values[question.subset] = own
    if question.kind == "ranking":
        return values, float("nan")
    return values, slow._scored(model, X, slow.splits[fold][1], question.subset)


def contributions(model: Any, X: Any) -> Floats:
    """Return the mean absolute SHAP value of each feature in the rows ``X``, over all classes.

    Notes
    -----
    Lundberg et al. (2020), computed by the package of the booster itself. The dummies of a
    feature are added up before their size counts.
    """
    owner = None
    if isinstance(model, Pipeline):
        owner, X, model = getattr(model[0], "owner_", None), model[:-1].transform(X), model[-1]
    package = type(model).__module__.partition(".")[0]
    if package == "lightgbm":
        found = np.asarray(model.predict(X, pred_contrib=True))
        found = found.reshape(len(found), -1, model.n_features_in_ + 1)
    elif package == "xgboost":
        from xgboost import DMatrix

        given = DMatrix(X, enable_categorical=True)
        found = model.get_booster().predict(given, pred_contribs=True)
        found = found.reshape(len(found), -1, found.shape[-1])
    else:
        raise InputError(
            f'`importance` must be "auto", "model" or "permutation" for {type(model).__name__}, '
            'but is "contributions", which LightGBM and XGBoost have.'
        )
    shares = found[:, :, :-1]  # The last one is that of no feature.
    if owner is not None and len(owner) == shares.shape[2]:
        shares = shares @ (np.asarray(owner)[:, None] == np.arange(max(owner) + 1))
    return np.asarray(np.abs(shares).mean(axis=0).sum(axis=0), dtype=np.float64)


def own_importances(model: Any) -> Floats | None:
    """Return ``feature_importances_``, or the sum of the squares of ``coef_``, or None.

    Of a pipeline, those of its last step; the dummies of a feature are added up. Of boosted trees,
    the total gain of their splits.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> model = LogisticRegression().fit([[0, 1], [1, 1], [0, 1], [1, 1]], [0, 1, 0, 1])
    >>> own_importances(model).round(2)
    array([0.64, 0.  ])
    """
    if isinstance(model, Pipeline):
        own, owner = own_importances(model[-1]), getattr(model[0], "owner_", None)
        if own is None or owner is None or len(owner) != len(own):
            return own
        return np.asarray(np.bincount(owner, own), dtype=np.float64)
    found = _gains(model)
    if found is None:
        found = getattr(model, "feature_importances_", None)
    if found is not None:
        return np.asarray(found, dtype=np.float64).ravel()
    coefficients = getattr(model, "coef_", None)
    if coefficients is None:
        return None
    if sparse.issparse(coefficients):
        coefficients = coefficients.toarray()
    squares: Floats = np.asarray(coefficients, dtype=np.float64) ** 2
    return squares if squares.ndim == 1 else squares.sum(axis=0)


def _gains(model: Any) -> Floats | None:
    """Return the gain of each feature in boosters that show it elsewhere, or not at all."""
    if hasattr(getattr(model, "booster_", None), "feature_importance"):
        return np.asarray(model.booster_.feature_importance("gain"), dtype=np.float64)
    rounds = getattr(model, "_predictors", None)
    if rounds is None or not hasattr(model, "n_features_in_"):
        return None
    total = np.zeros(model.n_features_in_)
    for tree in (tree for trees in rounds for tree in trees):
        splits = tree.nodes[tree.nodes["is_leaf"] == 0]
        np.add.at(total, splits["feature_idx"].astype(np.intp), splits["gain"])
    nominal = getattr(model, "is_categorical_", None)
    if nominal is None:
        return total
    # Inside, scikit-learn's histogram boosting has the nominal columns first.
    values = np.empty_like(total)
    values[np.concatenate([np.flatnonzero(nominal), np.flatnonzero(~nominal)])] = total
    return values


def _by_permutation(slow: WrappedScorer, question: Question, fold: int) -> Floats:
    """The mean fall of the score on test rows; for all rows, over all folds."""
    last = len(slow.splits) - 1
    folds = range(last) if fold == last else (fold,)
    return np.asarray(np.mean([_permuted(slow, question, f) for f in folds], axis=0))


def _permuted(slow: WrappedScorer, question: Question, fold: int) -> Floats:
    from sklearn.inspection import permutation_importance

    X = slow.columns(question.subset)
    model = slow._trained(X, question.subset, fold)
    if model is None:
        return np.zeros(int(question.subset.sum()))
    test = slow.splits[fold][1]
    # What is shuffled is a dense array, or a frame, of few columns.
    X = X.toarray() if sparse.issparse(X) else X
    found = permutation_importance(
        model, take_rows(X, test), take_rows(slow.y, test), scoring=slow.scoring,
        n_repeats=REPEATS, random_state=question.seed,
    )  # fmt: skip
    return np.asarray(found.importances_mean, dtype=np.float64)


def _with_shadows(
    estimator: Any, table: Table, splits: Splits, scoring: Any, question: Question
) -> Importances:
    """Train with a shuffled copy of every feature, appended as further columns."""
    inside = np.flatnonzero(question.subset)
    copies = np.tile(inside, -(-LEAST_SHADOWS // len(inside)))
    wide = _widened(table, inside, copies, question.seed)
    slow = WrappedScorer(_seeded(estimator, question.seed, True), wide, _rows(splits), scoring)
    asked = Question(np.ones(wide.n_features, dtype=bool), ALL_ROWS, question.kind, question.seed)
    values, _ = _asked(slow, asked, len(splits))
    told = np.full(table.n_features, np.nan)
    told[inside] = values[: len(inside)]
    return Importances(told, values[len(inside) :])


def _widened(table: Table, inside: NDArray[Any], copies: NDArray[Any], seed: int) -> Table:
    """The table of some features and of shuffled copies; codes stand for nominal values."""
    rng = np.random.default_rng(seed)
    shuffled = np.column_stack([rng.permutation(table.column(j)) for j in copies])
    values = np.column_stack([table.doubles[:, inside], shuffled])
    names = (
        *(table.names[j] for j in inside),
        *(f"shadow {i} of {table.names[j]}" for i, j in enumerate(copies)),
    )
    levels = tuple(table.levels[j] for j in (*inside, *copies))
    return Table(names, values, levels, table.target, table.classes, None, table.y, table.metadata)


def _seeded(estimator: Any, seed: int, always: bool) -> Any:
    """The estimator with a seed wherever it has none, or (for many rounds) in any case."""
    from sklearn.base import clone

    if not hasattr(estimator, "get_params"):
        return estimator
    given = estimator.get_params()
    states = [name for name in given if name.split("__")[-1] == "random_state"]
    new = {name: seed % 2**31 for name in states if always or given[name] is None}
    return clone(estimator).set_params(**new) if new else estimator
