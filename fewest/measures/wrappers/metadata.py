"""Metadata of rows on its way to the folds, to the estimator and to the scorer."""

from __future__ import annotations

import inspect
import numbers
from collections.abc import Collection, Mapping
from typing import Any

from sklearn import get_config
from sklearn.model_selection import BaseCrossValidator, BaseShuffleSplit, TimeSeriesSplit
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from ...errors import InputError
from ..base import refuse_unread

#: The metadata that counts rows several times.
WEIGHT = "sample_weight"
#: Metadata that only makes the folds.
FOLDS_ONLY = ("groups", "time")


def route(
    estimator: Any, scorer: Any, metadata: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What of the metadata goes to ``fit`` and what to the scorer.

    With scikit-learn's metadata routing enabled both get what they request. Without it everything
    goes to ``fit`` (of a pipeline, ``sample_weight`` to that of its last step), and the weights of
    rows to the scorer too: a row that counts twice in training counts twice in the score.
    """
    given = {name: rows for name, rows in metadata.items() if name not in FOLDS_ONLY}
    if not given:
        return {}, {}
    if not get_config()["enable_metadata_routing"]:
        own = weight_name(estimator)
        fit = {own if name == WEIGHT else name: rows for name, rows in given.items()}
        scored = own in fit and scores_weights(scorer)
        return fit, {WEIGHT: fit[own]} if scored else {}
    router = (
        MetadataRouter(owner="CrossValidated")
        .add(estimator=estimator, method_mapping=MethodMapping().add(caller="fit", callee="fit"))
        .add(scorer=scorer, method_mapping=MethodMapping().add(caller="fit", callee="score"))
    )
    routed = process_routing(router, "fit", **given)
    return dict(routed.estimator.fit), dict(routed.scorer.score)


def weight_name(estimator: Any) -> str:
    """The parameter of ``fit`` for weights of rows: of a pipeline, that of its last step.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> weight_name(Pipeline([("scale", None), ("bayes", GaussianNB())]))
    'bayes__sample_weight'
    """
    steps = getattr(estimator, "steps", None)
    return WEIGHT if steps is None else f"{steps[-1][0]}__{weight_name(steps[-1][1])}"


def scores_weights(scorer: Any) -> bool:
    """Whether a scorer takes weights of rows: by its function, or as ``score`` of its model."""
    model: Any = getattr(scorer, "_estimator", None)
    while hasattr(model, "steps"):
        model = model.steps[-1][1]
    function = getattr(scorer, "_score_func", scorer) if model is None else model.score
    try:
        return WEIGHT in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False


def check_read(names: Collection[str], estimator: Any, cv: Any) -> None:
    """Raise a sentence for metadata that neither the folds nor the estimator read.

    With metadata routing enabled scikit-learn itself checks what goes to the estimator.
    """
    if "time" in names:
        _check_time(names, cv)
    if "groups" in names and not reads_groups(cv):
        raise InputError(
            f"`groups` is not used by cv={cv!r}: give a splitter that keeps groups together, "
            'such as GroupKFold, or cv="auto", or leave `groups` out.'
        )
    given = [name for name in names if name not in FOLDS_ONLY]
    if given and not get_config()["enable_metadata_routing"]:
        read = fit_parameters(estimator)
        refuse_unread([n for n in given if not _reaches(n, estimator, read)], (), _who(estimator))


def _check_time(names: Collection[str], cv: Any) -> None:
    if "groups" in names:
        raise InputError("`time` and `groups` cannot be given together: leave one of them out.")
    if not isinstance(cv, str | numbers.Integral | TimeSeriesSplit):
        raise InputError(
            f"`time` is not used by cv={cv!r}: give a number of folds, TimeSeriesSplit(...), or "
            'cv="auto", or leave `time` out.'
        )


def reads_groups(cv: Any) -> bool:
    """Whether folds are made by groups; a splitter that scikit-learn does not know may."""
    if isinstance(cv, str) or not isinstance(cv, (BaseCrossValidator, BaseShuffleSplit)):
        return isinstance(cv, str) or hasattr(cv, "split")
    return "groups" in cv.get_metadata_routing().split.requests


def fit_parameters(estimator: Any) -> set[str]:
    """The names that ``fit`` takes beside the data."""
    taken = inspect.signature(estimator.fit).parameters.values()
    return {p.name for p in taken if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}


def _reaches(name: str, estimator: Any, read: Collection[str]) -> bool:
    """Whether ``fit`` takes it: by name, or in a pipeline as ``step__name``."""
    if name in read:
        return True
    if name == WEIGHT and isinstance(estimator, Pipeline):
        return _reaches(weight_name(estimator), estimator, read)
    step, _, inner = name.partition("__")
    if isinstance(estimator, Pipeline):
        return step in estimator.named_steps and _reaches(
            inner, estimator[step], fit_parameters(estimator[step])
        )
    taken = inspect.signature(estimator.fit).parameters.values()
    return any(p.kind is p.VAR_KEYWORD for p in taken)


def _who(estimator: Any) -> str:
    name = type(estimator).__name__
    if not isinstance(estimator, Pipeline):
        return name
    return f"{name} of {', '.join(type(step).__name__ for _, step in estimator.steps)}"
