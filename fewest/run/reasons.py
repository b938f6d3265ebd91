"""Why a run ended: a kind for programs, a sentence for people."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class StopKind(StrEnum):
    """The kinds of reasons for which a run ends."""

    #: The search ended by itself.
    SEARCH = "search"
    #: A stop rule fired.
    RULE = "rule"
    #: A callback asked to stop.
    CALLBACK = "callback"
    #: The time budget is used up.
    TIME = "time"
    #: Ctrl-C, or SIGTERM on the command line.
    INTERRUPT = "interrupt"
    #: A worker process died.
    WORKER = "worker"
    #: Not recorded: results saved before version 0.2.
    UNKNOWN = "unknown"

    @property
    def partial(self) -> bool:
        """Whether the run was cut short, so that its answer is only the best so far.

        >>> StopKind.TIME.partial, StopKind.RULE.partial
        (True, False)
        """
        return self in (StopKind.TIME, StopKind.INTERRUPT, StopKind.WORKER)


@dataclass(frozen=True)
class Reason:
    """Why a run ended.

    ``answer_from`` is the last generation that the answer may come from; None means all.
    """

    text: str
    kind: StopKind = StopKind.RULE
    answer_from: int | None = None
