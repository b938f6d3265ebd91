"""A disk that becomes full at a random moment."""

from __future__ import annotations

import resource
import signal
from pathlib import Path

import numpy as np

from fewest._run.journal import read_lines
from tests.campaign.runs import new_mark, random_run, start, whole_run
from tests.campaign.trial import expect
from tests.cli.calls import without_times
from tests.signals import hear_interrupts


def full_disk(rng: np.random.Generator, folder: Path) -> None:
    """One sentence, no half line, and the run goes on when there is room again."""
    arguments = random_run(rng)
    whole, _ = whole_run(arguments, folder)
    journal, part, page = folder / "run.jsonl", folder / "part.json", folder / "page.html"
    size = int(rng.choice([400, 1500, 4000, 12_000, 60_000]))

    def with_little_room() -> None:
        hear_interrupts()
        # As on a full disk: writing fails; without this the process would be killed instead.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    outputs = ["--journal", str(journal), "--json", str(part), "--report", str(page)]
    process = start([*arguments, *outputs], new_mark(), preexec_fn=with_little_room)
    out, err = process.communicate()
    what = f"{arguments} with {size} bytes, exit code {process.returncode}: {err}"
    expect(process.returncode in (0, 1), what)
    expect("Traceback" not in err and "Internal error" not in err, what)
    expect(process.returncode == 0 or "File too large" in err, what)
    expect("Chosen" in out or "journal" in err, f"the answer was lost: {what}")
    expect(not list(folder.glob(".*.part")), f"a partial file was left: {what}")
    if not journal.exists():
        return
    read_lines(journal)
    process = start(["resume", str(journal), "--json", str(part)], new_mark())
    _, err = process.communicate()
    expect(process.returncode == 0, f"{arguments} did not resume: {err}")
    expect(without_times(part) == whole, f"{arguments} ended with another result")
