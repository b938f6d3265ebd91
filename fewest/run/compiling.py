"""The time that numba takes to compile kernels: told while it passes, and not counted as search.

Kernels are compiled when they are first called, once per machine, and then read from a cache.
"""

from __future__ import annotations

import sys
import threading
import time
from typing import Any

from numba.core import event

ANNOUNCEMENT = (
    "compiling kernels, once on this machine (a few seconds; `fewest warm-up` does it ahead) ..."
)


class Compiling(event.Listener):  # type: ignore[misc]
    """Adds up the time in which at least one thread compiles."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = 0
        self._since = 0.0
        self._total = 0.0
        self._told = False
        #: Whether to say so on standard error when the first kernel is compiled.
        self.announces = False

    @property
    def seconds(self) -> float:
        """Seconds spent on compiling in this process, up to now."""
        with self._lock:
            return self._total + (time.monotonic() - self._since if self._running else 0.0)

    def on_start(self, _: Any) -> None:
        with self._lock:
            if not self._running:
                self._since = time.monotonic()
            self._running += 1
            tells, self._told = self.announces and not self._told, self._told or self.announces
        if tells:
            print(ANNOUNCEMENT, file=sys.stderr, flush=True)

    def on_end(self, _: Any) -> None:
        with self._lock:
            self._running -= 1
            if not self._running:
                self._total += time.monotonic() - self._since


#: The one of this process; it listens from the first import on.
compiling = Compiling()
event.register("numba:compile", compiling)


class Stopwatch:
    """Seconds since it was made, without those in which kernels were compiled."""

    def __init__(self) -> None:
        self._start, self._compiled = time.monotonic(), compiling.seconds

    @property
    def seconds(self) -> float:
        """Seconds up to now."""
        passed = time.monotonic() - self._start
        return max(0.0, passed - (compiling.seconds - self._compiled))
