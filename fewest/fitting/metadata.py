"""Metadata of rows (groups, weights, ...) on its way to the splitter, the estimator, the scorer."""

from __future__ import annotations

from typing import Any

from sklearn import get_config
from sklearn.base import BaseEstimator
from sklearn.utils.metadata_routing import (
    MetadataRequest,
    MetadataRouter,
    MethodMapping,
    process_routing,
)

from ..measures.base import Measure
from ..measures.registry import resolve_measure


def given_metadata(selector: Any, metadata: dict[str, Any]) -> dict[str, Any]:
    """What was handed to ``fit``, without Nones; checked against the requests if routing is on."""
    given = {name: value for name, value in metadata.items() if value is not None}
    if given and get_config()["enable_metadata_routing"]:
        process_routing(selector, "fit", **given)
    return given


def selector_routing(selector: Any) -> MetadataRouter:
    """The router of a selector: to itself, the estimator, the splitter and the scorer."""
    router = MetadataRouter(owner=type(selector).__name__)
    if isinstance(selector.measure, str) and selector.measure == "auto":
        return router
    measure = resolve_measure(selector.measure, cv=selector.cv, scoring=selector.scoring)
    router.add_self_request(_own_request(selector, measure))
    if isinstance(measure.estimator, BaseEstimator):
        router.add(
            estimator=measure.estimator,
            method_mapping=MethodMapping().add(caller="fit", callee="fit"),
        )
    if hasattr(selector.cv, "get_metadata_routing"):
        router.add(
            splitter=selector.cv,
            method_mapping=MethodMapping().add(caller="fit", callee="split"),
        )
    if hasattr(selector.scoring, "get_metadata_routing"):
        router.add(
            scorer=selector.scoring,
            method_mapping=MethodMapping().add(caller="fit", callee="score"),
        )
    return router


def _own_request(selector: Any, measure: Measure) -> MetadataRequest:
    """What the measure itself reads; the folds of ``cv="auto"`` also keep groups and time."""
    request = MetadataRequest(owner=type(selector).__name__)
    makes_folds = measure.estimator is not None and isinstance(selector.cv, str)
    for name in sorted(measure.reads | ({"groups", "time"} if makes_folds else set())):
        request.fit.add_request(param=name, alias=True)
    return request
