"""What scikit-learn asks of an estimator: shapes and names, metadata of rows, callbacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import (
    MetadataRequest,
    MetadataRouter,
    MethodMapping,
    process_routing,
)
from sklearn.utils.validation import validate_data

from .._errors import InputError
from .._run.events import Listener, Snapshot
from ..data._columns import column_names, is_frame, is_structured, unique_names
from ..data._engine.open import is_stored
from ..data._table import Table
from ..measures._measure import Measure
from ..measures._measure_names import resolve_measure


def checked_frame(estimator: Any, X: Any, y: Any, *, needs_target: bool = True) -> Any:
    """``X`` as it is if it is a frame, else as an array; its names and width are remembered."""
    if y is None and needs_target:
        raise InputError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None."
        )
    if is_stored(X):
        return X.on(getattr(estimator, "n_jobs", None))
    if is_structured(X):
        estimator.feature_names_in_ = np.array(X.dtype.names, dtype=object)
        estimator.n_features_in_ = len(X.dtype.names)
        return X
    if is_frame(X):
        unique_names(column_names(X))
    try:
        return _validated(estimator, X)
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        # The rest of the message prints the data.
        reason = str(error).splitlines()[0].rstrip(":.")
        raise InputError(f"`X` must be a table of numbers or labels: {reason}.") from error


def remember_names(estimator: Any, table: Table) -> None:
    """Keep the names of a table outside memory, known after its first scan."""
    if not table.in_memory:
        estimator.feature_names_in_ = np.array(table.names, dtype=object)
        estimator.n_features_in_ = table.n_features


def checked_again(estimator: Any, X: Any) -> Any:
    """``X`` after ``fit``: the features must be those that ``fit`` has seen."""
    if not is_structured(X):
        # As in `transform`: arrays must be finite in all columns if the estimator needs it.
        finite = not get_tags(estimator).input_tags.allow_nan
        return _validated(estimator, X, reset=False, finite=finite)
    if list(X.dtype.names) != list(getattr(estimator, "feature_names_in_", X.dtype.names)):
        raise InputError(
            f"`X` must have the columns that {type(estimator).__name__} was fitted with, in the "
            "same order, but has others."
        )
    return X


def _validated(estimator: Any, X: Any, reset: bool = True, finite: bool = False) -> Any:
    if is_frame(X):
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        return X
    kind = getattr(X, "dtype", None)
    # Objects and strings are labels here, so they are not pressed into numbers.
    return validate_data(
        estimator,
        X,
        reset=reset,
        accept_sparse=("csr", "csc") if get_tags(estimator).input_tags.sparse else False,
        dtype=None if kind is None or np.dtype(kind).kind not in "c" else "numeric",
        ensure_all_finite=finite,
    )


def given_metadata(selector: Any, metadata: dict[str, Any]) -> dict[str, Any]:
    """Return what ``fit`` was given, without Nones; check the requests if routing is on."""
    given = {name: value for name, value in metadata.items() if value is not None}
    if given and get_config()["enable_metadata_routing"]:
        process_routing(selector, "fit", **given)
    return given


def selector_routing(selector: Any) -> MetadataRouter:
    """Return the router of a selector: to itself, the estimator, the splitter and the scorer."""
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
    """Request what the measure reads; the folds of ``cv="auto"`` also keep groups and time."""
    request = MetadataRequest(owner=type(selector).__name__)
    makes_folds = measure.estimator is not None and isinstance(selector.cv, str)
    for name in sorted(measure.reads | ({"groups", "time"} if makes_folds else set())):
        request.fit.add_request(param=name, alias=True)
    return request


Method = TypeVar("Method", bound=Callable[..., Any])

if TYPE_CHECKING:

    class CallbackSupport:
        """Mix-in of scikit-learn for estimators that call callbacks."""

    def with_callbacks(method: Method) -> Method:
        """Call the callbacks of an estimator around its ``fit``."""
        return method

else:
    try:
        from sklearn.callback import CallbackSupportMixin as CallbackSupport
        from sklearn.callback import with_callbacks
    except ImportError:  # scikit-learn before 1.9 has no callbacks
        CallbackSupport = object

        def with_callbacks(method):
            """Return the method as it is."""
            return method


class CallbackListener(Listener):
    """Tells the callbacks of an estimator of every batch; one of them may stop the run."""

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator
        self._context: Any = None

    def before(self) -> None:
        if getattr(self.estimator, "_skl_callbacks", None):
            self._context = self.estimator._init_callback_context(max_subtasks=None)
            self._context.call_on_fit_task_begin(estimator=self.estimator)

    def after_batch(self, snapshot: Snapshot) -> bool | None:
        if self._context is None:
            return None
        task = self._context.subcontext(task_name="generation")
        task.call_on_fit_task_begin(estimator=self.estimator)
        stop: bool = task.call_on_fit_task_end(estimator=self.estimator)
        return stop

    def after(self) -> None:
        if self._context is not None:
            self._context.call_on_fit_task_end(estimator=self.estimator)
