"""fewest: the fewest features that keep (or raise) what a model can do, and the truth about it.

Everything public is here; each name loads what it needs when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._version import __version__
from .run import views as _views

if TYPE_CHECKING:
    from . import (
        classifiers as classifiers,
    )
    from . import (
        data as data,
    )
    from . import (
        errors as errors,
    )
    from . import (
        joint as joint,
    )
    from . import (
        measures as measures,
    )
    from . import (
        models as models,
    )
    from . import (
        report as report,
    )
    from . import (
        reproduce as reproduce,
    )
    from . import (
        run as run,
    )
    from . import (
        search as search,
    )
    from . import (
        testing as testing,
    )
    from . import (
        validation as validation,
    )
    from .data import load
    from .data.checking.check import check
    from .data.checking.finding import Check
    from .joint.behaviour import JointBehaviour, joint_behaviour
    from .measures.registry import list_measures
    from .models.evidence import evidence
    from .network import NetworkLearner
    from .run.result import Result
    from .score import score_subsets
    from .search.registry import list_searches
    from .select import SubsetSelector
    from .validation.compare import Comparison, compare
    from .validation.corrected import corrected_score
    from .validation.external import validate
    from .validation.permutation import permutation_test
    from .validation.validation import Validation
    from .weigh import FeatureWeighter

__all__ = [
    "Check",
    "Comparison",
    "FeatureWeighter",
    "JointBehaviour",
    "NetworkLearner",
    "Result",
    "SubsetSelector",
    "Validation",
    "__version__",
    "check",
    "compare",
    "corrected_score",
    "evidence",
    "joint_behaviour",
    "list_measures",
    "list_searches",
    "load",
    "permutation_test",
    "score_subsets",
    "validate",
]

_HOME = {
    "Check": "data.checking.finding",
    "Comparison": "validation.compare",
    "FeatureWeighter": "weigh",
    "JointBehaviour": "joint.behaviour",
    "NetworkLearner": "network",
    "Result": "run.result",
    "SubsetSelector": "select",
    "Validation": "validation.validation",
    "check": "data.checking.check",
    "compare": "validation.compare",
    "corrected_score": "validation.corrected",
    "evidence": "models.evidence",
    "joint_behaviour": "joint.behaviour",
    "list_measures": "measures.registry",
    "list_searches": "search.registry",
    "load": "data",
    "permutation_test": "validation.permutation",
    "score_subsets": "score",
    "validate": "validation.external",
}
_ROOMS = {
    "classifiers",
    "data",
    "errors",
    "joint",
    "measures",
    "models",
    "report",
    "reproduce",
    "run",
    "search",
    "testing",
    "validation",
}


def _figure(subject: Any, **options: Any) -> Any:
    from .report.figures import plot

    return plot(subject, **options)


def _screen(subject: Any) -> str | None:
    from .errors import InputError
    from .report.notebook import show

    try:
        return show(subject).html
    except InputError:
        return None  # Without jinja2 a notebook shows the text.


def _honest(result: Any, scoring: Any, table: Any) -> dict[str, Any] | None:
    """Return the honest numbers that the curve of a result stands for."""
    from .validation.metrics import metric_name
    from .validation.validation import Validation

    curve = result.curve
    if curve is None or curve.everything is None or curve.folds.shape[1] < 2:
        return None
    metric = metric_name(scoring, table)
    known = {"seed": result.seed, "settings": result.settings}
    return Validation.of_curve(curve, result.names, metric, **known).to_dict()


_views.provide("figure", _figure)
_views.provide("honest", _honest)
_views.provide("html", _screen)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
    if name in _ROOMS:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module 'fewest' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_ROOMS])
