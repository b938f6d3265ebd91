"""Ctrl-C, SIGTERM and SIGHUP: the first ends a run in order, a second soon after does nothing."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Any, Self

#: A repeated signal within so many seconds is ignored: the run is already ending.
GRACE = 3.0
#: What ends a command: Ctrl-C, a kill, and a terminal that was closed.
ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
#: The exit code of an interrupted command.
INTERRUPTED = 130


class Interrupts:
    """Turns the first signal into a KeyboardInterrupt and remembers it.

    Workers need a moment to end. A second KeyboardInterrupt in the middle of that would leave
    them, or the main process, hanging, so repeats within ``GRACE`` seconds are ignored. A later
    one raises again, or with ``hard`` ends the process at once (exit code 130).

    Parameters
    ----------
    hard : bool
        What a repeat after the grace period does.
    signals : tuple of signals
    """

    def __init__(
        self, hard: bool = False, signals: tuple[signal.Signals, ...] = (signal.SIGINT,)
    ) -> None:
        self.hard, self.signals = hard, signals
        self.seen = False
        self._first = 0.0
        self._held = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            _ACTIVE.append(self)
            for one in self.signals:
                # Where a signal is ignored, as Ctrl-C in the background of a shell, it stays so.
                if signal.getsignal(one) is not signal.SIG_IGN:
                    self._before[one] = signal.signal(one, self._hear)
        return self

    def __exit__(self, *error: object) -> None:
        if self in _ACTIVE:
            _ACTIVE.remove(self)
        for one, handler in self._before.items():
            signal.signal(one, handler)
        self._before = {}

    def _hear(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        repeated, self.seen = self.seen, True
        if repeated and now - self._first < GRACE:
            return
        if repeated and self.hard:
            os._exit(INTERRUPTED)
        self._first = now
        # A change of state in several steps is never cut in half: it ends, then the run does.
        if _SHIELDS and not self._held:
            _LATE.append(None)
        elif not self._held:
            raise KeyboardInterrupt

    def hold(self) -> None:
        """From now on no KeyboardInterrupt, as while results are written; ``seen`` still tells."""
        self._held = True

    @property
    def missed(self) -> bool:
        """Whether there was a signal that should have ended what still runs."""
        return self.seen and not self._held


#: Those that listen now, the innermost last.
_ACTIVE: list[Interrupts] = []
#: One entry per change of state that is under way, and per signal that came meanwhile.
_SHIELDS: list[None] = []
_LATE: list[None] = []


@contextmanager
def shielded(raises: bool = True) -> Iterator[None]:
    """Let a change of state end before an interrupt that comes meanwhile is raised.

    Without ``raises`` it is only remembered: nothing is left to be cut short.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _SHIELDS.append(None)
    try:
        yield
    finally:
        _SHIELDS.pop()
    if not _SHIELDS and _LATE:
        _LATE.clear()
        if raises:
            raise KeyboardInterrupt


def raise_missed() -> None:
    """Raise what was swallowed: Python ignores a KeyboardInterrupt inside ``__del__``."""
    if any(one.missed for one in _ACTIVE):
        raise KeyboardInterrupt


_WHOLE: ContextVar[bool] = ContextVar("whole", default=False)


@contextmanager
def whole_runs_only() -> Iterator[None]:
    """Inside, a run that is interrupted raises instead of ending with the best so far.

    For runs that are part of something larger, such as the folds of a validation, where an
    answer that was cut short would pass unnoticed.
    """
    before = _WHOLE.set(True)
    try:
        yield
    finally:
        _WHOLE.reset(before)


def partial_is_welcome() -> bool:
    """Whether a run that is cut short may end with the best so far."""
    return not _WHOLE.get()


@contextmanager
def ending_in_order() -> Iterator[None]:
    """Interrupts as above for one run, unless somebody else handles them."""
    default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not default or threading.current_thread() is not threading.main_thread():
        yield
        return
    with Interrupts():
        yield
