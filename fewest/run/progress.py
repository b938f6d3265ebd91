"""The progress bar: rate, best so far, its size, and the time left where it is known."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from .events import Listener, Snapshot

Item = TypeVar("Item")


def counted(items: Iterable[Item], label: str, total: int, shown: bool) -> Iterator[Item]:
    """The items as they come, with a bar on standard error that tells the time left.

    >>> list(counted(iter("ab"), "letters", 2, shown=False))
    ['a', 'b']
    """
    if not shown:
        yield from items
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), MofNCompleteColumn())
    left = (TimeRemainingColumn(), TextColumn("left"))
    console = Console(stderr=True)
    with Progress(*columns, *left, console=console, transient=True) as bar:
        task = bar.add_task(label, total=total)
        for item in items:
            yield item
            bar.advance(task)


class ProgressBar(Listener):
    """Shows the progress of a run on standard error."""

    def __init__(self, label: str = "selecting", seconds: float | None = None) -> None:
        self.label = label
        self.budget = seconds
        self._bar: Any = None
        self._scored = 0
        self._start = 0.0

    def before(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            TextColumn("{task.fields[status]}"),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task(self.label, total=None, status="")
        self._start = time.monotonic()
        self._bar.start()

    def during(self, done: int, total: int) -> None:
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
        self._bar.update(self._task, status=" · ".join(parts))
        return None

    def after(self) -> None:
        if self._bar is not None:
            self._bar.stop()
