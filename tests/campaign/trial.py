"""What a trial is, how a failure becomes a short script, and the table of how many held."""

from __future__ import annotations

import os
import signal
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

#: A trial gets its own random numbers and an empty folder. It raises FailedError if it fails, and
#: may return how many inputs it tried.
Trial = Callable[[np.random.Generator, Path], int | None]
#: No trial may take longer, in seconds on a machine that does nothing else.
LONGEST = 240


def patience(seconds: float) -> int:
    """Return so many seconds, and more as more processes wait for each core."""
    return int(seconds * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)))


class FailedError(AssertionError):
    """A trial that did not hold; the message says what happened.

    ``parts`` are what the failure was made of (bytes of a file, arguments of a call), ``again``
    runs it with fewer of them and raises if it still fails, ``script`` writes it down.
    """

    def __init__(
        self,
        message: str,
        parts: Any = None,
        again: Callable[[Any], object] | None = None,
        script: Callable[[Any], str] | None = None,
    ) -> None:
        super().__init__(message)
        self.parts, self.again, self.script = parts, again, script


class TookTooLong(BaseException):
    """Raised inside a trial by the clock; no handler for ordinary errors catches it."""


@dataclass
class Tally:
    """How the trials of one kind went."""

    tried: int = 0
    inputs: int = 0
    seconds: float = 0.0
    failures: list[str] = field(default_factory=list)

    @property
    def held(self) -> int:
        """How many did not fail."""
        return self.tried - len(self.failures)


def expect(holds: object, what: str) -> None:
    """Fail the trial unless ``holds``."""
    if not holds:
        raise FailedError(what)


def attempt(
    name: str, trial: Trial, seed: int, number: int, tally: Tally, scripts: Path | None = None
) -> None:
    """Run one trial; the same name, seed and number repeat it."""
    rng = np.random.default_rng([seed, zlib.crc32(name.encode()), number])
    tally.tried += 1
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            longest = patience(LONGEST)
            with limited(longest):
                tally.inputs += trial(rng, Path(folder)) or 1
        except TookTooLong:
            tally.failures.append(f"{name} {number}: it took over {longest} s")
        except Exception as error:
            kind = "" if isinstance(error, FailedError) else f"{type(error).__name__}: "
            tally.failures.append(f"{name} {number}: {kind}{error}")
            if scripts is not None:
                _write(scripts, name, seed, number, error)
    tally.seconds += time.monotonic() - begin


def _write(scripts: Path, name: str, seed: int, number: int, error: Exception) -> None:
    """Write the script that repeats a failure, as short as it can be made."""
    text = (
        "from tests.campaign.__main__ import main\n"
        f"main(['--only', {name!r}, '--seed', '{seed}', '--first', '{number}', '--trials', '1'])\n"
    )
    if isinstance(error, FailedError) and error.again is not None and error.script is not None:
        text = error.script(shortest(error.parts, error.again))
    scripts.mkdir(parents=True, exist_ok=True)
    said = "".join(f"# {line}\n" for line in str(error)[:2000].splitlines())
    path = scripts / f"{name.replace(' ', '-')}-{seed}-{number}.py"
    path.write_text(said + text, encoding="utf-8", errors="backslashreplace")


def shortest(parts: Sequence[Any], again: Callable[[Any], object], most: int = 400) -> Any:
    """Leave parts out as long as it still fails (Zeller and Hildebrandt, 2002, simplified).

    >>> shortest(b"a lot of <evil> text", lambda b: 1 / 0 if b"evil" in b else None)
    b'evil'
    """
    tries, size = 0, max(1, len(parts) // 2)
    while size:
        at = 0
        while at < len(parts) and tries < most:
            less, tries = parts[:at] + parts[at + size :], tries + 1
            try:
                again(less)
            except Exception:
                parts = less
            else:
                at += size
        size //= 2
    return parts


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
    rows = [f"{'trials':<28}{'tried':>8}{'inputs':>8}{'held':>8}{'failed':>8}{'seconds':>9}"]
    every = [f for tally in tallies.values() for f in tally.failures]
    total = Tally(
        sum(t.tried for t in tallies.values()),
        sum(t.inputs for t in tallies.values()),
        sum(t.seconds for t in tallies.values()),
        every,
    )
    for name, t in {**tallies, "all": total}.items():
        counts = f"{t.tried:>8}{t.inputs:>8}{t.held:>8}{len(t.failures):>8}"
        rows.append(f"{name:<28}{counts}{t.seconds:>9.1f}")
    return "\n".join([*rows, *every])
