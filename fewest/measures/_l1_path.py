"""Subsets that models with an L1 penalty pass through as the penalty falls."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from ..data._table import Table

Floats = NDArray[np.float64]

#: Penalties of logistic regression, down to this share of the one that leaves no feature.
N_PENALTIES, SMALLEST_PENALTY_SHARE = 60, 1e-3
#: Of a nominal feature with more values than this, all but the most frequent are taken as one.
MOST_LEVELS = 50


def l1_subsets(table: Table, model: str, most: int) -> NDArray[np.bool_]:
    """Return the supports on the path, from few features to many; the first is empty.

    model: "auto", "lasso" or "logistic".
    most: the path may end where more features than this are in.
    """
    columns, owner = standardised(table)
    if model == "auto":
        model = "lasso" if table.classes is None else "logistic"
    supports = _lasso(table, columns, most) if model == "lasso" else _logistic(table, columns, most)
    masks = np.zeros((len(supports), table.n_features), dtype=bool)
    for row, support in enumerate(supports):
        masks[row, owner[support]] = True
    keep = np.ones(len(masks), dtype=bool)
    keep[1:] = (masks[1:] != masks[:-1]).any(axis=1)
    return np.asarray(masks[keep])


def entries(table: Table) -> Floats:
    """Return at which penalty each feature enters the path of least squares; larger is earlier.

    For classes, the path to the indicator of each class, and the earliest entry counts. Features
    that never enter follow those that do, by their correlation with the target.
    """
    from sklearn.linear_model import lars_path

    columns, owner = standardised(table)
    entered = np.zeros(table.n_features)
    for target in _targets(table):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of columns that are alike, one is taken
            steps = 8 * min(columns.shape) + 10
            penalties, _, coefficients = lars_path(columns, target, method="lasso", max_iter=steps)
        # The penalty at the knot before the first coefficient is where the column enters.
        inside = coefficients != 0
        at = penalties[np.maximum(inside.argmax(axis=1) - 1, 0)]
        alone = np.abs(columns.T @ target) / max(len(target), 1)
        worth = np.where(inside.any(axis=1), at, alone * 1e-9)
        np.maximum.at(entered, owner, worth)
    return entered


def _targets(table: Table) -> list[Floats]:
    """Return standardised indicators of the classes, one of two; or the standardised number."""
    if table.classes is None:
        values = [np.asarray(table.target, dtype=np.float64)]
    else:
        codes = range(1, 2) if len(table.classes) == 2 else range(len(table.classes))
        values = [(table.target == code).astype(np.float64) for code in codes]
    return [(v - v.mean()) / v.std() for v in values if v.std() > 0]


def standardised(table: Table) -> tuple[Floats, NDArray[np.intp]]:
    """Return columns with mean 0 and variance 1, and the feature that each stands for.

    One column per value of a nominal feature (of many values, all rare ones are one); unknown
    values are set to the mean; constant columns are left out.
    """
    table = few_levels(table)
    if table.sparse is not None:
        table = replace(table, values=table.doubles)
    parts, owner = [], []
    for j, levels in enumerate(table.levels):
        column = table.column(j)
        known = ~np.isnan(column)
        codes = [column] if levels is None else _indicators(column, known, len(levels))
        parts += [np.where(known, c, c[known].mean() if known.any() else 0.0) for c in codes]
        owner += [j] * len(codes)
    columns = np.column_stack(parts) if parts else np.zeros((table.n_rows, 0))
    columns = columns - columns.mean(axis=0)
    spread = columns.std(axis=0)
    varies = spread > 1e-12 * np.maximum(1.0, np.abs(columns).max(axis=0, initial=0.0))
    return columns[:, varies] / spread[varies], np.array(owner, dtype=np.intp)[varies]


def few_levels(table: Table) -> Table:
    """Return the table with the most frequent values of each nominal feature; the rest are one.

    A column per value of a label that differs in nearly every row would make linear models slow,
    and tells nothing.
    """
    many = [j for j, own in enumerate(table.levels) if own is not None and len(own) > MOST_LEVELS]
    if not many:
        return table
    values, levels = np.array(table.doubles), list(table.levels)
    for j in many:
        known = ~np.isnan(values[:, j])
        codes = values[known, j].astype(np.intp)
        place = np.full(len(levels[j] or ()), MOST_LEVELS - 1)
        frequent = np.argsort(-np.bincount(codes, minlength=len(place)), kind="stable")
        place[frequent[: MOST_LEVELS - 1]] = np.arange(MOST_LEVELS - 1)
        values[known, j] = place[codes]
        levels[j] = tuple(range(MOST_LEVELS))
    return replace(table, X=None, values=values, levels=tuple(levels))


def _indicators(column: Floats, known: NDArray[np.bool_], levels: int) -> list[Floats]:
    """Return one column per value; of two values, one is enough."""
    values = range(levels) if levels > 2 else range(1, levels)
    return [np.where(known, (column == v).astype(np.float64), np.nan) for v in values]


def _lasso(table: Table, columns: Floats, most: int) -> list[NDArray[np.bool_]]:
    """Follow the path from knot to knot, with numbers, or with two classes as 0 and 1."""
    from sklearn.linear_model import lars_path

    if table.classes is not None and len(table.classes) > 2:
        raise InputError(
            '`model` of L1Path must be "logistic" for more than two classes, but is "lasso".'
        )
    target = np.asarray(table.target, dtype=np.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of columns that are alike, one is taken
        steps = min(2 * most + 10, 8 * min(columns.shape) + 10)
        _, _, coefficients = lars_path(
            columns, target - target.mean(), method="lasso", max_iter=steps
        )
    return [np.asarray(c != 0) for c in coefficients.T]


def _logistic(table: Table, columns: Floats, most: int) -> list[NDArray[np.bool_]]:
    """Fit at falling penalties; of several classes, take what any against the others needs."""
    if table.classes is None:
        raise InputError('`model` of L1Path must be "lasso" for a numeric target.')
    codes = range(1, 2) if len(table.classes) == 2 else range(len(table.classes))
    labels = [np.where(table.target == code, 1, 0) for code in codes]
    labels = [y for y in labels if 0 < y.sum() < len(y)]
    supports = [np.zeros(columns.shape[1], dtype=bool)]
    if not columns.shape[1] or not labels:
        return supports
    models = [_logistic_model() for _ in labels]
    for strength in _strengths(columns, labels):
        fits = [
            m.set_params(C=strength).fit(columns, y) for m, y in zip(models, labels, strict=True)
        ]
        supports.append(np.any([np.asarray(m.coef_[0] != 0) for m in fits], axis=0))
        if supports[-1].sum() > most:
            break
    return supports


def _strengths(columns: Floats, labels: list[NDArray[Any]]) -> Floats:
    """Return rising inverse penalties, from where the first coefficient appears."""
    from sklearn.svm import l1_min_c

    lowest = min(float(l1_min_c(columns, y, loss="log")) for y in labels)
    return lowest * np.geomspace(1.0, 1 / SMALLEST_PENALTY_SHARE, N_PENALTIES + 1)[1:]


def _logistic_model() -> Any:
    import sklearn
    from sklearn.linear_model import LogisticRegression

    # The penalty is chosen by its share from version 1.8 on.
    new = tuple(int(part) for part in sklearn.__version__.split(".")[:2]) >= (1, 8)
    chosen: dict[str, Any] = {"l1_ratio": 1.0} if new else {"penalty": "l1"}
    return LogisticRegression(
        solver="liblinear", warm_start=True, random_state=0, max_iter=1000, tol=1e-5, **chosen
    )
