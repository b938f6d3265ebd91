"""The measures by name. A new measure is one file and one line here."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
from typing import Any

from ..errors import InputError, brief
from .base import Measure
from .estimators import ESTIMATORS, PACKAGES, is_estimator_name, named_estimator

#: Measures other than cross-validated estimators: module (in this package) and class.
MEASURES: dict[str, str] = {
    "inconsistency": "consistency.inconsistency:Inconsistency",
    "mdl": "networks.mdl:MDL",
    "mdl-fs": "networks.mdl_fs:MDLFS",
    "call": "networks.likelihood:CALL",
    "log-likelihood": "networks.likelihood:LogLikelihood",
    "conditional-log-likelihood": "networks.likelihood:ConditionalLogLikelihood",
    "cfs": "filters.cfs:CFS",
    "koller-sahami": "filters.koller_sahami:KollerSahami",
    "mrmr": "filters.mrmr:MRMR",
    "jmi": "filters.mrmr:JMI",
    "cmim": "filters.cmim:CMIM",
    "information-gain": "filters.rankings:InformationGain",
    "gain-ratio": "filters.rankings:GainRatio",
    "symmetric-uncertainty": "filters.rankings:SymmetricUncertainty",
    "relieff": "filters.relief:ReliefF",
    "pearson": "regression.filters:Pearson",
    "f-test": "regression.filters:FTest",
    "cfs-regression": "regression.filters:CorrelationCFS",
    "mrmr-f": "regression.filters:CorrelationMRMR",
    "mrmr-information": "regression.information:InformationMRMR",
    "rrelieff": "regression.distances:RReliefF",
    "distance-correlation": "regression.distances:DistanceCorrelation",
    "rss": "regression.criteria:RSS",
    "aic": "regression.criteria:AIC",
    "bic": "regression.criteria:BIC",
    "adjusted-r2": "regression.criteria:AdjustedR2",
    "mallows-cp": "regression.criteria:MallowsCp",
    "weighted": "weighted:Weighted",
    "weighted-neighbors": "wrappers.nearest_neighbor:WeightedNeighbors",
}


def _load(place: str, package: str | None = None) -> Any:
    module, name = place.split(":")
    return getattr(importlib.import_module(f".{module}" if package else module, package), name)


def measure_class(name: str) -> type[Measure]:
    """The class behind a name such as ``"inconsistency"``."""
    found: type[Measure] = _load(MEASURES[name], __package__)
    return found


def resolve_measure(measure: Any, *, cv: Any = "auto", scoring: Any = None) -> Measure:
    """A Measure from a Measure, a name, or an estimator.

    Parameters
    ----------
    measure : Measure, str or scikit-learn estimator
    cv, scoring : see :class:`~fewest.measures.wrappers.cross_validated.CrossValidated`
        Used where the measure is an estimator or the name of one.

    Examples
    --------
    >>> resolve_measure("gaussian-nb", cv=5).estimator
    GaussianNB()
    """
    from .wrappers.cross_validated import CrossValidated

    if isinstance(measure, Measure):
        return measure
    if isinstance(measure, str):
        if measure in MEASURES:
            return measure_class(measure)()
        if is_estimator_name(measure):
            return CrossValidated(named_estimator(measure), cv=cv, scoring=scoring)
        raise InputError(_unknown(measure))
    if hasattr(measure, "fit") and not isinstance(measure, type):
        return CrossValidated(measure, cv=cv, scoring=scoring)
    raise InputError(
        "`measure` must be a Measure, the name of one, or a scikit-learn estimator, but is "
        f"{brief(measure)}."
    )


def _unknown(name: str) -> str:
    names = sorted([*ESTIMATORS, *MEASURES])
    near = difflib.get_close_matches(name, names, n=3)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    return (
        "`measure` must be a Measure, a scikit-learn estimator or a name that `fewest measures` "
        f"lists, but is {name!r}.{hint}"
    )


def list_measures() -> list[dict[str, Any]]:
    """What each measure can do, from what its class declares.

    Examples
    --------
    >>> [row["name"] for row in list_measures()][:2]
    ['naive-bayes', 'tan']
    """
    shown = [name for name in ESTIMATORS if name not in PACKAGES or _installed(name)]
    return [_estimator_row(name) for name in shown] + [_measure_row(n) for n in MEASURES]


def _installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def _estimator_row(name: str) -> dict[str, Any]:
    from .wrappers.cross_validated import CrossValidated
    from .wrappers.registry import rule_of

    estimator = named_estimator(name)
    model = estimator[-1] if hasattr(estimator, "steps") else estimator
    return {
        "name": name,
        "class": type(model).__name__,
        "summary": "Cross-validated: " + _first_line(type(model)),
        "monotone": False,
        "folds": True,
        "fast": rule_of(model) is not None,
        "source": CrossValidated.source,
    }


def _measure_row(name: str) -> dict[str, Any]:
    cls = measure_class(name)
    return {
        "name": name,
        "class": cls.__name__,
        "summary": _first_line(cls),
        "monotone": cls.monotone,
        "folds": False,
        "fast": True,
        "source": cls.source,
    }


def _first_line(cls: type) -> str:
    return (cls.__doc__ or "").strip().splitlines()[0]
