"""What a trial is, and the table of how many held."""

from __future__ import annotations

import signal
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

#: A trial gets its own random numbers and an empty folder; it raises FailedError if it fails.
Trial = Callable[[np.random.Generator, Path], None]
#: No trial may take longer, in seconds.
LONGEST = 240


class FailedError(AssertionError):
    """A trial that did not hold; the message says what happened."""


class TookTooLong(BaseException):
    """Raised inside a trial by the clock; no handler for ordinary errors catches it."""


@dataclass
class Tally:
    """How the trials of one kind went."""

    tried: int = 0
    failures: list[str] = field(default_factory=list)

    @property
    def held(self) -> int:
        """How many did not fail."""
        return self.tried - len(self.failures)


def expect(holds: object, what: str) -> None:
    """Fail the trial unless ``holds``."""
    if not holds:
        raise FailedError(what)


def attempt(name: str, trial: Trial, seed: int, number: int, tally: Tally) -> None:
    """Run one trial; the same name, seed and number repeat it."""
    rng = np.random.default_rng([seed, zlib.crc32(name.encode()), number])
    tally.tried += 1
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            with limited(LONGEST):
                trial(rng, Path(folder))
        except FailedError as failure:
            tally.failures.append(f"{name} {number}: {failure}")
        except TookTooLong:
            tally.failures.append(f"{name} {number}: it took over {LONGEST} s")
        except Exception as error:
            tally.failures.append(f"{name} {number}: {type(error).__name__}: {error}")


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raise TookTooLong inside when the time is over."""

    def over(*_: object) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGALRM, over)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def table(tallies: dict[str, Tally]) -> str:
    """Tried, held and failed of each kind, and the failures below."""
    rows = [f"{'trials':<28}{'tried':>8}{'held':>8}{'failed':>8}"]
    for name, tally in tallies.items():
        rows.append(f"{name:<28}{tally.tried:>8}{tally.held:>8}{len(tally.failures):>8}")
    total = [sum(t.tried for t in tallies.values()), sum(t.held for t in tallies.values())]
    rows.append(f"{'all':<28}{total[0]:>8}{total[1]:>8}{total[0] - total[1]:>8}")
    return "\n".join([*rows, *(f for tally in tallies.values() for f in tally.failures)])
