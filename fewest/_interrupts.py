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

#: A repeated signal within this time is ignored: the run is already ending.
GRACE_SECONDS = 3.0
#: What ends a command: Ctrl-C, a kill, and a terminal that was closed.
ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
#: The exit code of an interrupted command.
INTERRUPTED_EXIT_CODE = 130


class Interrupts:
    """Turns the first signal into a KeyboardInterrupt and remembers it.

    Workers need a moment to end. A second KeyboardInterrupt in the middle of that would leave
    them, or the main process, hanging, so repeats within ``GRACE_SECONDS`` are ignored. A later
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
            for one in self.signals:
                # Where a signal is ignored, as Ctrl-C in the background of a shell, it stays so.
                if signal.getsignal(one) is not signal.SIG_IGN:
                    self._before[one] = signal.signal(one, self._hear)
            _ACTIVE.append(self)
        return self

    def __exit__(self, *error: object) -> None:
        if self not in _ACTIVE:
            return
        _ACTIVE.remove(self)
        for one in reversed(self._before):  # Ctrl-C last: then it may raise again
            signal.signal(one, self._before[one])
        self._before = {}
        _raise_late()

    def _hear(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        repeated, self.seen = self.seen, True
        if repeated and now - self._first < GRACE_SECONDS:
            return
        if repeated and self.hard:
            os._exit(INTERRUPTED_EXIT_CODE)
        self._first = now
        # A change of state in several steps is never cut in half: it ends, then the run does.
        if self._held:
            return
        if _waits() or _turns(frame):
            _LATE.append(None)
        else:
            raise KeyboardInterrupt

    def hold(self) -> None:
        """Stop raising KeyboardInterrupt, as while results are written; ``seen`` is still set."""
        self._held = True

    @property
    def missed(self) -> bool:
        """True if there was a signal that should have ended what still runs."""
        return self.seen and not self._held


#: Those that listen now, the innermost last.
_ACTIVE: list[Interrupts] = []
#: One entry per change of state that is under way (True), or per part of it that may be cut short
#: all the same (False), the innermost last; and one per signal that waits.
_SHIELDS: list[bool] = []
_LATE: list[None] = []


def _waits() -> bool:
    """Return whether an interrupt has to wait."""
    return bool(_SHIELDS) and _SHIELDS[-1]


def _turns(frame: FrameType | None) -> bool:
    """Return whether handlers are being set or restored, which is never cut in half."""
    while frame is not None and frame.f_code not in _TURNS:
        frame = frame.f_back
    return frame is not None


_TURNS = (Interrupts.__enter__.__code__, Interrupts.__exit__.__code__)


@contextmanager
def shielded(raises: bool = True) -> Iterator[None]:
    """Let a change of state end before an interrupt that comes meanwhile is raised.

    Without ``raises`` it is only remembered: nothing is left to be cut short.
    """
    with _layer(True):
        yield
    _raise_late(raises)


@contextmanager
def interruptible() -> Iterator[None]:
    """Let interrupts cut short this part of a change of state, also one that came before it."""
    with _layer(False):
        _raise_late()
        yield


def _raise_late(raises: bool = True) -> None:
    """Raise what has waited, or only forget it, unless it has to wait still."""
    if _LATE and not _waits():
        _LATE.clear()
        if raises:
            raise KeyboardInterrupt


@contextmanager
def _layer(waits: bool) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    depth = len(_SHIELDS)
    _SHIELDS.append(waits)
    try:
        yield
    finally:
        # An interrupt may have come on the way out of an inner layer: all of them end.
        del _SHIELDS[depth:]


def raise_missed() -> None:
    """Raise what was swallowed: Python ignores a KeyboardInterrupt inside ``__del__``."""
    if any(one.missed for one in _ACTIVE):
        raise KeyboardInterrupt


_WHOLE: ContextVar[bool] = ContextVar("whole", default=False)


@contextmanager
def whole_runs_only() -> Iterator[None]:
    """Let an interrupted run inside raise instead of ending with the best so far.

    For runs that are part of something larger, such as the folds of a validation, where an
    answer that was cut short would pass unnoticed.
    """
    before = _WHOLE.set(True)
    try:
        yield
    finally:
        _WHOLE.reset(before)


def partial_is_welcome() -> bool:
    """Return whether a run that is cut short may end with the best so far."""
    return not _WHOLE.get()


@contextmanager
def ending_in_order() -> Iterator[None]:
    """Handle interrupts as above for one run, unless somebody else handles them."""
    default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not default or threading.current_thread() is not threading.main_thread():
        yield
        return
    with Interrupts():
        yield
