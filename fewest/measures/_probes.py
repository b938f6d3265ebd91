"""What matters to models that are quick to train: probes, knockoffs and the path of the lasso."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from ..data._table import Table
from ._abilities import KNOCKOFFS, Importances, Question

Floats = NDArray[np.float64]

#: Copies are shuffled so often, each time for a forest of so many trees.
ROUNDS, TREES = 4, 6
#: A feature must be above so many standard deviations of its copies, or above this share of them.
DEVIATIONS, SHARE = 1.64, 0.95
#: Linear models of more columns are left out; the ridge is this share of the rows.
MOST_COLUMNS, RIDGE = 500, 0.01
#: The target is shuffled so often.
SHUFFLES = 200
#: Relations of all features together: the ridge of the linear model, in units of the variance of
#: one feature over all rows, and the most rows that are compared with one another.
PENALTY, MOST_COMPARED = 0.1, 1000
#: No more rows and values are looked at.
MOST_ROWS, MOST_VALUES = 2000, 4_000_000


def probe_importances(table: Table, question: Question) -> Importances:
    """Return by how much each feature beats its shuffled copies; 0 where it does not.

    A feature counts by itself, if it is related to the target more than 19 of 20 shuffled copies
    are; or together with others, if a linear model, or trees, that are offered the copies too use
    it more. The ``score`` of the answer is the p value of the test that the features are not
    related to the target: neither one by itself, nor all together in a linear model, nor by rows
    that are alike (signals that are weak in each feature, cancel out, or are not linear).

    The idea of probes is that of Kursa and Rudnicki (2010). The relation is the share of the
    variance of a column that the classes explain (for numbers: the squared correlation), summed
    over the dummies of a nominal feature and standardised by its own shuffles. Rows are alike by
    a Gaussian kernel of the median distance (Gretton et al., 2008). The three relations are
    compared with those after the same shuffles of the target, and so is their smallest p value.
    """
    rng = np.random.default_rng([question.seed, question.fold + 1])
    inside = np.flatnonzero(question.subset)
    rows = min(MOST_ROWS, max(50, MOST_VALUES // max(1, 2 * len(inside))))
    taken = table.sampled(np.arange(table.n_rows), rows, int(rng.integers(2**31)))
    small = replace(table, X=None).take(taken).keep(inside)
    alone, p_value = _alone(small, rng)
    values = np.full(table.n_features, np.nan)
    views = [np.zeros(len(inside)), alone, _in_trees(small, rng), _in_lines(small, rng)]
    values[inside] = np.maximum.reduce(views)
    return Importances(values, None, p_value)


def _alone(table: Table, rng: np.random.Generator) -> tuple[Floats, float]:
    """Return by how much each relation exceeds that of its copies, and the p value of the test."""
    above, *views = relations(table, rng)
    most = np.quantile(above[1:], SHARE, axis=0)
    smallest = np.min([shares_above(view) for view in views], axis=0)
    # A tie is no lead, whatever the rounding.
    return np.asarray(above[0] - most - 1e-9), float((smallest <= smallest[0]).mean())


def relations(table: Table, rng: np.random.Generator) -> list[Floats]:
    """Return the relation of each feature to the target, the largest, and those of all together.

    The first row, or value, is that of the target as it is, the others those of shuffled ones.
    """
    columns, owner = standardised(table)
    orders = [np.arange(table.n_rows), *(rng.permutation(table.n_rows) for _ in range(SHUFFLES))]
    shuffled = _indicators(table).T[:, np.array(orders)]
    explained = sum((target @ columns) ** 2 for target in shuffled)
    each = np.array([np.bincount(owner, e, minlength=table.n_features) for e in explained])
    # All orders, the observed one too: only then is it like any other where nothing is related.
    mean = each.mean(axis=0)
    above = (each - mean) / np.maximum(each.std(axis=0), 1e-12 * (1.0 + mean))
    return [above, above.max(axis=1, initial=-np.inf), *_together(columns, owner, shuffled)]


def _together(columns: Floats, owner: NDArray[np.intp], shuffled: Floats) -> list[Floats]:
    """Return, for each order of the target, its relation to all features together, in two views.

    The variance that a ridge regression explains, and how alike the targets of alike rows are.
    """
    if not len(owner):
        return []
    rows = np.unique(np.linspace(0, len(columns) - 1, MOST_COMPARED).round().astype(np.intp))
    taken = columns[rows] / np.sqrt(np.bincount(owner)[owner])
    taken = taken - taken.mean(axis=0)
    products = taken @ taken.T
    squares = np.diag(products)
    distances = squares[:, None] + squares - 2.0 * products
    alike = np.exp(-distances / max(float(np.median(distances)), 1e-300))
    alike += alike.mean() - alike.mean(axis=0) - alike.mean(axis=1)[:, None]
    ridge = PENALTY * len(rows) * np.eye(len(rows))
    explained = np.linalg.solve(products + ridge, products)
    targets = shuffled[:, :, rows]
    return [np.einsum("cor,cor->o", targets @ by, targets) for by in (explained, alike)]


def shares_above(values: Floats) -> Floats:
    """Return, for each value, the share of all values that are at least as large."""
    return 1.0 - np.searchsorted(np.sort(values), values) / len(values)


def _indicators(table: Table) -> Floats:
    """Return one orthonormal column per class, or the standardised target."""
    if table.classes is None:
        target = np.asarray(table.target, dtype=np.float64).reshape(table.n_rows, -1)
        target = target - target.mean(axis=0)
        return np.asarray(target / np.maximum(np.linalg.norm(target, axis=0), 1e-300))
    known = np.bincount(table.target, minlength=table.n_classes) > 0
    one = (table.target[:, None] == np.flatnonzero(known)).astype(np.float64)
    return np.asarray(one / np.sqrt(one.sum(axis=0)))


def _in_trees(table: Table, rng: np.random.Generator) -> Floats:
    """Return by how much trees use each feature more than its copies, in their deviations."""
    unknown = np.isnan(table.doubles)
    lowest = np.where(unknown, np.inf, table.doubles).min(axis=0, initial=0.0)
    values = np.where(unknown, lowest - 1.0, table.doubles)
    used = []
    for _ in range(ROUNDS):
        model = _trees(table, int(rng.integers(2**31)))
        offered = np.hstack([values, rng.permuted(values, axis=0)])
        used.append(model.fit(offered, table.target).feature_importances_)
    return _beyond(np.array(used))


def _in_lines(table: Table, rng: np.random.Generator) -> Floats:
    """Return the same for the squared coefficients of a linear model."""
    columns, owner = standardised(table)
    if columns.shape[1] > MOST_COLUMNS:
        return np.zeros(table.n_features)
    target, used = _indicators(table), []
    for _ in range(ROUNDS):
        offered = np.hstack([columns, rng.permuted(columns, axis=0)])
        inner = offered.T @ offered + RIDGE * len(offered) * np.eye(offered.shape[1])
        squares = (np.linalg.solve(inner, offered.T @ target) ** 2).sum(axis=1)
        own, copies = np.split(squares, 2)
        each = [np.bincount(owner, part, minlength=table.n_features) for part in (own, copies)]
        used.append(np.concatenate(each))
    return _beyond(np.array(used))


def _beyond(used: Floats) -> Floats:
    """Return by how much features exceed their copies, which follow them, in deviations."""
    own, copies = np.split(used, 2, axis=1)
    mean = copies.mean(axis=0)
    # The deviation relative to the mean is alike for all copies, so it is estimated from all.
    relative = np.sqrt(copies.var(axis=0, ddof=1).sum() / max(float((mean**2).sum()), 1e-300))
    spread = np.maximum(mean, mean.mean()) * relative
    return np.asarray((own.mean(axis=0) - mean) / np.maximum(spread, 1e-300) - DEVIATIONS)


def _trees(table: Table, seed: int) -> Any:
    from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor

    kind = ExtraTreesRegressor if table.classes is None else ExtraTreesClassifier
    return kind(TREES, max_features="sqrt", min_samples_leaf=3, random_state=seed)


#: Their covariances fill the memory beyond this.
MOST_COLUMNS = 2_000


def knockoff_statistics(table: Table, subset: NDArray[np.bool_], seed: int) -> Floats:
    """Return by how much each feature beats its copies, below 0 where a copy beats it.

    The largest absolute coefficient of the lasso, with a penalty chosen by cross-validation,
    among a feature and its copies, minus the median of the others. 0 where all are 0.
    """
    rng = np.random.default_rng(seed)
    columns, owner = _columns(table, subset)
    told = np.where(subset, 0.0, np.nan)
    if not len(owner):
        return told
    together = np.hstack([columns, *_copies(columns, rng)])
    order = rng.permutation(together.shape[1])
    weights = np.empty(together.shape[1])
    weights[order] = _coefficients(together[:, order], table)
    by_copy = weights.reshape(KNOCKOFFS + 1, len(owner))
    each = np.array([np.bincount(owner, row, minlength=table.n_features) for row in by_copy])
    lead = each.max(axis=0) - np.median(np.sort(each, axis=0)[:-1], axis=0)
    told[subset] = np.where(each[0] >= each.max(axis=0), lead, -lead)[subset]
    return told


def _columns(table: Table, subset: NDArray[np.bool_]) -> tuple[Floats, NDArray[np.intp]]:
    """Return standardised columns without the last dummy of each feature, which follows."""
    columns, owner = standardised(table)
    several = np.bincount(owner, minlength=table.n_features)[owner] > 1
    last = np.append(owner[1:] != owner[:-1], True)
    kept = subset[owner] & ~(several & last)
    if kept.sum() > MOST_COLUMNS:
        raise InputError(
            f"knockoffs take at most {MOST_COLUMNS:,} columns, but there are {kept.sum():,}; "
            "choose some by `screen`."
        )
    return columns[:, kept], owner[kept]


def _copies(columns: Floats, rng: np.random.Generator) -> list[Floats]:
    """Return copies with the covariances of the columns, drawn given the columns.

    Second-order knockoffs (Candès et al., 2018, section 3.4.2), equicorrelated, several at once
    (Gimenez and Zou, 2019), for correlations shrunken as Ledoit and Wolf (2004) do.
    """
    from sklearn.covariance import ledoit_wolf

    n, d = columns.shape
    shape, count = ledoit_wolf(columns, assume_centered=True)[0], KNOCKOFFS
    lowest = float(np.linalg.eigvalsh(shape)[0])
    s = 0.99 * min(1.0, (count + 1) / count * lowest)
    pull = s * np.linalg.inv(shape)
    mean = columns - columns @ pull
    spread = (count + 1) / count * s * np.eye(d) - s * pull
    values, vectors = np.linalg.eigh((spread + spread.T) / 2)
    common = rng.standard_normal((n, d)) @ (vectors * np.sqrt(np.maximum(values, 0.0))).T
    own = np.sqrt(s) * rng.standard_normal((count, n, d))
    return [mean + common + part for part in own - own.mean(axis=0)]


def _coefficients(columns: Floats, table: Table) -> Floats:
    """Return absolute coefficients of the lasso; classes are indicators, added up."""
    from sklearn.linear_model import LassoCV

    targets = list(np.asarray(table.target, dtype=np.float64).reshape(len(columns), -1).T)
    if table.classes is not None:
        present = np.unique(table.target)
        targets = [(table.target == c).astype(np.float64) for c in present[len(present) == 2 :]]
    total = np.zeros(columns.shape[1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a penalty so small that it does not converge
        for target in targets:
            model = LassoCV(alphas=30, eps=1e-2, cv=5).fit(columns, target)
            total += np.abs(model.coef_)
    return total


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
        codes = [column] if levels is None else _level_columns(column, known, len(levels))
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


def _level_columns(column: Floats, known: NDArray[np.bool_], levels: int) -> list[Floats]:
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
