"""Listeners of a run: the progress bar, and the time that compiling takes."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from numba.core import event


@dataclass(frozen=True)
class Snapshot:
    """State of a run after a batch."""

    generation: int
    evaluations: int
    best: float
    size: int
    seconds: float
    lower: float | None = None
    upper: float | None = None


class Listener:
    """Is informed about a run. Return True from ``after_batch`` to stop it."""

    def before(self) -> None:
        """Note that the run is about to start."""

    def during(self, done: int, total: int) -> None:
        """Note that ``done`` of the ``total`` new subsets of the current batch are scored."""

    def after_batch(self, snapshot: Snapshot) -> bool | None:
        """Note that a batch has been scored."""

    def after(self) -> None:
        """Note that the run has ended, in whatever way."""


ANNOUNCEMENT = (
    "compiling kernels, once on this machine (a few seconds; `fewest warm-up` does it ahead) ..."
)


class Compiling(event.Listener):  # type: ignore[misc]
    """Adds up the time in which kernels are compiled.

    Numba compiles under a lock of its own, one kernel inside another. A second lock here could
    be left closed by an interrupt, and every later run would wait for it.
    """

    def __init__(self) -> None:
        self._running = 0
        self._since = 0.0
        self._total = 0.0
        self._told = False
        #: Whether to say so on standard error when the first kernel is compiled.
        self.announces = False

    @property
    def seconds(self) -> float:
        """Seconds spent on compiling in this process, up to now."""
        return self._total + (time.monotonic() - self._since if self._running else 0.0)

    def on_start(self, _: Any) -> None:
        if not self._running:
            self._since = time.monotonic()
        self._running += 1
        if self.announces and not self._told:
            self._told = True
            print(ANNOUNCEMENT, file=sys.stderr, flush=True)

    def on_end(self, _: Any) -> None:
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
        self._noted = 0.0
        #: Seconds by the phase that they were noted for.
        self.phases: dict[str, float] = {}

    @property
    def seconds(self) -> float:
        """Seconds up to now."""
        passed = time.monotonic() - self._start
        return max(0.0, passed - (compiling.seconds - self._compiled))

    def note(self, phase: str) -> None:
        """Note the seconds since the last note for a phase that ends now."""
        now = self.seconds
        self.phases[phase] = round(self.phases.get(phase, 0.0) + now - self._noted, 6)
        self._noted = now
        compiled = compiling.seconds - self._compiled
        if compiled > 0:
            self.phases["compiling"] = round(compiled, 6)


Item = TypeVar("Item")
#: Seconds between two lines of plain text.
LINE_SECONDS = 5.0


def _live_console() -> Any:
    """Return the console of standard error, or None where it cannot redraw a line in place."""
    from rich.console import Console

    console = Console(stderr=True)
    return console if console.is_terminal and not console.is_jupyter else None


class PlainLines:
    """Progress as lines of text on standard error, one every few seconds and the last one."""

    def __init__(self, label: str) -> None:
        self.label, self._told, self._left = label, time.monotonic(), ""

    def tell(self, status: str) -> None:
        """Print the status, unless a line was printed a moment ago."""
        self._left = status
        if time.monotonic() - self._told >= LINE_SECONDS:
            self.last()
            self._told = time.monotonic()

    def last(self) -> None:
        """Print the latest status unless it was printed."""
        if self._left:
            print(f"{self.label}: {self._left}", file=sys.stderr, flush=True)
        self._left = ""


def counted(items: Iterable[Item], label: str, total: int, shown: bool) -> Iterator[Item]:
    """Yield the items as they come, with a bar on standard error that shows the time left.

    Without a terminal, as in a notebook, a line of text tells every so often how many are done.

    >>> list(counted(iter("ab"), "letters", 2, shown=False))
    ['a', 'b']
    """
    if not shown:
        yield from items
        return
    console = _live_console()
    if console is None:
        lines = PlainLines(label)
        for done, item in enumerate(items, 1):
            yield item
            lines.tell(f"{done} of {total}")
        lines.last()
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), MofNCompleteColumn())
    left = (TimeRemainingColumn(), TextColumn("left"))
    with Progress(*columns, *left, console=console, transient=True) as bar:
        task = bar.add_task(label, total=total)
        for item in items:
            yield item
            bar.advance(task)


class ProgressBar(Listener):
    """Shows the progress of a run on standard error: a bar, or lines where there is no terminal."""

    def __init__(self, label: str = "selecting", seconds: float | None = None) -> None:
        self.label = label
        self.budget = seconds
        self._bar: Any = None
        self._lines = PlainLines(label)
        self._scored = 0
        self._start = 0.0

    def before(self) -> None:
        self._start = time.monotonic()
        console = _live_console()
        if console is None:
            return
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            TextColumn("{task.fields[status]}"),
            console=console,
            transient=True,
        )
        self._task = self._bar.add_task(self.label, total=None, status="")
        self._bar.start()

    def during(self, done: int, total: int) -> None:
        if self._bar is not None:
            self._bar.update(self._task, completed=done, total=total)

    def after_batch(self, snapshot: Snapshot) -> bool | None:
        seconds = max(time.monotonic() - self._start, 1e-9)
        parts = [
            f"generation {snapshot.generation}",
            f"{snapshot.evaluations} subsets",
            f"{snapshot.evaluations / seconds:,.0f}/s",
        ]
        if not math.isnan(snapshot.best):
            parts.append(f"best {snapshot.best:.4f} with {snapshot.size}")
        if snapshot.lower is not None:
            parts.append(f"bounds {snapshot.lower:g}..{snapshot.upper:g}")
        if self.budget is not None:
            parts.append(f"{max(0.0, self.budget - seconds):.0f} s left")
        if self._bar is None:
            self._lines.tell(" · ".join(parts))
        else:
            self._bar.update(self._task, status=" · ".join(parts))
        return None

    def after(self) -> None:
        self._lines.last()
        if self._bar is not None:
            self._bar.stop()
