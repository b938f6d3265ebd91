"""Callbacks of scikit-learn hear of every batch of a run."""

from __future__ import annotations

from fewest._fitting.requests import CallbackListener
from fewest._run.events import Snapshot


class Context:
    """Notes what it is told, as a context of scikit-learn's callbacks does."""

    def __init__(self, told, stops=False):
        self.told, self.stops = told, stops

    def subcontext(self, task_name):
        self.told.append(task_name)
        return self

    def call_on_fit_task_begin(self, estimator):
        self.told.append("begin")

    def call_on_fit_task_end(self, estimator):
        self.told.append("end")
        return self.stops


class Estimator:
    def __init__(self, callbacks, stops=False):
        self._skl_callbacks, self.told, self.stops = callbacks, [], stops

    def _init_callback_context(self, max_subtasks):
        return Context(self.told, self.stops)


SNAPSHOT = Snapshot(0, 1, 0.5, 1, 0.1, None, None)


def test_an_estimator_without_callbacks_is_left_alone():
    estimator = Estimator([])
    listener = CallbackListener(estimator)
    listener.before()
    assert listener.after_batch(SNAPSHOT) is None
    listener.after()
    assert estimator.told == []


def test_every_batch_is_a_task_that_may_stop_the_run():
    estimator = Estimator(["a callback"], stops=True)
    listener = CallbackListener(estimator)
    listener.before()
    assert listener.after_batch(SNAPSHOT) is True
    listener.after()
    assert estimator.told == ["begin", "generation", "begin", "end", "end"]
