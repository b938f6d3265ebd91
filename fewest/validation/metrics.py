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


def default_margin(validation: Validation) -> float:
    """One percentage point, or one standard error where the score has no such scale."""
    if out_of_one(validation.metric):
        return POINT
    return standard_error(validation.baseline_scores, validation.splits_overlap)
