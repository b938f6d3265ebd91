"""fewest: the fewest features that keep (or raise) what a model can do, and the truth about it.

Everything public is here; each name loads what it needs when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._errors import InputError
from ._lazy_names import add_lazy_names as _add_lazy_names
from ._run import views as _views
from ._version import __version__

#: Where the public names stand.
_HOME = {
    "Check": "data._checking.finding",
    "Comparison": "_validation.comparison",
    "FeatureWeighter": "_feature_weighter",
    "JointBehaviour": "_joint.behaviour",
    "NetworkLearner": "networks._learner",
    "Result": "_run.result",
    "SubsetSelector": "_subset_selector",
    "Validation": "_validation.validation",
    "check": "data._checking.table_check",
    "compare": "_validation.comparison",
    "corrected_score": "_validation.corrected",
    "evidence": "_models.posterior_inclusion",
    "joint_behaviour": "_joint.behaviour",
    "list_measures": "measures._measure_names",
    "list_searches": "search._search_names",
    "load": "data._load",
    "permutation_test": "_validation.permutation",
    "score_subsets": "_score_subsets",
    "validate": "_validation.external",
}
_ROOMS = {"classifiers", "data", "extend", "measures", "networks", "search", "stop", "testing"}

# Written by `python -m tests.public_names` from the table above.
# names: begin
if TYPE_CHECKING:
    from . import classifiers as classifiers
    from . import data as data
    from . import extend as extend
    from . import measures as measures
    from . import networks as networks
    from . import search as search
    from . import stop as stop
    from . import testing as testing
    from ._feature_weighter import FeatureWeighter
    from ._joint.behaviour import JointBehaviour, joint_behaviour
    from ._models.posterior_inclusion import evidence
    from ._run.result import Result
    from ._score_subsets import score_subsets
    from ._subset_selector import SubsetSelector
    from ._validation.comparison import Comparison, compare
    from ._validation.corrected import corrected_score
    from ._validation.external import validate
    from ._validation.permutation import permutation_test
    from ._validation.validation import Validation
    from .data._checking.finding import Check
    from .data._checking.table_check import check
    from .data._load import load
    from .measures._measure_names import list_measures
    from .networks._learner import NetworkLearner
    from .search._search_names import list_searches

__all__ = [
    "Check", "Comparison", "FeatureWeighter", "InputError", "JointBehaviour", "NetworkLearner",
    "Result", "SubsetSelector", "Validation", "__version__", "check", "compare", "corrected_score",
    "evidence", "joint_behaviour", "list_measures", "list_searches", "load", "permutation_test",
    "score_subsets", "validate",
]  # fmt: skip
# names: end


def _figure(subject: Any, kind: str = "main", **options: Any) -> Any:
    from ._report import figures

    return figures.draw(subject, kind, **options)


def _screen(subject: Any) -> str | None:
    from ._report.page import notebook_html

    try:
        return notebook_html(subject)
    except InputError:
        return None  # Without jinja2 a notebook shows the text.


def _text(subject: Any, details: bool = False) -> str:
    from ._report.text import describe

    return describe(subject, details)


def _page(subject: Any, path: Any) -> None:
    from ._report.page import write

    write(subject, path)


def _honest(result: Any, scoring: Any, table: Any) -> Any:
    """Return the honest numbers that the curve of a result stands for."""
    from ._validation.schemes import guess_of, metric_name
    from ._validation.validation import Validation

    curve = result.curve
    if curve is None or curve.everything is None or curve.folds.shape[1] < 2:
        return None
    metric = metric_name(scoring, table)
    choice = result.extra.get("models", {}).get("optimism", 0.0)
    known = {"seed": result.seed, "settings": {"rows": table.n_rows, "choice": choice}}
    guess = guess_of(table, metric)
    return Validation.of_curve(curve, result.names, metric, guess, choice, **known).to_dict()


def _held_out(curve: Any, scorer: Any) -> dict[str, Any] | None:
    """Return what the predictions behind an honest curve show beside the score."""
    from ._validation.held_out import of_curve

    return of_curve(curve, scorer)


_views.provide("figure", _figure)
_views.provide("held-out", _held_out)
_views.provide("honest", _honest)
_views.provide("html", _screen)
_views.provide("page", _page)
_views.provide("text", _text)

_add_lazy_names(globals(), _HOME, _ROOMS)
