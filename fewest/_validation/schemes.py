"""External loops: their splits, what they cost, and what is measured."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

from .._errors import InputError, brief
from .._run.versions import object_text, versions
from .._version import __version__
from ..data._table import Table
from ..measures._measure import Measure
from ..measures._wrappers.row_data import check_read
from ..measures._wrappers.splits import past_splits
from .significance import POINT, SHAPE, Split, standard_error, worth_of_guessing

if TYPE_CHECKING:
    from .._run.result import Result
    from .validation import Validation


#: The scheme that repeats a cross-validation until its verdict is steady.
AUTO = "auto"
#: Its folds, and how often they are repeated at least and at most.
FOLDS, LEAST_REPETITIONS, MOST_REPETITIONS = 10, 3, 10


def auto_folds(table: Table) -> int:
    """Return the number of folds of ``scheme="auto"``: 10, or what small classes and groups allow.

    >>> from fewest.testing import toy_table
    >>> auto_folds(toy_table(n_features=2))
    10
    """
    most = [FOLDS, table.n_rows // 2]
    if table.classes is not None:
        counts = np.bincount(table.target)
        most.append(int(counts[counts > 0].min()))
    groups = table.metadata.get("groups")
    if groups is not None:
        most.append(len(np.unique(np.asarray(groups))))
    return max(2, min(most))


#: Windows in time, where a scheme has only two folds.
WINDOWS = 5


def external_splits(scheme: Any, table: Table, rng: np.random.Generator) -> list[Split]:
    """Return the splits of ``"5x2cv"`` (five times two folds), ``"1x10cv"``, or a splitter."""
    if "time" in table.metadata:
        return _windows(scheme, table)
    if hasattr(scheme, "split") and not isinstance(scheme, str | bytes | bytearray):
        groups = table.metadata.get("groups")
        return [(a, b) for a, b in scheme.split(np.zeros(table.n_rows), table.y, groups)]
    repetitions, folds = scheme_shape(scheme)
    groups = table.metadata.get("groups")
    _check_rows(table, folds)
    splits: list[Split] = []
    for _ in range(repetitions):
        splitter = _shuffled(table, folds, int(rng.integers(2**31)))
        with warnings.catch_warnings():
            # Small classes are reported once, with their names, by `warn_of_small_classes`.
            warnings.filterwarnings("ignore", message="The least populated class")
            splits += splitter.split(np.zeros(table.n_rows), table.target, groups)
    return splits


def _windows(scheme: Any, table: Table) -> list[Split]:
    """Return windows in time, each after its training rows: as many as folds, or 5."""
    if isinstance(scheme, str):
        folds = 2 if scheme == AUTO else scheme_shape(scheme)[1]
        return past_splits(table, folds if folds > 2 else WINDOWS)
    check_read(["time"], None, scheme)
    return past_splits(table, scheme)


def scheme_shape(scheme: Any) -> tuple[int, int]:
    """Repetitions and folds of a scheme by name; of "auto", the fewest.

    >>> scheme_shape("5x2cv")
    (5, 2)
    """
    if isinstance(scheme, str) and scheme == AUTO:
        return LEAST_REPETITIONS, FOLDS
    shape = SHAPE.match(scheme) if isinstance(scheme, str) else None
    if shape is None or int(shape[1]) < 1 or int(shape[2]) < 2:
        raise InputError(
            '`scheme` must be "auto", like "5x2cv" (5 repetitions of 2 folds) or a scikit-learn '
            f"splitter, but is {brief(scheme)}."
        )
    return int(shape[1]), int(shape[2])


def _shuffled(table: Table, folds: int, seed: int) -> Any:
    """Return a splitter that keeps classes balanced, and the rows of a group on one side."""
    options = {"n_splits": folds, "shuffle": True, "random_state": seed}
    if table.metadata.get("groups") is None:
        return KFold(**options) if table.classes is None else StratifiedKFold(**options)
    return GroupKFold(**options) if table.classes is None else StratifiedGroupKFold(**options)


def _check_rows(table: Table, folds: int) -> None:
    if table.n_rows < 2 * folds:
        raise InputError(
            f"`scheme` cuts the rows into {folds} folds, which needs at least {2 * folds} rows, "
            f"but there are {table.n_rows}."
        )
    if table.classes is not None:
        counts = np.bincount(table.target, minlength=table.n_classes)
        if counts.max() < folds:
            raise InputError(
                f"`scheme` cuts the rows into {folds} folds, but no class has that many rows."
            )


#: What ``--validate`` takes.
WAYS = ("auto", "nested", "corrected", "none")
#: One pass over the rows in selections on training parts, over one selection on all rows: ten
#: selections on half of the rows each (five passes) take as long as six on all rows.
PASS_COST = 1.2
#: Operations per second that estimates reckon with: no clock is read, so that the same data and
#: seed get the same estimates on every machine.
OPERATIONS_PER_SECOND = 1e9
#: Nested validation that would take longer than this is not started by itself.
SLOW_SECONDS = 300.0
#: In place of "auto" where that would be slow, or where time is limited.
CHEAPER = "5x2cv"
#: A search that takes no longer is replayed even where nested validation is made.
QUICK_SECONDS = 1.0


def check_way(way: Any) -> None:
    """Raise a sentence unless ``way`` is one of :data:`WAYS`."""
    if way not in WAYS:
        raise InputError(f"`--validate` must be one of {', '.join(WAYS)}, but is {brief(way)}.")


def affordable_scheme(scheme: str, result: Result, *, limited: bool) -> str:
    """Return the scheme, or in place of "auto" the cheaper "5x2cv" where that takes long."""
    if scheme == AUTO and (limited or _seconds(scheme, result) > SLOW_SECONDS):
        return CHEAPER
    return scheme


def _seconds(scheme: str, result: Result) -> float:
    """Estimate how long an external loop takes, from the operations of the selection."""
    repetitions, folds = scheme_shape(scheme)
    own = float(result.extra.get("operations", 0.0)) / OPERATIONS_PER_SECOND
    return PASS_COST * repetitions * (folds - 1) * own


def estimates(
    way: str, result: Result, *, limited: bool, scheme: str = AUTO
) -> tuple[bool, bool, list[str]]:
    """Return whether to validate, whether to replay the search, and what to say of it.

    Parameters
    ----------
    way : one of :data:`WAYS`
    result : what the selection gave, and how many operations it took
    limited : whether a time budget limits the validation anyway
    scheme : the external loop, "auto" or like "5x2cv"
    """
    if way != "auto":
        return way == "nested", way == "corrected", []
    if result.curve is not None and result.honest is not None:
        # The curve of the search has judged the whole procedure already.
        return False, False, []
    has_folds = result.folds is not None
    own = result.extra.get("operations", 0.0) / OPERATIONS_PER_SECOND
    seconds = _seconds(scheme, result)
    if limited or seconds <= SLOW_SECONDS:
        return True, has_folds and own <= QUICK_SECONDS, []
    slow = f"Nested validation would take about {seconds / 60:.0f} minutes"
    remedy = "`--validate nested` makes it."
    if not has_folds:
        return False, False, [f"{slow}, so it was left out; {remedy}"]
    return False, True, [f"{slow}, so the search is replayed where it can be; {remedy}"]


#: Scorers whose values are at most 1 and comparable between data sets: a point is a point.
OUT_OF_ONE = {
    "accuracy", "balanced_accuracy", "roc_auc", "average_precision", "top_k_accuracy",
    "R²", "r2", "explained_variance",
}  # fmt: skip
#: How the names of metrics between 0 and 1 begin.
SHARES = (
    "accuracy", "average_precision", "f1", "jaccard", "precision", "recall", "roc_auc", "top_k",
)  # fmt: skip
#: Metrics that may be negative, but are 1 at best.
AT_MOST_ONE = {
    "R²", "r2", "explained_variance", "balanced_accuracy", "matthews_corrcoef",
}  # fmt: skip
FAMILIES = ("f1", "precision", "recall", "jaccard", "roc_auc")


def own_scoring(selector: Any, measure: Measure) -> Any:
    """Return the scoring that guides a selector: its own parameter, or that of its measure."""
    own = getattr(selector, "scoring", None)
    return getattr(measure, "scoring", None) if own is None else own


def metric_name(scoring: Any, table: Table) -> str:
    """Return the name of a score; None is what scikit-learn takes for classes or for numbers."""
    if scoring is None:
        return "accuracy" if table.classes is not None else "R²"
    if isinstance(scoring, str):
        return scoring
    function = getattr(scoring, "_score_func", scoring)
    return str(getattr(function, "__name__", "score"))


def out_of_one(metric: str) -> bool:
    """Return whether a metric is at most 1.

    >>> out_of_one("f1_macro"), out_of_one("neg_log_loss")
    (True, False)
    """
    return metric in OUT_OF_ONE or metric.startswith(FAMILIES)


def within_range(metric: str | None, low: float, high: float) -> tuple[float, float]:
    """Return an interval cut where the metric ends: shares of cases at 0 and 1, errors at 0.

    >>> within_range("accuracy", 0.93, 1.02), within_range("R²", -0.5, 1.1)
    ((0.93, 1.0), (-0.5, 1.0))
    """
    if metric is None:
        return low, high
    if metric.startswith("neg_"):
        return low, min(high, 0.0)
    if metric.startswith(SHARES):
        return max(low, 0.0), min(high, 1.0)
    return low, min(high, 1.0) if metric in AT_MOST_ONE else high


def guess_of(table: Table, metric: str) -> float | None:
    """Return what an accuracy without any feature is worth; None where the folds show it."""
    if metric != "accuracy" or table.classes is None or table.n_targets > 1:
        return None
    if "time" in table.metadata or "sample_weight" in table.metadata:
        return None
    return worth_of_guessing(table.target, table.metadata.get("groups"))


def default_margin(validation: Validation) -> float:
    """Return one percentage point, or one standard error where the score has no such scale."""
    if out_of_one(validation.metric):
        return POINT
    return standard_error(validation.baseline_scores, validation.splits_overlap)


#: What a selection tells of itself that is the same in every external fold.
SAME = ("search", "measure", "space", "stop", "consensus")


def settings_of(
    selector: Any, told: dict[str, Any], estimator: Any, scoring: Any, table: Table
) -> dict[str, Any]:
    """Return how the selections were made and judged; ``told`` is what the first of them says."""
    chosen = {key: told[key] for key in SAME if key in told}
    return {
        **(chosen or {"selector": object_text(selector)}),
        "choose": getattr(selector, "choose", None),
        "estimator": object_text(estimator),
        "scoring": None if scoring is None else object_text(scoring),
        "data": table.fingerprint,
        "rows": table.n_rows,
        "fewest": __version__,
        "versions": versions(),
    }
