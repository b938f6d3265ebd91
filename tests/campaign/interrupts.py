"""Ctrl-C and SIGTERM, once or twice, at random moments of selection and validation."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import numpy as np

from fewest._run.result import Result
from tests.campaign.runs import expect_none_left, new_mark, random_run, start, whole_run
from tests.campaign.trial import FailedError, expect
from tests.cli.calls import without_times

#: After an interrupt a run must have ended within so many seconds, on a busy machine too.
SOON = 90


def interrupted(rng: np.random.Generator, folder: Path) -> None:
    """The exit code, the files and the workers that are left agree with what happened."""
    arguments = random_run(rng, validate=bool(rng.random() < 0.7))
    whole, seconds = whole_run(arguments, folder)
    journal, part = folder / "run.jsonl", folder / "part.json"
    mark = new_mark()
    process = start([*arguments, "--journal", str(journal), "--json", str(part)], mark)
    time.sleep(float(rng.random() * seconds))
    number = signal.SIGINT if rng.random() < 0.7 else signal.SIGTERM
    process.send_signal(number)
    if rng.random() < 0.5:
        time.sleep(float(rng.random() * 0.2))
        process.send_signal(number)
    err = _ended(process)
    expect("Traceback" not in err, f"{arguments}: {err}")
    expect_none_left(mark)
    _expect_sense(process.returncode, number, journal, part, whole, arguments)


def _ended(process: subprocess.Popen[str]) -> str:
    try:
        return process.communicate(timeout=SOON)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise FailedError("it hangs after an interrupt") from None


def _expect_sense(
    code: int, number: int, journal: Path, part: Path, whole: object, arguments: list[str]
) -> None:
    what = f"{arguments} with signal {number}, exit code {code}"
    if code == 0:
        expect(without_times(part) == whole, f"{what}: another result")
        return
    scored = journal.exists() and journal.read_bytes().count(b"\n") > 1
    # Before Python runs our code, the system ends the process by itself.
    expect(code == 130 or (code in (-number, 1) and not scored), what)
    if not part.exists():
        expect(not scored or _too_early(journal), f"{what}: scores were made, but no result")
        return
    result = Result.load(part)
    expect(result.honest is None, f"{what}: validated all the same")
    cut = result.stop_kind == "interrupt"
    expect(result.partial or not cut, f"{what}: cut, but not partial")


def _too_early(journal: Path) -> bool:
    """A search may have scored nothing that keeps the constraints, as the empty subset."""
    return journal.read_bytes().count(b"\n") <= 2
