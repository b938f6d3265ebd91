"""A limit of CPU time for one piece of work, in the main thread of a process."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


class OutOfTimeError(BaseException):
    """The work took more CPU time than it may; no handler of errors takes it for one."""


@contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    """Raise :class:`OutOfTimeError` inside the block after so many CPU seconds (POSIX only)."""

    def end(*_: object) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGPROF, end)
    # Again and again: an exception raised inside a finaliser is swallowed.
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
