"""Long compiled work beside a generator, so that a run can look at the clock and stop it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Answer = TypeVar("Answer")

#: How long to wait before an empty batch gives the run a chance, in seconds.
PATIENCE = 0.2


class Stopper:
    """A flag that compiled code can read."""

    def __init__(self) -> None:
        self.flag = np.zeros(1, dtype=np.int64)

    def set(self) -> None:
        """Ask everybody to give up."""
        self.flag[0] = 1

    @property
    def raised(self) -> bool:
        """Whether it was asked."""
        return bool(self.flag[0])


def in_background(
    work: Callable[[Stopper], Answer], n_units: int
) -> Generator[NDArray[np.bool_], Any, Answer]:
    """Do ``work`` in a thread, yielding empty batches until it is done; return its answer.

    When the generator is closed the stopper is raised and the thread ends.
    """
    stopper = Stopper()
    box: dict[str, Any] = {}

    def run() -> None:
        try:
            box["answer"] = work(stopper)
        except BaseException as error:
            box["error"] = error

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        thread.join(PATIENCE)
        while thread.is_alive():
            yield np.zeros((0, n_units), dtype=bool)
            thread.join(PATIENCE)
    finally:
        stopper.set()
        thread.join()
    if "error" in box:
        raise box["error"]
    answer: Answer = box["answer"]
    return answer
