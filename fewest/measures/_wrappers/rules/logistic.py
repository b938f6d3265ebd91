"""LogisticRegression at its optimum, whatever the solver."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.class_weight import compute_class_weight

from ...._kernels.linear.newton import curvature, slopes, solve_logistic
from ...._kernels.scoring.probabilities import ODDS
from ...._kernels.scoring.ranks import row_keys
from ....data._table import Table
from ..._steps import Steps
from ..metrics.metric import Floats, Ints, Metric, Responses
from ..sources.pipelines import FoldColumns, Source
from .rule import Bools, Rule, Size

SOLVERS = ("lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga")
#: Penalties beyond this hold a coefficient at zero as well.
HARDEST = 1e200
#: Decision values are wrong by at most this many last steps; those that may be wrong by more
#: than ``LOOSE`` are left to the estimator.
SAFE, LOOSE = 4.0, 1e-5
#: Decision values near nothing are rounded to this many units of 1.
ROUNDED = 64.0
#: Columns and coefficients of a model that is solved here; larger ones are trained.
WIDEST, LARGEST = 256, 4096
#: A batch of this many candidates starts from the solution over all columns, if it has at most
#: so many coefficients.
MANY, WHOLE = 16, 256
#: Coefficients of the candidates that are solved at once.
HELD = 1 << 21
#: Rows of a fold whose side the estimator may see otherwise, and multiples of its ``tol`` by which
#: other scores may be away, once it has converged.
SIDES, UNITS = 3.0, 100.0
#: liblinear refuses larger numbers.
LIBLINEAR = 1e30


@dataclass(eq=False)
class Training:
    """Standardised training and test rows of a fold, columns first; the intercept comes last."""

    columns: FoldColumns  #: Without values: which feature each column belongs to.
    lost: Bools  #: (features,): features that only the estimator can take in this fold.
    #: From here to ``shared`` as for :func:`~fewest._kernels.linear.newton.solve_logistic`.
    x: Floats
    code: Ints
    weight: Floats
    penalty: Floats
    shared: float
    dead: Bools  #: (columns,): columns whose coefficient is zero.
    test: Floats  #: (columns, test rows)
    centre: Floats  #: (columns,): what was taken from each column, in units of its spread.
    bits: Ints  #: (columns, test rows): the test rows as they were.
    best: tuple[Floats, Floats] | None = None

    @property
    def outputs(self) -> int:
        """Number of classes without the first."""
        return round(1.0 / self.shared) - 1 if self.shared else 1

    def masks(self, candidates: Bools) -> Bools:
        """Return the columns that each candidate has a coefficient for."""
        chosen = self.columns.expand(candidates) & ~self.dead
        always = np.ones((len(chosen), len(self.x) - chosen.shape[1]), dtype=bool)
        return np.hstack([chosen, always])


class LogisticRule(Rule):
    """Logistic regression with an L2 penalty or none, solved to the optimum.

    Notes
    -----
    All solvers of scikit-learn have this optimum; where one stops early, its answers differ.
    Columns are standardised, with penalties that make up for it. liblinear penalises the
    intercept, so that its columns are scaled but not centred; the same without an intercept.
    """

    shares_steps: ClassVar[bool] = True

    def __init__(self, model: Any, source: Source, weight: Floats | None) -> None:
        super().__init__(model, source, weight)
        self.outputs = 1 if source.table.n_classes == 2 else source.table.n_classes
        self.folds: list[Training | None] = [None] * len(source.splits)

    @classmethod
    def refusal(cls, model: Any, table: Table) -> str | None:
        """Return why this model must be trained."""
        if model.solver not in SOLVERS:
            return f"solver={model.solver!r} is not known"
        if not _plain(model):
            return "only the L2 penalty, or none, has a fast path"
        if model.solver == "liblinear" and table.n_classes > 2:
            return "liblinear has no model of more than two classes"
        if model.solver == "liblinear" and not np.isfinite(_strength(model)):
            return "liblinear needs a penalty"
        if model.dual and model.solver != "liblinear":
            return "dual=True is for liblinear only"
        return None if _valid(model) else "a parameter of the model is out of range"

    @classmethod
    def cost(cls, model: Any, size: Size) -> float:
        """Return the operations of three second derivatives and ten gradients."""
        outputs = max(1, size.classes - 1)
        wide = size.columns * outputs
        curved = size.rows * size.columns * wide * (outputs + 1) / 2 + wide**3 / 3
        return size.folds * (3.0 * curved + 10.0 * 4.0 * size.rows * wide)

    def respond(self, fold: int, batch: Any) -> tuple[Responses, Bools]:
        """Return decision values at the optimum; steps begin at the solution of their base."""
        data, candidates = self._training(fold), np.asarray(batch, dtype=bool)
        if data is None:
            return self.leave(fold, candidates)
        start, whole = self._start(data, batch)
        masks, rows = data.masks(candidates), data.test.shape[1]
        m, d, outputs = len(masks), len(data.x), data.outputs
        values, slack, reach = np.empty((m, outputs, rows)), np.empty((m, rows)), np.abs(data.test)
        unsure = data.columns.unsure(candidates) | (candidates & data.lost).any(axis=1)
        width = masks.sum(axis=1)
        unsure |= (width > WIDEST) | (outputs * width > LARGEST)
        masks[unsure] = False
        step = max(1, HELD // (outputs * d))
        for low in range(0, m, step):
            part = slice(low, low + step)
            weights, moves, solved = solutions(data, masks[part], start, whole)
            rounding = self.source.precision * (8.0 + float(masks[part].sum(axis=1).max()))
            values[part], off = weights @ data.test, SAFE * np.abs(moves) @ reach
            near = rounding * np.abs(weights) @ (reach + data.centre[:, None])
            slack[part] = (off + near).sum(axis=1)
            unsure[part] |= ~(solved & (off.max(axis=(1, 2), initial=0.0) <= LOOSE))
        # Probabilities are rounded, and with them the sums that hold the intercept in place.
        slack += ROUNDED * self.source.precision
        if outputs > 1:
            values = np.concatenate([np.zeros((m, 1, rows)), values], axis=1)
            values -= values.mean(axis=1, keepdims=True)

        def keys(some: Ints) -> NDArray[np.uint64]:
            return np.asarray(row_keys(data.bits, data.columns.expand(candidates[some])))

        return Responses(values, slack, False, ODDS, keys), unsure

    def tolerance(self, metric: Metric) -> float:
        """Return how far the estimator, which stops where slopes are below ``tol``, may be away.

        A few rows near a border may change sides; other scores may move by a multiple of ``tol``.
        """
        fewest = min(len(test) for _, test in self.source.splits)
        if metric.asks == "labels":
            return SIDES / max(1, fewest)
        return max(super().tolerance(metric), UNITS * float(self.model.tol))

    def training_weights(self, fold: int) -> Floats | None:
        """Return the weights of the training rows; "balanced" counts rows by their weight."""
        train, table = self.source.splits[fold][0], self.source.table
        own = None if self.weight is None else self.weight[train]
        if self.model.class_weight is None:
            return own
        assert table.classes is not None
        codes = self.labels(fold)
        given: dict[str, Any] = {"classes": table.classes[codes]}
        if "sample_weight" in inspect.signature(compute_class_weight).parameters:
            given["sample_weight"] = own
        labels = table.classes[table.target[train]]
        factor = compute_class_weight(self.model.class_weight, y=labels, **given)
        found: Floats = factor[np.searchsorted(codes, table.target[train])].astype(np.float64)
        return found if own is None else own * found

    def _training(self, fold: int) -> Training | None:
        """Return the rows of a fold; None where no model can be trained."""
        with self._lock:
            if self.folds[fold] is None and len(self.labels(fold)) > 1:
                self.folds[fold] = self._prepared(fold)
            return self.folds[fold]

    def _prepared(self, fold: int) -> Training | None:
        train, test = self.source.splits[fold]
        try:
            weight = self.training_weights(fold)
        except ValueError:  # weights of classes that a fold lacks: the estimator says so
            return None
        weight = np.ones(len(train)) if weight is None else weight
        whole = float(weight.mean())
        if not 0.0 < whole < np.inf:
            return None
        columns, strength = self.source.columns(fold), _strength(self.model)
        intercept, free = self.model.fit_intercept, self.model.solver != "liblinear"
        x, tests, size, centre = _standardised(columns.values, train, test, intercept and free)
        with np.errstate(divide="ignore", over="ignore"):
            penalty = np.minimum((1.0 / size) ** 2 / (strength * whole), HARDEST)
        dead = size == 0.0
        lost = np.zeros(len(columns.unusable), dtype=bool)
        if not np.isfinite(strength):
            lost[
                columns.owner[dead & (columns.values[test] != columns.values[train[0]]).any(0)]
            ] = 1
        wild = ~np.isfinite(tests).all(axis=1)
        lost[columns.owner[wild]], tests[wild] = True, 0.0
        if not free:
            lost[columns.owner[columns.values[train].max(axis=0, initial=0.0) > LIBLINEAR]] = True
        bits = np.ascontiguousarray(columns.values[test].T + 0.0).view(np.int64)
        if intercept:
            one = (
                0.0 if free else 1.0 / (strength * whole * float(self.model.intercept_scaling) ** 2)
            )
            x, tests = (np.vstack([part, np.ones(part.shape[1])]) for part in (x, tests))
            penalty, centre = np.append(penalty, one), np.append(centre, 0.0)
        labels = self.labels(fold)
        code = np.searchsorted(labels, self.source.table.target[train]).astype(np.int64)
        shared = 0.0 if len(labels) == 2 else 1.0 / len(labels)
        kept = FoldColumns(np.empty((0, len(columns.owner))), columns.owner, columns.unusable)
        return Training(
            kept, lost, x, code, weight / whole, penalty, shared, dead, tests, centre, bits
        )

    def _start(self, data: Training, batch: Bools | Steps) -> tuple[Floats, Floats]:
        """Return where a batch starts: large ones from the solution over all columns."""
        if isinstance(batch, Steps):
            base = np.asarray(batch.base, dtype=bool)[None]
            if not data.columns.unsure(base)[0]:
                return solutions(data, data.masks(base), *_cold(data))[0][0], np.empty((0, 0))
        if len(batch) < MANY or data.outputs * len(data.x) > WHOLE:
            return _cold(data)
        with self._lock:
            if data.best is None:
                data.best = _whole(data)
            return data.best


def solutions(
    data: Training, masks: Bools, start: Floats, whole: Floats
) -> tuple[Floats, Floats, Bools]:
    """Return the coefficients of each mask, the last steps, and whether steps ended."""
    m, d = masks.shape
    weights, moves = np.empty((m, data.outputs, d)), np.empty((m, data.outputs, d))
    solved = np.empty(m, dtype=bool)
    solve_logistic(
        data.x, data.code, data.weight, data.penalty, data.shared, masks, start, whole, weights,
        moves, solved,
    )  # fmt: skip
    return weights, moves, solved


def _cold(data: Training) -> tuple[Floats, Floats]:
    return np.zeros((data.outputs, len(data.x))), np.empty((0, 0))


def _whole(data: Training) -> tuple[Floats, Floats]:
    """Return the solution over all columns, and the second derivatives there."""
    d, n = data.x.shape
    mask = np.append(~data.dead, np.ones(d - len(data.dead), dtype=bool))
    weights, _, solved = solutions(data, mask[None], *_cold(data))
    if not solved[0]:
        return _cold(data)
    share, slope = np.empty((data.outputs, n)), np.empty((data.outputs, d))
    given = data.code, data.weight, data.penalty, data.shared
    slopes(data.x, *given, weights[0], share, slope)
    lower = np.empty((data.outputs * d, data.outputs * d))
    curvature(data.x, *given[1:], share, lower)
    return weights[0], lower


def _standardised(
    values: Floats, train: NDArray[Any], test: NDArray[Any], centred: bool
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return training and test rows, columns first, the spread, and what was taken away.

    Columns are divided by a power of 2 near their largest number first: squares neither overflow
    nor vanish, and nothing is rounded where a column is far from zero.
    """
    x, tests = np.ascontiguousarray(values[train].T), np.ascontiguousarray(values[test].T)
    top = np.abs(x).max(axis=1, keepdims=True, initial=0.0)
    unit = np.where(top > 0.0, np.ldexp(1.0, np.frexp(top)[1] - 1), 1.0)
    with np.errstate(over="ignore", invalid="ignore"):
        x, tests = x / unit, tests / unit
        same = (x == x[:, :1]).all(axis=1, keepdims=True)
        middle = np.where(same, x[:, :1], x.mean(axis=1, keepdims=True)) if centred else 0.0
        x, tests = x - middle, tests - middle
        spread = np.sqrt((x * x).mean(axis=1, keepdims=True))
        scale = np.where(spread > 0.0, spread, 1.0)
        x, tests = x / scale, tests / scale
        centre = np.abs(np.broadcast_to(middle, spread.shape) / scale)
        return x, tests, (unit * spread)[:, 0], centre[:, 0]


def _strength(model: Any) -> float:
    return np.inf if getattr(model, "penalty", "deprecated") is None else float(model.C)


def _plain(model: Any) -> bool:
    """Return whether the penalty is L2, or there is none."""
    penalty, ratio = getattr(model, "penalty", "deprecated"), getattr(model, "l1_ratio", 0)
    if penalty == "deprecated":
        return ratio in (0, None) or bool(np.isposinf(model.C))
    return penalty in ("l2", None) or (penalty == "elasticnet" and ratio == 0)


def _valid(model: Any) -> bool:
    """Return whether scikit-learn takes the parameters that are not looked at elsewhere."""
    positive = (model.C, model.tol, model.intercept_scaling)
    numbers = all(isinstance(value, Real) and float(value) > 0.0 for value in positive)
    steps = isinstance(model.max_iter, Integral) and int(model.max_iter) >= 0
    by_class = model.class_weight is None or isinstance(model.class_weight, dict)
    joined = getattr(model, "multi_class", "deprecated") in ("deprecated", "auto")
    return numbers and steps and joined and (by_class or model.class_weight == "balanced")
