"""scikit-learn's callbacks (from 1.9 on) as listeners of a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..run.events import Listener, Snapshot

try:
    from sklearn.callback import CallbackSupportMixin as CallbackSupport
    from sklearn.callback import with_callbacks
except ImportError:  # scikit-learn before 1.9 has no callbacks
    Method = TypeVar("Method", bound=Callable[..., Any])

    class CallbackSupport:  # type: ignore[no-redef]
        """Nothing to support."""

    def with_callbacks(method: Method) -> Method:  # type: ignore[no-redef]
        """Nothing to manage."""
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


__all__ = ["CallbackListener", "CallbackSupport", "with_callbacks"]
