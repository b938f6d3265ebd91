"""Metadata of rows on its way to the folds, to the estimator and to the scorer."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping
from typing import Any

from sklearn import get_config
from sklearn.model_selection import BaseCrossValidator, BaseShuffleSplit
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from ..._errors import InputError
from .._measure import refuse_unread


def route(
    estimator: Any, scorer: Any, metadata: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What of the metadata goes to ``fit`` and what to the scorer; ``groups`` make the folds.

    With scikit-learn's metadata routing enabled both get what they request; without it
    everything goes to ``fit``, as in ``cross_validate``.
    """
    given = {name: rows for name, rows in metadata.items() if name != "groups"}
    if not given or not get_config()["enable_metadata_routing"]:
        return given, {}
    router = (
        MetadataRouter(owner="CrossValidated")
        .add(estimator=estimator, method_mapping=MethodMapping().add(caller="fit", callee="fit"))
        .add(scorer=scorer, method_mapping=MethodMapping().add(caller="fit", callee="score"))
    )
    routed = process_routing(router, "fit", **given)
    return dict(routed.estimator.fit), dict(routed.scorer.score)


def check_read(names: Collection[str], estimator: Any, cv: Any) -> None:
    """Raise a sentence for metadata that neither the folds nor the estimator read.

    With metadata routing enabled scikit-learn itself checks what goes to the estimator.
    """
    if "groups" in names and not reads_groups(cv):
        raise InputError(
            f"`groups` is not used by cv={cv!r}: give a splitter that keeps groups together, "
            'such as GroupKFold, or cv="auto", or leave `groups` out.'
        )
    given = [name for name in names if name != "groups"]
    if given and not get_config()["enable_metadata_routing"]:
        read = fit_parameters(estimator)
        refuse_unread([n for n in given if not _reaches(n, estimator, read)], (), _who(estimator))


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
    return f"{name} (write {estimator.steps[-1][0]}__sample_weight for its last step)"
