"""The measures by name. A new measure is one file and one line here."""

from __future__ import annotations

import difflib
import importlib
from typing import Any

from ..errors import InputError
from .base import Measure

#: Names of estimators that are cross-validated: the module and class of the estimator.
ESTIMATORS: dict[str, str] = {
    "naive-bayes": "fewest.classifiers.bayes.naive_bayes:NaiveBayes",
    "tan": "fewest.classifiers.bayes.tan:TAN",
    "id3": "fewest.classifiers.trees.id3:ID3",
    "c4.5": "fewest.classifiers.trees.c45:C45",
    "gaussian-nb": "sklearn.naive_bayes:GaussianNB",
    "nearest-neighbor": "fewest.classifiers.neighbours.nearest_neighbor:NearestNeighbor",
    "linear-regression": "sklearn.linear_model:LinearRegression",
}

#: Parameters other than the estimator's own defaults.
PARAMETERS: dict[str, dict[str, Any]] = {}

#: All other names: module (in this package) and class of the measure.
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
    "weighted": "weighted:Weighted",
    "weighted-neighbors": "wrappers.nearest_neighbor:WeightedNeighbors",
}


def _load(place: str, package: str | None = None) -> Any:
    module, name = place.split(":")
    return getattr(importlib.import_module(f".{module}" if package else module, package), name)


def named_estimator(name: str) -> Any:
    """The estimator behind a name such as ``"naive-bayes"``."""
    if name not in ESTIMATORS:
        raise InputError(
            f"`estimator` must be a scikit-learn estimator or one of {', '.join(ESTIMATORS)}, "
            f"but is {name!r}."
        )
    return _load(ESTIMATORS[name])(**PARAMETERS.get(name, {}))


def name_of(estimator: Any) -> str:
    """The name of an estimator, or that of its class where it has none.

    >>> from sklearn.linear_model import LinearRegression
    >>> name_of(LinearRegression())
    'linear-regression'
    """
    cls = type(estimator)
    for name, place in ESTIMATORS.items():
        module, of = place.split(":")
        # scikit-learn's classes live in private modules below the public one.
        here = of == cls.__qualname__ and cls.__module__.startswith(module)
        if here and PARAMETERS.get(name, {}).items() <= vars(estimator).items():
            return name
    if cls.__name__ == "Pipeline" and hasattr(estimator, "steps"):
        return f"Pipeline({', '.join(name_of(step) for _, step in estimator.steps)})"
    return cls.__name__


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
        if measure in ESTIMATORS:
            return CrossValidated(named_estimator(measure), cv=cv, scoring=scoring)
        raise InputError(_unknown(measure))
    if hasattr(measure, "fit") and not isinstance(measure, type):
        return CrossValidated(measure, cv=cv, scoring=scoring)
    raise InputError(
        "`measure` must be a Measure, the name of one, or a scikit-learn estimator, but is "
        f"{measure!r}."
    )


def _unknown(name: str) -> str:
    names = sorted([*ESTIMATORS, *MEASURES])
    near = difflib.get_close_matches(name, names, n=3)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    return (
        f"`measure` must be a Measure, a scikit-learn estimator or one of {', '.join(names)}, "
        f"but is {name!r}.{hint}"
    )


def list_measures() -> list[dict[str, Any]]:
    """What each measure can do, from what its class declares.

    Examples
    --------
    >>> [row["name"] for row in list_measures()][:2]
    ['naive-bayes', 'tan']
    """
    return [_estimator_row(name) for name in ESTIMATORS] + [_measure_row(n) for n in MEASURES]


def _estimator_row(name: str) -> dict[str, Any]:
    from .wrappers.cross_validated import CrossValidated
    from .wrappers.twins import twin_of

    estimator = named_estimator(name)
    return {
        "name": name,
        "class": type(estimator).__name__,
        "summary": "Cross-validated: " + _first_line(type(estimator)),
        "monotone": False,
        "folds": True,
        "fast": twin_of(estimator) is not None,
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
