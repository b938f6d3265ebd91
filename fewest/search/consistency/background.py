"""Long work in a thread beside a generator, so that a run can look at the clock and stop it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...measures.base import Scores

Answer = TypeVar("Answer")
Mask = NDArray[np.bool_]

#: How long to wait before an empty batch gives the run a chance, in seconds.
PATIENCE = 0.2


class StoppedError(Exception):
    """The run ended while the work was going on."""


class Desk:
    """What work in the background has of the run: somebody who scores, and a flag to stop.

    ``flag[0]`` is not 0 when the work should stop; compiled code can read it.
    """

    def __init__(self) -> None:
        self.flag = np.zeros(1, dtype=np.int64)
        self._asked: queue.SimpleQueue[Mask | None] = queue.SimpleQueue()
        self._scored: queue.SimpleQueue[Scores | None] = queue.SimpleQueue()

    def score(self, batch: Mask) -> Scores:
        """The scores of a batch; the run makes them."""
        self.check()
        self._asked.put(batch)
        scores = self._scored.get()
        if scores is None:
            raise StoppedError
        return scores

    def check(self) -> None:
        """Give up if the run has ended."""
        if self.flag[0]:
            raise StoppedError

    def _stop(self) -> None:
        self.flag[0] = 1
        self._scored.put(None)


def in_background(work: Callable[[Desk], Answer], n_units: int) -> Generator[Mask, Scores, Answer]:
    """Do ``work`` in a thread; yield what it wants scored, return its answer.

    An empty batch is yielded whenever the work takes long, only to give the run a chance to look.
    When the generator is closed, the work is stopped and the thread ends.
    """
    desk = Desk()
    result: dict[str, Any] = {}

    def run() -> None:
        try:
            result["answer"] = work(desk)
        except BaseException as error:
            result["error"] = error
        finally:
            desk._asked.put(None)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while (batch := _next(desk, n_units)) is not None:
            scores = yield batch
            if len(batch):
                desk._scored.put(scores)
    finally:
        desk._stop()
        thread.join()
    if "error" in result:
        raise result["error"]
    answer: Answer = result["answer"]
    return answer


def _next(desk: Desk, n_units: int) -> Mask | None:
    """The next batch, an empty one after a while, None at the end."""
    try:
        return desk._asked.get(timeout=PATIENCE)
    except queue.Empty:
        return np.zeros((0, n_units), dtype=bool)
