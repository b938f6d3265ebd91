"""Listeners, which are informed about the progress of a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Snapshot:
    """The state of a run after a batch."""

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
        """The run is about to start."""

    def during(self, done: int, total: int) -> None:
        """``done`` of the ``total`` new subsets of the current batch are scored."""

    def after_batch(self, snapshot: Snapshot) -> bool | None:
        """A batch has been scored."""

    def after(self) -> None:
        """The run has ended, in whatever way."""
