"""Killed at random moments and resumed, a run ends as if nothing had happened."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import numpy as np

from tests.campaign.runs import expect_none_left, new_mark, random_run, start, whole_run
from tests.campaign.trial import expect
from tests.cli.calls import without_times


def killed(rng: np.random.Generator, folder: Path, times: int = 1) -> None:
    """One kill -9, then resume."""
    arguments = random_run(rng)
    whole, seconds = whole_run(arguments, folder)
    journal, part = folder / "run.jsonl", folder / "part.json"
    mark = new_mark()
    for _ in range(times):
        process = start(_next(arguments, journal, part), mark)
        time.sleep(float(rng.random() * seconds))
        process.send_signal(signal.SIGKILL)
        process.communicate()
    expect_none_left(mark)
    process = start(_next(arguments, journal, part), mark)
    _, err = process.communicate()
    expect(process.returncode == 0, f"{arguments} did not resume: {err}")
    expect(without_times(part) == whole, f"{arguments} ended with another result")
    expect(not list(folder.glob(".*.part")) or times, "a partial file was left")


def killed_twice(rng: np.random.Generator, folder: Path) -> None:
    """A resumed run is killed again."""
    killed(rng, folder, times=2)


def _next(arguments: list[str], journal: Path, part: Path) -> list[str]:
    """Resume if there is a journal; else nothing was scored, and the run starts."""
    if journal.exists():
        workers = arguments[arguments.index("--jobs") :][:2]
        return ["resume", str(journal), "--json", str(part), "--quiet", *workers]
    return [*arguments, "--journal", str(journal), "--json", str(part)]
