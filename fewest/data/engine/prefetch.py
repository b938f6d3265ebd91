"""Read the next batch while the last one is worked on."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def prefetched(items: Iterable[Item], ahead: int = 2) -> Iterator[Item]:
    """The same items, made in a thread of their own, at most ``ahead`` before they are used.

    An error of the thread is raised where the items are used. A user who stops early stops the
    thread too.

    Examples
    --------
    >>> list(prefetched(range(3)))
    [0, 1, 2]
    """
    waiting: queue.Queue[tuple[bool, Item | BaseException | None]] = queue.Queue(ahead)
    stopped = threading.Event()
    thread = threading.Thread(target=_fill, args=(items, waiting, stopped), daemon=True)
    thread.start()
    try:
        while True:
            there, item = waiting.get()
            if not there:
                if item is not None:
                    raise item  # type: ignore[misc]
                return
            yield item  # type: ignore[misc]
    finally:
        stopped.set()
        while thread.is_alive():
            _drain(waiting)
            thread.join(0.05)


def _fill(items: Iterable[Item], waiting: queue.Queue[object], stopped: threading.Event) -> None:
    end: BaseException | None = None
    try:
        for item in items:
            if stopped.is_set():
                return
            waiting.put((True, item))
    except BaseException as error:
        end = error
    waiting.put((False, end))


def _drain(waiting: queue.Queue[tuple[bool, Item | BaseException | None]]) -> None:
    while not waiting.empty():
        waiting.get_nowait()
