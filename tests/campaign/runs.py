"""Runs to attack: what they are called with, how they should end, and how to watch them."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from typer.testing import CliRunner, Result

from fewest._cli.main import app
from fewest._errors import InputError
from fewest.search._search_names import list_searches, resolve_search
from tests.campaign.forks import Forked
from tests.campaign.trial import FailedError, expect, patience
from tests.cli.calls import without_times
from tests.signals import hear_interrupts

#: Found in the environment of every process that a trial starts.
MARK = "FEWEST_CAMPAIGN"
#: Parameters that keep a search short, where it has them.
SHORT = {"population": 20, "draws": 60, "steps": 40, "rounds": 4}


def short(search: Any) -> dict[str, int]:
    """Parameters of this search that keep it short."""
    own = search.get_params(deep=False)
    return {name: value for name, value in SHORT.items() if name in own}


@lru_cache(maxsize=1)
def table_file() -> str:
    """A table with eight features of which some matter; small, so that runs are short."""
    rng = np.random.default_rng(5)
    path = Path(tempfile.mkdtemp()) / "table.csv"
    X = rng.integers(0, 3, size=(90, 8))
    y = (X[:, 0] + X[:, 3] > 2).astype(int) ^ (rng.random(90) < 0.1)
    names = ",".join([*"abcdefgh", "label"])
    path.write_text("\n".join([names, *(",".join(f"v{v}" for v in r) for r in np.c_[X, y])]) + "\n")
    return str(path)


def random_run(rng: np.random.Generator, validate: bool = False) -> list[str]:
    """The arguments of a random run: any search, a measure that suits, workers or none."""
    rows = [row for row in list_searches() if "subsets" in str(row["spaces"])]
    # Searches that train models for advice take seconds: they are drawn rarely.
    patient = rng.random() < 0.05 and not validate
    rows = [row for row in rows if patient or not row.get("needs_advice")]
    row = rows[int(rng.integers(len(rows)))]
    name = str(row["name"])
    monotone = bool(row["needs_monotone"])
    measures = ["inconsistency"] if monotone else ["naive-bayes", "nearest-neighbor", "cfs"]
    measures = measures[:-1] if row.get("needs_advice") else measures
    command = ["select", table_file(), "--search", name, "--cv", "3", "--quiet"]
    command += ["--measure", str(rng.choice(measures)), "--seed", str(rng.integers(2))]
    search = resolve_search(name)
    command += [f"--set={k}={v}" for k, v in short(search).items()]
    command += ["--max-generations", "6"] if search.generational else []
    # "auto" looks at the clock before it decides what to measure; two equal runs may differ.
    command += ["--validate", "nested" if validate else "none"]
    return [*command, "--jobs", str(rng.integers(1, 3))]


#: A run that can be waited for and gets signals.
Process = subprocess.Popen[str] | Forked


def fork(arguments: list[str], mark: str, folder: Path) -> Forked:
    """A process of its own that has imported everything, marked as below."""
    return Forked(arguments, {MARK: mark}, folder)


def start(arguments: list[str], mark: str, **options: Any) -> subprocess.Popen[str]:
    """A process of its own that hears Ctrl-C, marked so that its workers can be found."""
    return subprocess.Popen(
        [sys.executable, "-m", "fewest", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, MARK: mark},
        **{"preexec_fn": hear_interrupts, **options},
    )


def new_mark() -> str:
    """A word that no other trial uses."""
    return secrets.token_hex(8)


def expect_none_left(mark: str) -> None:
    """Fail if a process with this mark still runs after a while."""
    wanted = f"{MARK}={mark}".encode()
    end = time.monotonic() + patience(60)
    while left := [p for p in Path("/proc").glob("[0-9]*/environ") if _holds(p, wanted)]:
        if time.monotonic() > end:
            raise FailedError(f"{len(left)} processes were left behind")
        time.sleep(0.2)


def _holds(path: Path, wanted: bytes) -> bool:
    try:
        return wanted in path.read_bytes().split(b"\0")
    except OSError:
        return False


_whole: dict[str, tuple[dict[str, Any], float]] = {}


def whole_run(arguments: list[str], folder: Path) -> tuple[dict[str, Any], float]:
    """The result of the same run without any fault, and the seconds that it took."""
    key = json.dumps(arguments[: arguments.index("--jobs")])  # workers change nothing
    if key not in _whole:
        path, begin = folder / "whole.json", time.monotonic()
        process = fork([*arguments, "--json", str(path)], new_mark(), folder)
        _, err = process.communicate()
        expect(process.returncode == 0, f"the undisturbed run failed: {arguments} {err}")
        _whole[key] = without_times(path), time.monotonic() - begin
    return _whole[key]


def typical_seconds() -> float:
    """The median time of the runs without any fault so far."""
    return float(np.median([seconds for _, seconds in _whole.values()] or [0.5]))


def within(*arguments: object) -> Result:
    """A command inside this process."""
    return CliRunner().invoke(app, [str(a) for a in arguments])


def sentence_or_answer(call: Callable[[], object], what: str) -> None:
    """Fail unless a call returns, or refuses with one sentence."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call()
    except InputError as error:
        expect("\n" not in str(error), f"{what}: several lines: {error}")
    except OSError as error:
        expect(error.strerror, f"{what}: {error}")
    except Exception as error:
        raise FailedError(f"{what}: {type(error).__name__}: {error}") from error
