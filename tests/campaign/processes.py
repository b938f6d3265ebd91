"""Faults from outside: real processes that are killed, interrupted, or have no room or home."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import psutil

import fewest
from fewest._run.journal import read_lines
from fewest._run.result import Result
from tests.campaign.hostile import FORMATS
from tests.campaign.runs import (
    Process,
    expect_none_left,
    fork,
    new_mark,
    random_run,
    start,
    table_file,
    typical_seconds,
    whole_run,
)
from tests.campaign.trial import FailedError, expect, patience
from tests.cli.calls import without_times
from tests.signals import hear_interrupts

#: After an interrupt a process must have ended within so many seconds.
SOON = 60
#: The share of interrupts that meet a process which has not imported anything.
STARTED_ANEW = 0.01
SIGNALS = (signal.SIGINT, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def killed(rng: np.random.Generator, folder: Path) -> int:
    """Four to fifteen times kill -9, with one thread or two; then it ends as if undisturbed."""
    arguments, times = random_run(rng), 4 + int(rng.integers(12))
    seconds = whole_run(arguments, folder)[1]
    for _ in range(times):
        _kill(arguments, folder, lambda process: _wait(process, seconds, rng))
    _expect_same_end(arguments, folder)
    return times


def killed_with_workers(rng: np.random.Generator, folder: Path) -> int:
    """Kill -9 while worker processes start, wait or score: none stays, and the run goes on."""
    arguments = ["select", table_file(), "--search", "random", "--set", "draws=60", "--cv", "3"]
    arguments += ["--measure", "table-majority", "--seed", "1", "--quiet", "--validate", "none"]
    for _ in range(2):
        _kill([*arguments, "--jobs", "2"], folder, lambda process: _wait_for_worker(process, rng))
    _expect_same_end([*arguments, "--jobs", "1"], folder)
    return 2


def _kill(arguments: list[str], folder: Path, wait: Callable[[Process], None]) -> None:
    """Start the run or let it go on, wait, and kill it; its workers end, too."""
    mark = new_mark()
    process = fork(_next(arguments, folder), mark, folder)
    wait(process)
    process.kill()
    process.communicate()
    expect_none_left(mark)


def _expect_same_end(arguments: list[str], folder: Path) -> None:
    whole, _ = whole_run(arguments, folder)
    process = fork(_next(arguments, folder), new_mark(), folder)
    _, err = process.communicate()
    expect(process.returncode == 0, f"{arguments} did not resume: {err}")
    expect(without_times(folder / "part.json") == whole, f"{arguments} ended with another result")


def _wait_for_worker(process: Process, rng: np.random.Generator) -> None:
    """Wait for the first process of its own, then for up to as long again as this took."""
    begin = time.monotonic()
    with suppress(psutil.NoSuchProcess):
        while process.poll() is None and not psutil.Process(process.pid).children():
            time.sleep(0.01)
    _wait(process, time.monotonic() - begin, rng)


def _wait(process: Process, seconds: float, rng: np.random.Generator) -> None:
    """Wait a random while; most of a short run is its start, in which nothing can be lost."""
    end = time.monotonic() + seconds * float(1 - rng.random() ** 2)
    while time.monotonic() < end and process.poll() is None:
        time.sleep(0.01)


def _next(arguments: list[str], folder: Path) -> list[str]:
    """Resume if there is a journal; else nothing was scored, and the run starts."""
    journal, part = str(folder / "run.jsonl"), str(folder / "part.json")
    if os.path.exists(journal):
        return ["resume", journal, "--json", part, "--quiet", *arguments[-2:]]
    return [*arguments, "--journal", journal, "--json", part]


def interrupted(rng: np.random.Generator, folder: Path) -> None:
    """Ctrl-C, SIGTERM or SIGHUP, once or twice: exit code, files and workers that are left."""
    arguments = random_run(rng, validate=bool(rng.random() < 0.1))
    journal, part = folder / "run.jsonl", folder / "part.json"
    mark = new_mark()
    command = [*arguments, "--journal", str(journal), "--json", str(part)]
    # Some start anew, so that signals also come while Python imports.
    process: Process = (
        start(command, mark) if rng.random() < STARTED_ANEW else fork(command, mark, folder)
    )
    _wait(process, typical_seconds(), rng)
    number, err = _interrupt(process, rng)
    expect("Traceback" not in err and "Internal" not in err, f"{arguments}: {err}")
    expect_none_left(mark)
    if process.returncode == 0:
        whole, _ = whole_run(arguments, folder)
        expect(without_times(part) == whole, f"{arguments}: another result")
    else:
        _expect_sense(process.returncode, number, journal, part, arguments)


def _interrupt(process: Process, rng: np.random.Generator) -> tuple[int, str]:
    number = SIGNALS[int(rng.integers(len(SIGNALS)))]
    process.send_signal(number)
    if rng.random() < 0.5:
        time.sleep(float(rng.random() * 0.2))
        process.send_signal(number)
    try:
        return number, process.communicate(timeout=patience(SOON))[1]
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise FailedError("it hangs after an interrupt") from None


def _expect_sense(
    code: int | None, number: int, journal: Path, part: Path, arguments: list[str]
) -> None:
    what = f"{arguments} with signal {number}, exit code {code}"
    scored = journal.exists() and journal.read_bytes().count(b"\n") > 1
    # Before Python runs our code, the system ends the process by itself.
    expect(code == 130 or (code in (-number, 1) and not scored), what)
    if not part.exists():
        # A search may have scored nothing that keeps the constraints, as the empty subset.
        early = not journal.exists() or journal.read_bytes().count(b"\n") <= 2
        expect(not scored or early, f"{what}: scores were made, but no result")
        return
    result = Result.load(part)
    expect(result.honest is None, f"{what}: validated all the same")
    cut = result.stop_kind == "interrupt"
    expect(result.partial or not cut, f"{what}: cut, but not partial")


def other_commands(rng: np.random.Generator, folder: Path) -> None:
    """Signals during compare, weigh, joint, network and the report: an orderly end."""
    table, page = table_file(), folder / "page.html"
    quick = ["--seed", "1"]
    commands = [
        ["compare", table, "--search", "sfs,umda", "--measure", "naive-bayes", *quick],
        ["weigh", table, "--search", "random", *quick],
        ["joint", table, *quick],
        ["network", table, "--search", "iterated-tabu", "--report", str(page), *quick],
        ["select", table, "-s", "umda", "-m", "naive-bayes", "--report", str(page), *quick],
        ["report", str(FORMATS / "result-0.1.0.json"), "-o", str(page)],
    ]
    command = commands[int(rng.integers(len(commands)))]
    command += ["--json", str(folder / "r.json")] if command[0] != "report" else []
    mark = new_mark()
    process = fork(command, mark, folder)
    _wait(process, 3.0, rng)
    number, err = _interrupt(process, rng)
    what = f"{command} with signal {number}, exit code {process.returncode}: {err}"
    expect(process.returncode in (0, 130, -number), what)
    expect("Traceback" not in err and "Internal error" not in err, what)
    expect_none_left(mark)
    expect(not list(folder.glob(".*.part")), f"a partial file was left: {what}")


def full_disk_outside(rng: np.random.Generator, folder: Path) -> None:
    """A disk that becomes full: one sentence, no half line, and the run goes on."""
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
    answer = "\n".join(whole["features"])
    expect(answer == out.strip() or "journal" in err, f"the answer was lost: {what}")
    expect(not list(folder.glob(".*.part")), f"a partial file was left: {what}")
    if not journal.exists():
        return
    read_lines(journal)
    process = start(["resume", str(journal), "--json", str(part)], new_mark())
    _, err = process.communicate()
    expect(process.returncode == 0, f"{arguments} did not resume: {err}")
    expect(without_times(part) == whole, f"{arguments} ended with another result")


SEALED = "read-only package and a full temporary folder"


def _sealed(full: Path) -> list[str]:
    """What to put before a command so that it sees such a system; nothing where that needs root."""
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode:
        return []
    package = Path(fewest.__file__).parent
    script = f"""
        mkdir {full} && mount -t tmpfs -o size=64k tmpfs {full} &&
        mount --bind {package} {package} && mount -o remount,bind,ro {package} || exit 99
        dd if=/dev/zero of={full}/zeros status=none 2>/dev/null
        TMPDIR={full} exec "$@"
    """
    return ["unshare", "--mount", "sh", "-c", script, "sh"]


def odd_environment(rng: np.random.Generator, folder: Path) -> None:
    """No home, a home that cannot be written, no temporary folder, a locale with commas."""
    environments: dict[str, dict[str, str | None]] = {
        "no home": {"HOME": None, "XDG_CACHE_HOME": None, "NUMBA_CACHE_DIR": None},
        "home that is not there": {"HOME": "/proc/nothing", "XDG_CACHE_HOME": "/proc/nothing"},
        "read-only cache": {"NUMBA_CACHE_DIR": "/proc/nothing"},
        "no temporary folder": {"TMPDIR": "/proc/nothing", "TEMP": None, "TMP": None},
        "comma": {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"},
        "plain C": {"LC_ALL": "C", "LANG": "C", "PYTHONIOENCODING": "ascii"},
        "odd zone": {"TZ": "Nowhere/Never"},
        SEALED: {"HOME": "/proc/nothing", "XDG_CACHE_HOME": None, "NUMBA_CACHE_DIR": None},
    }
    name = str(rng.choice(list(environments)))
    arguments = random_run(rng)
    whole, _ = whole_run(arguments, folder)
    env = {k: v for k, v in {**os.environ, **environments[name]}.items() if v is not None}
    path = folder / "r.json"
    command = [sys.executable, "-m", "fewest", *arguments, "--json", str(path)]
    if name == SEALED:
        command = [*_sealed(folder / "full"), *command]
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=patience(200))
    expect(done.returncode == 0, f"{name}: {arguments}: {done.stderr}")
    expect(without_times(path) == whole, f"{name}: {arguments} ended with another result")


def busy_cache(rng: np.random.Generator, folder: Path) -> None:
    """Two processes that compile into the same empty cache at once."""
    measure = str(rng.choice(["cfs", "mrmr", "relieff"]))  # few kernels each
    arguments = ["select", table_file(), "--search", "sfs", "--measure", measure, "--quiet"]
    arguments += ["--seed", "1", "--validate", "none", "--jobs", "1"]
    whole, _ = whole_run(arguments, folder)
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")}
    outputs = [folder / "one.json", folder / "two.json"]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "fewest", *arguments, "--json", str(path)],
            env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for path in outputs
    ]  # fmt: skip
    for process, path in zip(running, outputs, strict=True):
        _, err = process.communicate()
        expect(process.returncode == 0, f"{arguments}: {err}")
        expect(without_times(path) == whole, f"{arguments} ended with another result")
