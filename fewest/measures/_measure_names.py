"""Measures by name. A new measure is one file and one line here."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from .._errors import InputError, brief
from ._measure import Measure
from ._models_by_name import (
    ESTIMATORS,
    OTHER_PACKAGES,
    hint_for,
    is_estimator_name,
    named_estimator,
)

#: Measures other than cross-validated estimators: module (in this package) and class.
MEASURES: dict[str, str] = {
    "inconsistency": "_consistency.inconsistency:Inconsistency",
    "mdl": "_description_length:MDL",
    "mdl-fs": "_description_length:MDLFS",
    "call": "_description_length:CALL",
    "log-likelihood": "_description_length:LogLikelihood",
    "conditional-log-likelihood": "_description_length:ConditionalLogLikelihood",
    "cfs": "_filters.correlation:CFS",
    "koller-sahami": "_filters.correlation:KollerSahami",
    "mrmr": "_filters.rankings:MRMR",
    "jmi": "_filters.rankings:JMI",
    "cmim": "_filters.rankings:CMIM",
    "information-gain": "_filters.rankings:InformationGain",
    "gain-ratio": "_filters.rankings:GainRatio",
    "symmetric-uncertainty": "_filters.rankings:SymmetricUncertainty",
    "relieff": "_filters.relief:ReliefF",
    "pearson": "_regression.correlations:Pearson",
    "f-test": "_regression.correlations:FTest",
    "cfs-regression": "_regression.correlations:CorrelationCFS",
    "mrmr-f": "_regression.correlations:CorrelationMRMR",
    "mrmr-information": "_regression.distances:InformationMRMR",
    "rrelieff": "_regression.distances:RReliefF",
    "distance-correlation": "_regression.distances:DistanceCorrelation",
    "rss": "_regression.criteria:RSS",
    "aic": "_regression.criteria:AIC",
    "bic": "_regression.criteria:BIC",
    "adjusted-r2": "_regression.criteria:AdjustedR2",
    "mallows-cp": "_regression.criteria:MallowsCp",
    "weighted": "_weighted:Weighted",
    "weighted-neighbors": "_wrappers.weighted_neighbors:WeightedNeighbors",
}


def _load(place: str, package: str | None = None) -> Any:
    module, name = place.split(":")
    return getattr(importlib.import_module(f".{module}" if package else module, package), name)


def measure_class(name: str) -> type[Measure]:
    """Return the class behind a name such as ``"inconsistency"``."""
    found: type[Measure] = _load(MEASURES[name], __package__)
    return found


def resolve_measure(measure: Any, *, cv: Any = "auto", scoring: Any = None) -> Measure:
    """Return a Measure from a Measure, a name, or an estimator.

    Parameters
    ----------
    measure : Measure, str or scikit-learn estimator
    cv, scoring : see :class:`~fewest.measures._wrappers.cross_validated.CrossValidated`
        Used where the measure is an estimator or the name of one.

    Examples
    --------
    >>> resolve_measure("gaussian-nb", cv=5).estimator
    GaussianNB()
    """
    from ._wrappers.cross_validated import CrossValidated

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
    hint = hint_for(name, sorted([*ESTIMATORS, *MEASURES]))
    return (
        "`measure` must be a Measure, a scikit-learn estimator or a name that `fewest measures` "
        f"lists, but is {name!r}.{hint}"
    )


def list_measures() -> list[dict[str, Any]]:
    """List what each measure can do, from what its class declares.

    Examples
    --------
    >>> [row["name"] for row in list_measures()][:2]
    ['naive-bayes', 'tan']
    """
    shown = [
        name
        for name in ESTIMATORS
        if name not in OTHER_PACKAGES or importlib.util.find_spec(name) is not None
    ]
    return [_estimator_row(name) for name in shown] + [_measure_row(n) for n in MEASURES]


def _estimator_row(name: str) -> dict[str, Any]:
    from sklearn.base import is_regressor

    from ._wrappers.cross_validated import CrossValidated
    from ._wrappers.paths import rule_of

    estimator = named_estimator(name)
    model = estimator[-1] if hasattr(estimator, "steps") else estimator
    return {
        "name": name,
        "class": type(model).__name__,
        "group": f"Models for {'numbers' if is_regressor(model) else 'classes'}, cross-validated",
        "summary": _first_line(type(model)),
        "monotone": False,
        "folds": True,
        "fast": rule_of(model) is not None,
        "source": CrossValidated.source,
    }


_FILTERS = {
    None: "Measures without a model",
    "classification": "Measures without a model, for classes",
    "regression": "Measures without a model, for numbers",
}


def _measure_row(name: str) -> dict[str, Any]:
    cls = measure_class(name)
    return {
        "name": name,
        "class": cls.__name__,
        "group": _FILTERS[cls().task],
        "summary": _first_line(cls),
        "monotone": cls.monotone,
        "folds": False,
        "fast": True,
        "source": cls.source,
    }


def _first_line(cls: type) -> str:
    return (cls.__doc__ or "").strip().splitlines()[0]
