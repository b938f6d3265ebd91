"""What a score is: its name, the selector's own scoring, and a margin in its units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..data.table import Table
from ..measures.base import Measure
from .significance import POINT, standard_error

if TYPE_CHECKING:
    from .validation import Validation

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
    """The scoring that guides a selector: its own parameter, or that of its measure."""
    own = getattr(selector, "scoring", None)
    return getattr(measure, "scoring", None) if own is None else own


def metric_name(scoring: Any, table: Table) -> str:
    """The name of a score; None is what scikit-learn takes for classes or for numbers."""
    if scoring is None:
        return "accuracy" if table.classes is not None else "R²"
    if isinstance(scoring, str):
        return scoring
    function = getattr(scoring, "_score_func", scoring)
    return str(getattr(function, "__name__", "score"))


def out_of_one(metric: str) -> bool:
    """Whether a metric is at most 1.

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


def default_margin(validation: Validation) -> float:
    """One percentage point, or one standard error where the score has no such scale."""
    if out_of_one(validation.metric):
        return POINT
    return standard_error(validation.baseline_scores, validation.splits_overlap)
